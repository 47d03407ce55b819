import { sameTex } from './tex.mjs';

// The marks are private-use characters, which statements do not contain. They enclose superscripts, subscripts and
// formulas in the text. TeX in text (`10^5`, `a_{i,j}`) gets the same marks.

export const mark = {
  superOpen: '\uE000',
  subOpen: '\uE001',
  scriptClose: '\uE002',
  /** Marks for superscripts and subscripts that the text contains as TeX, such as 10^5. */
  superWritten: '\uE00A',
  subWritten: '\uE00B',
  formulaOpen: '\uE003',
  formulaClose: '\uE004',
  /**
   * This mark separates adjacent formulas, which a browser shows as one. The output can join them or separate them by a
   * space.
   */
  join: '\uE00C',
  /** This mark is at the start and end of code. A superscript or subscript never extends across it. */
  codeEdge: '\uE00E',
  /** This mark is a line break inside a text in which formulas are searched. */
  lineBreak: '\uE00D',
  /** This mark is an escaped dollar sign, which does not delimit a formula. */
  dollar: '\uE005',
  /**
   * These marks enclose words that the output may omit: a repeated cell of a span, or the alternative text of inline
   * image data.
   */
  optionalOpen: '\uE006',
  optionalClose: '\uE007',
  /**
   * This mark is in a sample at the start or end of a line that is an element. Browsers differ in whether they show an
   * empty line there.
   */
  edge: '\uE009',
  /** This mark is at the start and end of a box inside a sample. */
  frame: '\uE00F',
  /** This mark separates the cells of a row. */
  cell: '\uE008',
};

export const optionalPart = new RegExp(`${mark.optionalOpen}[^${mark.optionalClose}]*${mark.optionalClose}`, 'gu');
export const formulaPart = new RegExp(`${mark.formulaOpen}[^${mark.formulaClose}]*${mark.formulaClose}`, 'gu');

/**
 * Matches a letter or digit of a writing system with blanks between words. In other systems each character is a word.
 */
export const wordCharacter = '(?:(?![\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}])[\\p{L}\\p{N}\\p{M}])';

const opener = { '^': mark.superWritten, _: mark.subWritten };

/** Replaces scripts in TeX notation by marks and leaves all other text unchanged. */
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
    // TeX inside a superscript or subscript is compared as TeX.
    const script = body.includes('\\') ? sameTex(body) : body;
    out += `${open}${withScripts(script).trim()}${mark.scriptClose}`;
    at = end;
  }
  return out;
}

/**
 * Outside of formulas, a superscript without braces is a run of letters and digits, or one other character: 2^31. The
 * same applies to a subscript.
 */
const scriptRun = /^(?:[\p{L}\p{N}\p{M}]+|[^\s{}\\^_\uE000-\uE0FF])/u;

/**
 * Returns the index after the superscript or subscript that begins at `at`. It is a balanced group or a run of
 * characters.
 */
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

/**
 * Returns the text for the comparison: the two kinds of marks for superscripts become equal, and an escaped dollar sign
 * becomes a dollar sign.
 */
export function plain(text) {
  return text
    .replaceAll(mark.superWritten, mark.superOpen)
    .replaceAll(mark.subWritten, mark.subOpen)
    .replaceAll(mark.dollar, '$')
    .replaceAll('\\$', '$')
    .replaceAll(mark.codeEdge, '');
}

/** Joins two superscripts or subscripts side by side, because a page shows them as one. */
export function joinScripts(line) {
  if (!line.includes(mark.scriptClose)) return line;
  const open = [];
  let joined = '';
  for (let at = 0; at < line.length; at++) {
    const sign = line[at];
    if (sign === mark.superOpen || sign === mark.subOpen) open.push(sign);
    else if (sign === mark.scriptClose && open.length > 0) {
      if (line[at + 1] === open.at(-1)) {
        at++;
        continue;
      }
      open.pop();
    }
    joined += sign;
  }
  return joined;
}

/** Returns the text for reports, with readable marks. */
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
