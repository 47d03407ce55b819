import { sameTex } from './tex.mjs';

// The signs that a reading puts into plain text, from the private range that statements leave alone. A script is written
// `^{…}` or `_{…}` with them, so that its extent is part of the text; what TeX says in text (`10^5`, `a_{i,j}`) becomes
// the same signs.

export const mark = {
  superOpen: '\uE000',
  subOpen: '\uE001',
  scriptClose: '\uE002',
  /** The same, read off the text: TeX of an answer, or of somebody who wrote 10^5 by hand. */
  superWritten: '\uE00A',
  subWritten: '\uE00B',
  formulaOpen: '\uE003',
  formulaClose: '\uE004',
  /** Between formulas side by side, which a browser shows as one: an answer joins them, or keeps them apart by a blank. */
  join: '\uE00C',
  /** Where code begins or ends: no script reaches over it. */
  codeEdge: '\uE00E',
  /** A line break within a text that is searched for formulas. */
  lineBreak: '\uE00D',
  /** A dollar that was escaped: never the edge of a formula. */
  dollar: '\uE005',
  /** Around words that may be missing in an answer: the cell of a span said again, the alt text of inlined data. */
  optionalOpen: '\uE006',
  optionalClose: '\uE007',
  /** In a sample, where an element begins or ends a line: whether an empty line shows there, browsers do not agree. */
  edge: '\uE009',
  /** Between the cells of a row. */
  cell: '\uE008',
};

export const optionalPart = new RegExp(`${mark.optionalOpen}[^${mark.optionalClose}]*${mark.optionalClose}`, 'gu');
export const formulaPart = new RegExp(`${mark.formulaOpen}[^${mark.formulaClose}]*${mark.formulaClose}`, 'gu');

/** A letter or digit of a script that separates words by blanks; of the others each is a word of its own. */
export const wordCharacter = '(?:(?![\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}])[\\p{L}\\p{N}\\p{M}])';

const opener = { '^': mark.superWritten, _: mark.subWritten };

/** Text with its scripts in TeX's notation → the same with marks. Whatever is no script stays as it is. */
export function withScripts(text) {
  if (!/[\^_]/.test(text)) return text;
  let out = '';
  for (let at = 0; at < text.length; ) {
    const formulaEnd = text[at] === mark.formulaOpen ? text.indexOf(mark.formulaClose, at) + 1 : 0;
    if (formulaEnd > 0) {
      out += text.slice(at, formulaEnd);
      at = formulaEnd;
      continue;
    }
    const open = opener[text[at]];
    const end = open === undefined ? -1 : scriptEnd(text, at + 1);
    if (end === -1) {
      out += text[at];
      at++;
      continue;
    }
    const isGroup = text[at + 1] === '{';
    const body = isGroup ? text.slice(at + 2, end - 1) : text.slice(at + 1, end);
    // TeX in a script is compared as TeX.
    const script = body.includes('\\') ? sameTex(body) : body;
    out += `${open}${withScripts(script).trim()}${mark.scriptClose}`;
    at = end;
  }
  return out;
}

/** In text, outside of formulas, 2^31 is read as one script: a run of letters and digits, or one other sign. */
const scriptRun = /^(?:[\p{L}\p{N}\p{M}]+|[^\s{}\\^_\uE000-\uE0FF])/u;

/** The index after the script that begins at `at`: a balanced group or a run. */
function scriptEnd(text, at) {
  if (at >= text.length) return -1;
  if (text[at] === '{') {
    let depth = 0;
    for (let index = at; index < text.length && text[index] !== '\n'; index++) {
      if (text[index] === '{') depth++;
      if (text[index] === '}' && --depth === 0) return index + 1;
    }
    return -1;
  }
  const [run] = scriptRun.exec(text.slice(at, at + 200)) ?? [''];
  return run === '' ? -1 : at + run.length;
}

/** The text that is compared: both kinds of script marks are one, and an escaped dollar (MathJax has it too) is a dollar. */
export function plain(text) {
  return text
    .replaceAll(mark.superWritten, mark.superOpen)
    .replaceAll(mark.subWritten, mark.subOpen)
    .replaceAll(mark.dollar, '$')
    .replaceAll('\\$', '$')
    .replaceAll(mark.codeEdge, '');
}

/** For people: marks as TeX and brackets. */
export function legible(text) {
  return plain(text)
    .replaceAll(mark.superOpen, '^{')
    .replaceAll(mark.subOpen, '_{')
    .replaceAll(mark.scriptClose, '}')
    .replaceAll(mark.formulaOpen, '⟦')
    .replaceAll(mark.formulaClose, '⟧')
    .replaceAll(mark.cell, ' | ')
    .replace(/[\uE000-\uE0FF]/g, '');
}
