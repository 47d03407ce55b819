// This module tests the oracle: it injects a fault into correct output, and the oracle must report it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { table } from '../../../bench/table.mjs';
import { base } from './converters.mjs';
import { isRight, judge } from './read.mjs';

/**
 * Each function receives the output and a random number generator. It returns the output with one fault, or undefined
 * if no fault is possible.
 */
export const faults = {
  'a word is lost': (text, random) => changeOne(prose(text), random, /(?<= )\p{L}{3,}(?= )/gu, () => ''),
  'a word is said twice': (text, random) =>
    changeOne(prose(text), random, /(?<= )\p{L}{3,}(?= )/gu, word => `${word} ${word}`),
  'two words change places': (text, random) =>
    changeOne(prose(text), random, /(?<= )(\p{L}{2,}) (\p{L}{2,})(?= )/gu, pair => pair.split(' ').reverse().join(' ')),
  'a blank between words is lost': (text, random) => changeOne(prose(text), random, /(?<=\p{L}) (?=\p{L})/gu, () => ''),
  'a digit is another': (text, random) =>
    changeOne(prose(text), random, /(?<![\d.\\[])\d(?![\d.)])/g, digit => `${(Number(digit) + 1) % 10}`),
  'a comma is lost': (text, random) => changeOne(prose(text), random, /(?<=\p{L}), (?=\p{L})/gu, () => ' '),
  'a sign is an entity': (text, random) => changeOne(prose(text), random, /(?<=[\w )]) < (?=\w)/g, () => ' &amp;lt; '),
  'a minus is lost': (text, random) => changeOne(prose(text), random, /(?<=[\d\w]) - (?=[\d\w])/g, () => ' '),
  'an exponent is lost': (text, random) => changeOne(outsideFormulas(text), random, /(?<=\d)\^(?=\d)/g, () => ''),
  'an index is lost': (text, random) =>
    changeOne(outsideFormulas(text), random, /(?<=[a-z])_(?=[a-z0-9]\b)/g, () => ''),
  'an index is an exponent': (text, random) =>
    changeOne(outsideFormulas(text), random, /(?<=\b[a-z])_(?=[a-z0-9{])/g, () => '^'),
  'a script is shorter': (text, random) =>
    changeOne(outsideFormulas(text), random, /(?<=[\^_])\{[^{}\\][^{}]+\}/g, group => group.slice(1, -1)),
  'a script is longer': (text, random) =>
    changeOne(
      outsideFormulas(text),
      random,
      /(?<=\w)[\^_](\w+)(?=( [-+<=]| ?\)|,))/g,
      (script, body) => `${script[0]}{${body} 1}`,
    ),
  'a blank of a sample is lost': (text, random) =>
    changeOne(samples(text), random, /(?<=[^ \n]) (?=[^ \n])/g, () => ''),
  'a blank of a sample is two': (text, random) =>
    changeOne(samples(text), random, /(?<=[^ \n]) (?=[^ \n])/g, () => '  '),
  'a line of a sample is lost': (text, random) =>
    changeOne(samples(text), random, /(?<=\n)[^\n]*\S[^\n]*\n(?=[^\n]*\S)/g, () => ''),
  'lines of a sample are one': (text, random) => changeOne(samples(text), random, /(?<=\S)\n(?=[^\n]*\S)/g, () => ' '),
  'a digit of a sample is another': (text, random) =>
    changeOne(samples(text), random, /(?<=[\n ])\d/g, digit => `${(Number(digit) + 1) % 10}`),
  'a sample is text': (text, random) =>
    changeOne(fences(text), random, /^```+[^\n`]*\n([^]*?)\n```+$/g, (_, body) => body),
  'code is text': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<![`\\])`(\w[^`\n*_|\\<]*)`(?!`)/g, (_, body) => body),
  'code is longer': (text, random) =>
    changeOne(
      outsideSamples(text),
      random,
      /(?<![`\\])`(\w[^`\n|]*)`(?!`) (\w+)/g,
      (_, body, word) => `\`${body} ${word}\``,
    ),
  'a sign of a formula is lost': (text, random) =>
    changeOne(formulas(text), random, /(?<!\\[gln]e)[a-zA-Z0-9](?=[^a-zA-Z]*$)/g, () => ''),
  'a formula is text': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<![$\\\w])\$([A-Za-z0-9 ,+-]+)\$(?![$\w])/g, (_, tex) => tex),
  'items change places': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=\n)- ([^\n]+)\n- ([^\n]+)(?=\n|$)/g, (both, one, two) =>
      one === two ? both : `- ${two}\n- ${one}`,
    ),
  'an item is lost': (text, random) => changeOne(outsideSamples(text), random, /(?<=\n)- [^\n]+\n(?=- )/g, () => ''),
  'an item is deeper': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=\n- [^\n]+\n)- (?=\S)/g, () => '  - '),
  'an item is text': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=\n\n)- (?=[^\n]+\n(\n|$))/g, () => ''),
  'an item has another number': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=\n)\d+(?=\. \S)/g, number => `${Number(number) + 7}`),
  'a cell is lost': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=\n\|[^\n]*)(?<=\|) [^|\n-]*\w[^|\n]* (?=\|)/g, () => '  '),
  'a row is lost': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=\n\| [^\n]*\n)\| [^\n-]*\w[^\n]*\n(?=\|)/g, () => ''),
  'a picture has another address': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=!\[[^\]\n]*\]\(https?:\/\/[^)\s]*)\w(?=[^)\s]*\))/g, letter =>
      letter === 'x' ? 'y' : 'x',
    ),
  'a picture is lost': (text, random) =>
    changeOne(outsideSamples(text), random, /!\[[^\]\n]*\]\((?!file:|data:)[^)\s]+\)/g, () => ''),
  'a link has another address': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=[^!\]]\[[^\]\n]+\]\(https?:\/\/[^)\s]*)\w(?=\))/g, letter =>
      letter === 'x' ? 'y' : 'x',
    ),
  'a heading is another': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=\n)#{1,4} (?=\S)/g, marks => `#${marks}`),
  'a line break is lost': (text, random) => changeOne(prose(text), random, /(?<=\S) {2}\n(?=\S)/g, () => ' '),
  'a line behind a script is joined to it': (text, random) =>
    changeOne(prose(text), random, /(?<=[\^_][\w{}]{1,9}) {2}\n(?=\S)/g, () => ''),
  'a paragraph moves to the front': (text, random) =>
    changeOne(outsideSamples(text), random, /\n\n(\p{L}{2,}[^\n]{10,})\n\n(\p{L}[^\n]+)(?=\n|$)/gu, (both, one, two) =>
      one === two ? both : `\n\n${two}\n\n${one}`,
    ),
  'a line of indented code is HTML': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=\n\n {4}[^\n]*)&(?:lt|amp|gt);/g, () => 'x'),
  'a text is marked as hidden': (text, random) =>
    changeOne(prose(text), random, /(?<= )\p{L}{3,}(?= )/gu, word => `(possibly hidden: ${word})`),
  'two paragraphs are one': (text, random) =>
    changeOne(outsideSamples(text), random, /(?<=\p{L}[.:]?)\n\n(?=\p{L}{2})/gu, () => ' '),
  'stars become emphasis': (text, random) =>
    changeOne(prose(text), random, /\\\*\w[^*\n]*\\\*(?=[ ,.])/g, words => words.replaceAll('\\', '')),
};

