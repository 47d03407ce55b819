// The text of a page as it grows: blanks collapse as HTML says, lines end where a browser ends them.
import { mark, plain, withScripts } from './marks.mjs';
import { sameTex } from './tex.mjs';

export class Flow {
  #parts = [];
  #codeEnd = -1;
  #wall = 0;

  get length() {
    return this.#parts.length;
  }

  /** Text whose runs of blanks are one; no-break spaces stay apart until the end. */
  add(text) {
    if (text !== '') this.#parts.push(text.replace(/[ \t\n\r\f]+/g, ' '));
  }

  /** Text as it is. */
  raw(text) {
    if (text !== '') this.#parts.push(text);
  }

  optional(text) {
    if (text !== '') this.#parts.push(`${mark.optionalOpen}${text}${mark.optionalClose}`);
  }

  /** A formula right behind another of the same element is joined to it. */
  formula(tex) {
    if (sameTex(tex) === '') return;
    const before = this.#parts.at(-1);
    const isJoined = this.#parts.length > this.#wall && before?.startsWith(mark.formulaOpen);
    if (isJoined) this.#parts[this.#parts.length - 1] = formulaPart(`${before.slice(1, -1)}${mark.join}${tex}`);
    else this.#parts.push(formulaPart(tex));
  }

  /** What comes now is joined to nothing before it. */
  wall() {
    this.#wall = this.#parts.length;
  }

  lineBreak() {
    this.#parts.push('\n');
  }

  /** The start or end of a block in a sample. */
  edge() {
    if (!/(?:^|\n)$/.test(this.#parts.at(-1) ?? '')) this.#parts.push('\n');
    this.#parts.push(mark.edge);
  }

  /** The start or end of a block: no second one in a row. */
  breakLine() {
    if (this.#parts.at(-1)?.endsWith('\n') === false) this.#parts.push('\n');
  }

  begin() {
    return this.#parts.length;
  }

  since(start) {
    return this.#parts.slice(start).join('');
  }

  sinceWithout(start, ranges) {
    let text = '';
    let at = start;
    for (const [from, to] of ranges) {
      // Ranges within one another are told by their start.
      if (from < at) continue;
      text += `${this.#parts.slice(at, from).join('')} `;
      at = to;
    }
    return text + this.since(at);
  }

  /** Turns the parts since `start` into a script on each line; its formulas become text, and a script of blanks is blanks. */
  script(start, open) {
    const lines = this.#parts.splice(start).join('').replace(formulaEdges, '').split('\n');
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.lineBreak();
      this.#scriptLine(line, open);
    }
  }

  #scriptLine(body, open) {
    const text = body.replace(unseen, '').trim();
    if (text === '') {
      this.add(body);
      return;
    }
    this.#parts.push(`${open}${withScripts(text)}${mark.scriptClose}`);
    if (/\s$/.test(body)) this.#parts.push(' ');
  }

  /** A table is one line, whose text is compared cell by cell. */
  joinLines(start) {
    for (let index = start; index < this.#parts.length; index++) {
      this.#parts[index] = this.#parts[index].replaceAll('\n', mark.cell);
    }
    this.#parts.push('\n');
  }

  /** Cells that make no table of Markdown: each is a line of its own. */
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

  /** The lines that are seen, without those that are empty. */
  lines() {
    return this.#parts.join('').split('\n').map(oneLine).filter(Boolean);
  }
}

const formulaEdges = new RegExp(`[${mark.formulaOpen}${mark.formulaClose}${mark.join}]`, 'g');

function formulaPart(tex) {
  return `${mark.formulaOpen}${tex.split(mark.join).map(sameTex).join(mark.join)}${mark.formulaClose}`;
}

/** Signs that nobody sees: controls, zero-width ones, marks of direction, variation selectors. */
const unseen = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Variation_Selector}]|\u034f/gu;

/** Text of one line, as it is compared. */
export function oneLine(text) {
  return withScripts(
    text
      .replace(unseen, '')
      .replaceAll(mark.edge, '')
      .replace(/[\s\u00a0]+/g, ' ')
      .trim(),
  );
}

/** A sample, byte for byte but for what nobody can type: unseen signs, no-break spaces, and the blanks at its very end. */
export function sampleText(text) {
  return plain(withScripts(text.replace(/\r\n?/g, '\n').replace(unseen, '').replaceAll('\u00a0', ' '))).trimEnd();
}

export function severalLines(text) {
  return text.split('\n').map(oneLine).filter(Boolean).join('\n');
}
