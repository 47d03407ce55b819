import type { LiteralTextKind } from '../elements.ts';

const singleToken = /^(?:[\p{L}\p{N}]+|[^\s{}])$/u;
const startsWord = /^[\p{L}\p{N}]/u;
const blanks = /[ \t\r\n\f]+/g;
const untidy = / {2}|[\t\r\n\f\u00a0]/;
const lineEnd = /\r\n?/g;
/**
 * Superscripts and subscripts are nested at most this deeply, because each line break closes them all and opens them
 * again.
 */
const maxNestedScripts = 8;
// A longer run of white space is shortened. No sample needs it, and it could push the rest of the statement out of the
// output.
const maxBlankRun = 1000;
// The lookbehind starts the search only at the first character of a run. Without it the search would be quadratic.
const longBlanks = /(?<![ \n\t])[ \n\t]{1001,}/g;
const lastBreaks = /(?<!\n)\n+$/;

export type SuperOrSubscriptMark = '^' | '_';

interface Script {
  readonly mark: SuperOrSubscriptMark;
  readonly index: string;
}

/**
 * Matches the dollars in `<sub>$i$</sub>`. The converter removes them, because a subscript inside a formula is TeX
 * already.
 */
const formulaMarks = /\$+([^$]+)\$+/g;

/** Returns a superscript or subscript as in TeX: `^5`, `_i`, and with braces for more than one token, `^{n-1}`. */
export function formatSuperOrSubscript(mark: SuperOrSubscriptMark, text: string, needsBraces: boolean): string {
  const index = (text.includes('$') ? text.replace(formulaMarks, '$1') : text).trim();
  if (index === '') return '';
  return needsBraces || !singleToken.test(index) ? `${mark}{${index}}` : mark + index;
}

/** Returns whether a superscript or subscript needs no braces and begins with a letter or digit. */
export function isScriptWithoutBraces(index: string): boolean {
  const bare = index.replace(formulaMarks, '$1').trim();
  return startsWord.test(bare) && singleToken.test(bare);
}

const linkAddress = /\]\([^()]{0,500}\)/g;
// The length of a word is limited, because a search at each letter of a long word would be quadratic.
const wordsOrComparison = /(?<!\p{L})\p{L}{2,30}[^\p{L}]{1,3}\p{L}{2}|[\p{L}\p{N}] ?[<>≤≥]=? ?[\p{L}\p{N}]/u;

/**
 * Returns whether a superscript or subscript at the start of a line is a sentence or a constraint in small letters, as
 * in `<sub>This problem is …</sub>`.
 */
export function isSentenceInSmallLetters(text: string): boolean {
  return !text.includes('$') && wordsOrComparison.test(text.replace(linkAddress, ''));
}

/**
 * Collects the text of an element that Markdown shows literally: a sample, code, a formula, a superscript or a
 * subscript.
 */
export class LiteralText {
  readonly kind: LiteralTextKind;
  /** Contains the open superscripts and subscripts, each with the parts of the text before it. */
  readonly #outer: { mark: SuperOrSubscriptMark; parts: string[]; previous: Script | undefined }[] = [];
  #parts: string[] = [];
  /**
   * The last part of the text if it is a superscript or subscript. Its braces are decided when the next text is known:
   * before the letter n, `a_i` becomes `a_{i}n`.
   */
  #lastScript: Script | undefined;
  /** The number of text pieces up to the end of the last element that `enclose` has processed. */
  #enclosedTo = -1;
  #needsLine = false;
  #isAtLineStart = true;
  #isAfterLine = false;
  /** True directly after the start tag, because HTML ignores one line break there. */
  #isFresh = true;

  constructor(kind: LiteralTextKind) {
    this.kind = kind;
  }

  /** Returns the number of pieces of text, without those in open superscripts and subscripts. */
  get size(): number {
    return this.#parts.length;
  }

  /** Records that a child element starts. */
  enter(): void {
    this.#isFresh = false;
  }

  append(text: string): void {
    const isAfterLine = this.#isAfterLine;
    this.#isAfterLine = false;
    if (text === '' || (isAfterLine && text.startsWith('\n') && text.trim() === '')) return;
    const plain = this.#plainText(text);
    this.#isFresh = false;
    if (this.#outer.length === 0 || !plain.includes('\n')) this.#append(plain);
    else this.#appendLines(plain.split('\n'));
  }

  /** Returns the collected text. Its white space is collapsed or preserved as in a browser. */
  #plainText(text: string): string {
    if (!untidy.test(text)) return text;
    const lines = this.#keepsLines ? withLineFeeds(text) : text.replace(blanks, ' ');
    const plain = this.#isFresh && lines.startsWith('\n') ? lines.slice(1) : lines;
    return plain.includes('\u00a0') ? plain.replaceAll('\u00a0', ' ') : plain;
  }