/** Splits the output into pieces. The pieces with an odd index match `wanted`. */
function pieces(text, wanted) {
  return text.split(wanted);
}

const fence = /((?<=^|\n)(?:`{3,})[^\n`]*\n[^]*?\n`{3,}(?=\n|$))/;
const anyFormula = /(\$+[^$]+\$+)/;
/** Matches parts that are not prose: fences, code, formulas, addresses and tables. */
const noProse =
  /((?<=^|\n) *`{3,}[^\n`]*\n[^]*?\n *`{3,}(?=\n|$)|`[^`]*`|\$+[^$]*\$+|\]\([^)\n]*\)|!\[[^\]\n]*\]|<[^>\n]*>|https?:\S+)/;

function prose(text) {
  return { parts: pieces(text, noProse), isOpen: index => index % 2 === 0 };
}

function outsideSamples(text) {
  return { parts: pieces(text, fence), isOpen: index => index % 2 === 0 };
}

function fences(text) {
  return { parts: pieces(text, fence), isOpen: index => index % 2 === 1 };
}

function outsideFormulas(text) {
  return {
    parts: pieces(text, /(\$+[^$]*\$+|\]\([^)\n]*\)|!\[[^\]\n]*\]|(?<=^|\n)(?:`{3,})[^\n`]*\n[^]*?\n`{3,}(?=\n|$))/),
    isOpen: index => index % 2 === 0,
  };
}

