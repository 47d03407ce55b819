// Two formulas are equal if their TeX differs only in white space, braces around a single character, and synonymous
// commands.

const synonyms = {
  '\\lt': '<',
  '\\gt': '>',
  '\\leq': '\\le',
  '\\geq': '\\ge',
  '\\neq': '\\ne',
  '\\lbrace': '\\{',
  '\\rbrace': '\\}',
  '≤': '\\le',
  '≥': '\\ge',
  '≠': '\\ne',
  '−': '-',
};

/** Matches white space that has no effect in a formula. */
const blank = /^[\s\u00a0\u2000-\u200b\ufeff]$/;

export function sameTex(text) {
  const words = [];
  for (const [word] of text.matchAll(/\\[a-zA-Z]+|\\[^]|[^]/gu)) {
    if (blank.test(word) || /^\\\s$/.test(word)) continue;
    words.push(synonyms[word] ?? word);
  }
  return join(withoutSingleBraces(words));
}

function withoutSingleBraces(words) {
  const out = [];
  for (let at = 0; at < words.length; at++) {
    const isSingle = (words[at] === '^' || words[at] === '_') && words[at + 1] === '{' && words[at + 3] === '}';
    out.push(words[at]);
    if (!isSingle || words[at + 2] === '{' || words[at + 2] === '}') continue;
    out.push(words[at + 2]);
    at += 3;
  }
  return out;
}

/** The space after a command is kept, because `\in t` is not `\int`. */
function join(words) {
  let out = '';
  for (const word of words) out += /\\[a-zA-Z]+$/.test(out) && /^[a-zA-Z]/.test(word) ? ` ${word}` : word;
  return out;
}

/**
 * Returns the formulas of a text in order: `{ start, end, tex }`. `singleDollar` states whether single dollar signs are
 * delimiters, which is false for a page about prices.
 */
export function findFormulas(text, { singleDollar }) {
  const found = [];
  const delimiter = /\\[([]|\${1,6}|\\begin\{[a-zA-Z]+\*?\}/g;
  for (let match = delimiter.exec(text); match !== null; match = delimiter.exec(text)) {
    const formula = formulaAt(text, match.index, match[0], singleDollar);
    if (formula === undefined) continue;
    found.push(formula);
    delimiter.lastIndex = formula.end;
  }
  return found;
}

/** Returns the formula that begins with this delimiter, or undefined. */
export function formulaAt(text, start, open, singleDollar) {
  if (text[start - 1] === '\\' && isEscaped(text, start)) return undefined;
  const from = start + open.length;
  if (open === '\\(' || open === '\\[') return closed(text, start, from, open === '\\(' ? '\\)' : '\\]');
  // MathJax renders an environment without dollars too, and the environment is a part of the formula.
  if (open.startsWith('\\begin')) return environment(text, start, from, open.replace('begin', 'end'));
  if (open === '$') return singleDollar ? single(text, start, from) : undefined;
  return open.length === 4 || open.length === 5 ? undefined : closed(text, start, from, open);
}

function environment(text, start, from, close) {
  const at = text.indexOf(close, from);
  return at === -1 ? undefined : { start, end: at + close.length, tex: text.slice(start, at + close.length) };
}

function isEscaped(text, at) {
  let count = 0;
  while (text[at - 1 - count] === '\\') count++;
  return count % 2 === 1;
}

function closed(text, start, from, close) {
  let at = text.indexOf(close, from);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf(close, at + 1);
  if (at === -1) return undefined;
  const tex = text.slice(from, at);
  return tex.trim() === '' || hasGap(tex) ? undefined : { start, end: at + close.length, tex };
}

/** KaTeX and MathJax end `$` at the next dollar, even if it is doubled: `$a$$b$` contains two formulas. */
function single(text, start, from) {
  for (let at = text.indexOf('$', from); at !== -1; at = text.indexOf('$', at + 1)) {
    if (isEscaped(text, at)) continue;
    const tex = text.slice(from, at);
    if (tex.trim() === '' || hasGap(tex)) return undefined;
    return { start, end: at + 1, tex };
  }
  return undefined;
}

/** An unclosed formula ends at the end of its paragraph. */
function hasGap(tex) {
  return /\n[ \t]*\n/.test(tex);
}
