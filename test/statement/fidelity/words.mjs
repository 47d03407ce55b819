// This module compares the visible text word by word.
import { diff } from './diff.mjs';
import { mark, plain, wordCharacter } from './marks.mjs';
import { became } from './rows.mjs';

const wordPart = new RegExp(
  `${mark.formulaOpen}[^${mark.formulaClose}]*${mark.formulaClose}|${wordCharacter}+|\\s|[^]`,
  'gu',
);

/** The maximum length of a cell that can be the name of a row or column. Longer texts are content. */
const maxName = 60;

/**
 * Returns the words, punctuation and spaces in order, and the indexes of those that may be missing. A name of several
 * words counts as one word.
 */
export function wordsOf(lines, names = new Set()) {
  const words = [];
  const optional = new Set();
  let isOptional = false;
  const text = plain(lines.join(' ')).replaceAll(mark.cell, ' ').replace(/ {2,}/g, ' ').trim();
  for (const [word] of text.matchAll(partWith(names))) {
    if (word === mark.optionalOpen) isOptional = true;
    else if (word === mark.optionalClose) isOptional = false;
    else {
      if (word === ' ' && words.at(-1) === ' ') continue;
      if (isOptional) optional.add(words.length);
      words.push(word);
    }
  }
  return { words, optional };
}

function partWith(names) {
  const whole = [...names].filter(name => name.length <= maxName && /^\p{L}[\p{L}\p{N}]* [\p{L}\p{N} ]+$/u.test(name));
  if (whole.length === 0) return wordPart;
  const longestFirst = whole.sort((one, other) => other.length - one.length);
  return new RegExp(`(?<!${wordCharacter})(?:${longestFirst.join('|')})(?!${wordCharacter})|${wordPart.source}`, 'gu');
}

/** `stars` counts the asterisks of emphasis that a renderer shows literally. */
export function compareText({ words, optional }, { words: answered }, names) {
  const misses = [];
  let wrong = 0;
  let stars = 0;
  for (const { at, lost, added } of diff(words, answered)) {
    const isBesideOptional = [-2, -1, 0, 1, 2].some(step => optional.has(at + step));
    const isBesideFormula = isFormula(words[at - 1]) || isFormula(words[at]);
    const missing = lost.filter((_, index) => !optional.has(at + index));
    const withoutStars = added.filter(word => word !== '*');
    // A literal asterisk splits a word.
    if (missing.join('') === withoutStars.join('') && added.length > lost.length)
      stars += added.length - withoutStars.length;
    else if (isBlank(missing) && isBlank(added) && (isBesideOptional || (missing.length === 0 && isBesideFormula)))
      continue;
    else if (areNames(missing, names) && areNames(added, names)) continue;
    else {
      wrong += Math.max(missing.length, added.length);
      misses.push(became(around(words, at, lost), around(words, at, lost, added)));
    }
  }
  return { total: words.filter(word => word !== ' ').length, wrong, misses, stars };
}

function isBlank(words) {
  return words.every(word => word === ' ');
}

/** Returns whether a word is a formula. Some renderers require a space next to a formula. */
function isFormula(word) {
  return word?.startsWith(mark.formulaOpen) === true;
}

/** Returns whether these words are complete names of rows or columns. */
function areNames(words, names) {
  let text = words.join('').trim();
  for (let name = ''; text !== ''; text = text.slice(name.length).trim()) {
    name = [...names].filter(each => each !== '' && text.startsWith(each)).sort((a, b) => b.length - a.length)[0];
    if (name === undefined) return false;
  }
  return names.size > 0 || words.length === 0;
}

function around(words, at, lost, instead = lost) {
  const before = words.slice(Math.max(0, at - 8), at).join('');
  const after = words.slice(at + lost.length, at + lost.length + 8).join('');
  return `${before}[${instead.slice(0, 60).join('')}]${after}`;
}