function formulas(text) {
  const parts = pieces(text, anyFormula);
  // Faults in formulas are not injected into code.
  return {
    parts,
    isOpen: index =>
      index % 2 === 1 &&
      !parts.slice(0, index).join('').split('\n').at(-1).includes('`') &&
      !/[`\n]/.test(parts[index]),
  };
}

function samples(text) {
  const parts = pieces(text, /((?<=^|\n) *`{3,}[^\n`]*\n|\n *`{3,}(?=\n|$))/);
  return { parts, isOpen: index => index % 4 === 2 };
}

/** Changes one randomly chosen match. */
function changeOne({ parts, isOpen }, random, place, change) {
  const places = parts.flatMap((part, index) =>
    isOpen(index) ? [...part.matchAll(place)].map(match => ({ index, match })) : [],
  );
  if (places.length === 0) return undefined;
  const { index, match } = places[random(places.length)];
  const part = parts[index];
  const changed = part.slice(0, match.index) + change(...match) + part.slice(match.index + match[0].length);
  return changed === part ? undefined : [...parts.slice(0, index), changed, ...parts.slice(index + 1)].join('');
}

/** Injects one fault into each correct output of a converter and counts the reported faults. */
export async function testOracle(collections, converter, count) {
  const files = spread(collections.map(collection => collection.files));
  const right = [];
  const batch = 100;
  for (let at = 0; at < files.length && right.length < count; at += batch) {
    const statements = files
      .slice(at, at + batch)
      .map(file => ({ name: file, kind: path.extname(file).slice(1), source: readFileSync(file, 'utf8'), base }));
    const { answers } = await converter.convert(statements.map(({ source }) => source));
    for (const [index, statement] of statements.entries()) {
      const answered = { ...statement, answer: answers[index] };
      if (typeof answered.answer === 'string' && isRight(judge(answered))) right.push(answered);
    }
  }
  return tryOracle(right, count);
}

/**
 * Returns the injected and reported faults of each kind: `{ tally: { kind: { put, reported } }, unseen: [sentence] }`.
 */
export function tryOracle(right, count) {
  const random = createRandom(1);
  const tally = Object.fromEntries(Object.keys(faults).map(kind => [kind, { put: 0, reported: 0 }]));
  const unseen = [];
  for (let put = 0, tried = 0; put < count && tried < 2 * count + right.length; tried++) {
    const statement = right[tried % right.length];
    const fault = faulty(statement.answer, tally, random);
    if (fault === undefined) continue;
    put++;
    tally[fault.name].put++;
    if (!isRight(judge({ ...statement, answer: fault.answer }))) tally[fault.name].reported++;
    else unseen.push(`${fault.name}: ${statement.name}: ${difference(statement.answer, fault.answer)}`);
  }
  return { tally, unseen };
}

/** Returns the type of fault that was injected least often, among those that this output allows. */
function faulty(answer, tally, random) {
  for (const name of Object.keys(faults).sort((a, b) => tally[a].put - tally[b].put)) {
    const changed = faults[name](answer, random);
    if (changed !== undefined) return { name, answer: changed };
  }
  return undefined;
}

export function faultReport({ tally, unseen }) {
  const rows = Object.entries(tally).map(([name, { put, reported }]) => [name, put, reported]);
  const put = rows.reduce((sum, row) => sum + row[1], 0);
  const reported = rows.reduce((sum, row) => sum + row[2], 0);
  const all = ['all', put, `${reported} (${((reported / put) * 100).toFixed(2)} %)`];
  return [table(['fault', 'put', 'reported'], [...rows, all]), '', ...unseen].join('\n');
}

function difference(before, after) {
  let at = 0;
  while (before[at] === after[at]) at++;
  const from = Math.max(0, at - 30);
  return `${JSON.stringify(before.slice(from, at + 40))} became ${JSON.stringify(after.slice(from, at + 40))}`;
}

/** Yields the files of all collections alternately. */
function spread(lists) {
  const longest = Math.max(...lists.map(list => list.length));
  const step = list => Math.max(1, Math.floor(list.length / 400));
  return Array.from({ length: longest }, (_, index) => lists.map(list => list[index * step(list)]))
    .flat()
    .filter(Boolean);
}

function createRandom(seed) {
  let state = seed;
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
