// This module builds the visible text of a page: blanks collapse as in HTML, and lines end as in a browser.
import { joinScripts, mark, plain, withScripts } from './marks.mjs';
import { sameTex } from './tex.mjs';

export class Flow {
  #parts = [];
  #codeEnd = -1;
  #wall = 0;

  get length() {
    return this.#parts.length;
  }

  /** Adds text and collapses its white space. No-break spaces are kept until the end. */
  add(text) {
    if (text !== '') this.#parts.push(text.replace(/[ \t\n\r\f]+/g, ' '));
  }

  /** Adds text unchanged. */
  raw(text) {
    if (text !== '') this.#parts.push(text);
  }

  optional(text) {
    if (text !== '') this.#parts.push(`${mark.optionalOpen}${text}${mark.optionalClose}`);
  }

  /** Adds a formula. It is joined to a formula directly before it in the same element. */
  formula(tex) {
    if (sameTex(tex) === '') return;
    const before = this.#parts.at(-1);
    const isJoined = this.#parts.length > this.#wall && before?.startsWith(mark.formulaOpen);
    if (isJoined) this.#parts[this.#parts.length - 1] = formulaPart(`${before.slice(1, -1)}${mark.join}${tex}`);
    else this.#parts.push(formulaPart(tex));
  }

  /** Calls `read`, and puts the text that it adds between two marks for struck text. */
  strike(read) {
    if (this.#parts.at(-1) === strikeMark) this.#parts.pop();
    else this.raw(strikeMark);
    read();
    this.raw(strikeMark);
  }

  /** Prevents that the next formula is joined to a previous one. */
  wall() {
    this.#wall = this.#parts.length;
  }

  lineBreak() {
    this.#parts.push('\n');
  }

  /** Marks the start or end of a block in a sample. */
  edge() {
    if (!/(?:^|\n)$/.test(this.#parts.at(-1) ?? '')) this.#parts.push('\n');
    this.#parts.push(mark.edge);
  }

  /** Ends the line at the start or end of a block, but adds no empty line. */
  breakLine() {
    if (this.#parts.at(-1)?.endsWith('\n') === false) this.#parts.push('\n');
  }

  /**
   * Returns whether the position is at the start of a line. The literal marks of a heading or of bold text, which a
   * page shows if its author forgot a space, are ignored.
   */
  isAtLineStart() {
    return /(?:^|\n)\s*(?:#{1,6}\s*)?(?:__|\*\*)?$/.test(this.#parts.slice(-20).join(''));
  }

  begin() {
    return this.#parts.length;
  }

  since(start) {
    return joinScripts(this.#parts.slice(start).join(''));
  }

  sinceWithout(start, ranges) {
    let text = '';
    let at = start;
    for (const [from, to] of ranges) {
      // A nested range starts before the outer range ends.
      if (from < at) continue;
      text += `${this.#parts.slice(at, from).join('')} `;
      at = to;
    }
    return text + this.since(at);
  }

  /**
   * Converts the parts since `start` to one superscript or subscript per line. Formulas inside it become text, and
   * white space stays white space.
   */
  script(start, open) {
    const text = this.#parts.splice(start).join('');
    const holdsFormula = text.includes(mark.formulaOpen);
    const lines = text.replace(formulaEdges, '').split('\n');
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.lineBreak();
      this.#scriptLine(line, open, holdsFormula);
    }
  }

  #scriptLine(body, open, holdsFormula) {
    const text = body.replace(unseen, '').trim();
    // A sentence or constraint at the start of a line is small print, not a superscript or subscript.
    if (
      text === '' ||
      (!holdsFormula &&
        this.isAtLineStart() &&
        /\p{L}{2,30}[^\p{L}\uE000-\uE00F]{1,3}\p{L}{2}|[\p{L}\p{N}] ?[<>≤≥]=? ?[\p{L}\p{N}]/u.test(text))
    ) {
      this.add(body);
      return;
    }
    this.#parts.push(`${open}${withScripts(text)}${mark.scriptClose}`);
    // A thin space is ignored, because it only affects the layout.
    if (/[^\S\u2009]$/.test(body)) this.#parts.push(' ');
  }

  /** Joins the lines of a table row, whose text is compared cell by cell. */
  joinLines(start) {
    for (let index = start; index < this.#parts.length; index++) {
      this.#parts[index] = this.#parts[index].replaceAll('\n', mark.cell);
    }
    this.#parts.push('\n');
  }

  /** Puts each cell on a line of its own if Markdown cannot represent the table. */
  breakCells(start) {
    for (let index = start; index < this.#parts.length; index++) {
      this.#parts[index] = this.#parts[index].replaceAll(mark.cell, '\n');
    }
  }

  isAfterCode(start) {
    return this.#codeEnd === start;
  }

  endCode() {
    this.#codeEnd = this.#parts.length;
  }

  /** Returns the visible lines that are not empty. */
  lines() {
    return this.#parts.join('').split('\n').map(oneLine).filter(Boolean);
  }
}

const strikeMark = '~~';

const formulaEdges = new RegExp(`[${mark.formulaOpen}${mark.formulaClose}${mark.join}]`, 'g');

function formulaPart(tex) {
  return `${mark.formulaOpen}${tex.split(mark.join).map(sameTex).join(mark.join)}${mark.formulaClose}`;
}

/** Matches invisible characters: controls, zero-width characters, direction marks, variation selectors. */
const unseen = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Variation_Selector}]|\u034f/gu;

/** Normalises the text of one line for the comparison. */
export function oneLine(text) {
  return withScripts(
    text
      .replace(unseen, '')
      .replaceAll(mark.edge, '')
      .replaceAll(mark.frame, '')
      .replace(/[\s\u00a0]+/g, ' ')
      .trim(),
  );
}

/** Normalises a sample only in invisible characters, no-break spaces and trailing blanks. */
export function sampleText(text) {
  return plain(withScripts(text.replace(/\r\n?/g, '\n').replace(unseen, '').replaceAll('\u00a0', ' '))).trimEnd();
}

export function severalLines(text) {
  return text.split('\n').map(oneLine).filter(Boolean).join('\n');
}