  /** Adds a line break. Open superscripts and subscripts end on this line and are opened again on the next one. */
  breakLine(): void {
    if (this.#outer.length > maxNestedScripts) return;
    const marks = this.#outer.map(({ mark }) => mark);
    for (const _ of marks) this.closeScript();
    this.#add('\n');
    for (const mark of marks) this.openScript(mark);
  }

  #append(text: string): void {
    if (text !== '') this.#add(text);
  }

  #appendLines(lines: readonly string[]): void {
    lines.forEach((line, index) => {
      if (index > 0) this.breakLine();
      this.#append(line);
    });
  }

  /** Records the start or end of a block, so that the next text begins a new line. */
  noteBlock(): void {
    this.#needsLine = true;
  }

  /**
   * Ends a line of a sample that is an element of its own, as `test-example-line` of Codeforces. The line may be empty.
   */
  endLine(): void {
    this.#startNeededLine('');
    this.#add('\n');
    this.#isAfterLine = true;
  }

  /**
   * Adds text before a child element, and the returned function adds text after it. A blank child gets neither.
   * Adjacent children with the same text share it: `~~ab~~` instead of `~~a~~~~b~~`.
   */
  enclose(before: string, after: string): () => void {
    const isContinued = this.#enclosedTo === this.#parts.length && this.#parts.at(-1) === before;
    if (isContinued) this.#parts.pop();
    else this.append(before);
    const parts = this.#parts;
    const { length } = parts;
    return () => {
      const isBlank = parts === this.#parts && parts.slice(length).join('').trim() === '';
      if (isBlank && isContinued) parts.splice(length, 0, after);
      else if (isBlank) parts.splice(length - 1, 1);
      else this.append(after);
      this.#enclosedTo = this.#parts.length;
    };
  }

  openScript(mark: SuperOrSubscriptMark): void {
    this.#startNeededLine('');
    this.#outer.push({ mark, parts: this.#parts, previous: this.#lastScript });
    this.#lastScript = undefined;
    this.#parts = [];
  }

  closeScript(): void {
    const outer = this.#outer.pop();
    if (outer === undefined) return;
    const text = this.#parts.join('');
    this.#parts = outer.parts;
    this.#lastScript = outer.previous;
    if (text.trim() !== '') this.#addScript(outer.mark, text);
    // White space at the end of a superscript or subscript separates two words on the page.
    if (/\s$/.test(text.slice(-1))) this.#add(' ');
  }

  /** Adds a superscript or subscript. It continues one that ends directly before: `10<sup>1</sup><sup>8</sup>`. */
  #addScript(mark: SuperOrSubscriptMark, text: string): void {
    const { mark: lastMark, index: before } = this.#lastScript ?? {};
    const isContinued = lastMark === mark;
    if (isContinued) this.#parts.pop();
    const index = ((isContinued ? (before ?? '') : '') + text).trim();
    this.#parts.push(formatSuperOrSubscript(mark, index, this.kind === 'tex' && index.length > 1));
    this.#lastScript = { mark, index };
    this.#isAtLineStart = false;
  }

  text(): string {
    while (this.#outer.length > 0) this.closeScript();
    const text = this.#parts.join('');
    const lines = this.#keepsLines && text.endsWith('\n') ? text.replace(lastBreaks, '') : text;
    return lines.length > maxBlankRun ? lines.replace(longBlanks, run => run.slice(0, maxBlankRun)) : lines;
  }

  get #keepsLines(): boolean {
    return this.kind === 'sample' || this.kind === 'lines';
  }

  #add(text: string): void {
    this.#startNeededLine(text);
    if (this.#lastScript !== undefined) {
      const { mark, index } = this.#lastScript;
      if (startsWord.test(text)) this.#parts[this.#parts.length - 1] = formatSuperOrSubscript(mark, index, true);
      this.#lastScript = undefined;
    }
    this.#parts.push(text);
    this.#isAtLineStart = text.endsWith('\n');
  }

  #startNeededLine(next: string): void {
    if (!this.#needsLine) return;
    this.#needsLine = false;
    if (this.#isAtLineStart || next.startsWith('\n')) return;
    this.#parts.push('\n');
    this.#lastScript = undefined;
    this.#isAtLineStart = true;
  }
}

function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(lineEnd, '\n') : text;
}
