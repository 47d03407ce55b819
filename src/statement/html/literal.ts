import type { LiteralKind } from '../elements.ts';

const singleToken = /^(?:[\p{L}\p{N}]+|[^\s{}])$/u;
const startsWord = /^[\p{L}\p{N}]/u;
const blanks = /[ \t\r\n\f]+/g;
// A sample never needs more; a page of blanks would push the rest of the statement out of the answer.
const maxBlankRun = 1000;
// What is looked for begins where nothing of its kind is before: else a search would begin in the middle, again and again.
const longBlanks = /(?<![ \n\t])[ \n\t]{1001,}/g;
const lastBreaks = /(?<!\n)\n+$/;

export type ScriptMark = '^' | '_';

/** `^5`, `_i`, and with braces around more than one token: `^{n-1}`, as in the TeX of the other judges. */
export function scriptMarkdown(mark: ScriptMark, text: string, needsBraces: boolean): string {
  const index = text.trim();
  if (index === '') return '';
  return needsBraces || !singleToken.test(index) ? `${mark}{${index}}` : mark + index;
}

/** Collects the text of an element that Markdown shows as it is: a sample, code, a formula, an index. */
export class LiteralText {
  readonly kind: LiteralKind;
  /** The powers and indices that are open, each with the parts of the text before it. */
  readonly #outer: { mark: ScriptMark; parts: string[] }[] = [];
  #parts: string[] = [];
  /** The last part, when it is an index without braces: `a_i` followed by a letter must become `a_{i}n`. */
  #bareIndex: { mark: ScriptMark; index: string } | undefined;
  #owesLine = false;
  #isAtLineStart = true;
  #isAfterLine = false;
  /** Right behind the tag that began it, where the page does not show a line break. */
  #isFresh = true;

  constructor(kind: LiteralKind) {
    this.kind = kind;
  }

  /** An element begins in it. */
  enter(): void {
    this.#isFresh = false;
  }

  append(text: string): void {
    const isAfterLine = this.#isAfterLine;
    this.#isAfterLine = false;
    if (text === '' || (isAfterLine && text.startsWith('\n') && text.trim() === '')) return;
    const lines = this.#keepsLines ? text.replaceAll('\r\n', '\n') : text.replace(blanks, ' ');
    const plain = this.#isFresh && lines.startsWith('\n') ? lines.slice(1) : lines;
    this.#isFresh = false;
    if (plain !== '') this.#add(plain.replaceAll('\u00a0', ' '));
  }

  breakLine(): void {
    this.#add('\n');
  }

  /** A block begins or ends: what follows stands on a line of its own. */
  edge(): void {
    this.#owesLine = true;
  }

  /** Ends a line that is an element of its own, even an empty one (Codeforces `test-example-line`). */
  endLine(): void {
    this.#startOwedLine('');
    this.#add('\n');
    this.#isAfterLine = true;
  }

  openScript(mark: ScriptMark): void {
    this.#startOwedLine('');
    this.#bareIndex = undefined;
    this.#outer.push({ mark, parts: this.#parts });
    this.#parts = [];
  }

  closeScript(): void {
    const outer = this.#outer.pop();
    if (outer === undefined) return;
    const text = this.#parts.join('');
    const index = text.trim();
    this.#parts = outer.parts;
    this.#bareIndex = undefined;
    if (index !== '') {
      const script = scriptMarkdown(outer.mark, index, this.kind === 'tex' && index.length > 1);
      if (!script.endsWith('}')) this.#bareIndex = { mark: outer.mark, index };
      this.#parts.push(script);
      this.#isAtLineStart = false;
    }
    // A blank at its end parts words, as it does on the page.
    if (/\s$/.test(text.slice(-1))) this.#add(' ');
  }

  text(): string {
    while (this.#outer.length > 0) this.closeScript();
    const text = this.#parts.join('');
    const lines = this.#keepsLines ? text.replace(lastBreaks, '') : text;
    return lines.replace(longBlanks, run => run.slice(0, maxBlankRun));
  }

  get #keepsLines(): boolean {
    return this.kind === 'sample' || this.kind === 'lines';
  }

  #add(text: string): void {
    this.#startOwedLine(text);
    if (this.#bareIndex !== undefined) {
      const { mark, index } = this.#bareIndex;
      if (startsWord.test(text)) this.#parts[this.#parts.length - 1] = scriptMarkdown(mark, index, true);
      this.#bareIndex = undefined;
    }
    this.#parts.push(text);
    this.#isAtLineStart = text.endsWith('\n');
  }

  #startOwedLine(next: string): void {
    if (!this.#owesLine) return;
    this.#owesLine = false;
    if (this.#isAtLineStart || next.startsWith('\n')) return;
    this.#parts.push('\n');
    this.#bareIndex = undefined;
    this.#isAtLineStart = true;
  }
}
