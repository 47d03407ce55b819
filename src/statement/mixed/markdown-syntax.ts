import { hasOffsetInRange } from '../offsets.ts';

/** Matches Markdown syntax. A single star counts as Markdown only outside of HTML blocks. */
const signs = /`|\*\*\S|\]\([^\s)]|\n[ \t]{0,3}(?:#{1,6}[ \t]+\S|~{3}|(?:[-*+]|\d{1,9}[.)])[ \t]+\S)/g;
const inlineSigns = /`|\*\*\S|\]\([^\s)]/g;
const emptyLines = /\n[ \t\r]*(?=\n)/g;
const star = /\*|(?<![\w})\]|])_(?=\S)/g;
/** Matches a code fence, or the delimiter row of a table. */
const fences = /\n[ \t]{0,3}(?:`{3}|~{3}|\|[ \t]*:?-{3})/g;
const nonBlank = /\S/g;

/** Finds Markdown syntax in ranges of a text. Each type of syntax is searched once, at the first request. */
export class MarkdownSyntaxFinder {
  readonly #text: string;
  #signs: readonly number[] | undefined;
  #inlineSigns: readonly number[] | undefined;
  #stars: readonly number[] | undefined;
  #emptyLines: readonly number[] | undefined;
  #fences: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns whether the range contains Markdown syntax, for a block or for inline content. */
  hasMarkdown(from: number, to: number, isBlock: boolean): boolean {
    this.#signs ??= this.#placesOf(signs);
    this.#stars ??= this.#placesOf(star);
    return (
      hasOffsetInRange(this.#signs, from, to) ||
      (!isBlock && hasOffsetInRange(this.#stars, from, to)) ||
      this.hasEmptyLine(from, to)
    );
  }

  /** Returns whether the range contains code, bold text or a link in Markdown. */
  hasInlineMarkdown(from: number, to: number): boolean {
    this.#inlineSigns ??= this.#placesOf(inlineSigns);
    return hasOffsetInRange(this.#inlineSigns, from, to);
  }

  /** Returns the next offset that is not white space. */
  nextTextFrom(at: number): number {
    nonBlank.lastIndex = at;
    return nonBlank.exec(this.#text)?.index ?? this.#text.length;
  }

  hasFence(from: number, to: number): boolean {
    this.#fences ??= this.#placesOf(fences);
    return hasOffsetInRange(this.#fences, from, to);
  }

  hasEmptyLine(from: number, to: number): boolean {
    this.#emptyLines ??= this.#placesOf(emptyLines);
    return hasOffsetInRange(this.#emptyLines, from, to);
  }

  #placesOf(pattern: RegExp): number[] {
    return Array.from(this.#text.matchAll(pattern), ({ index }) => index);
  }
}
