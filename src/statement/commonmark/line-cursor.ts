/** A position in a line of Markdown. CommonMark measures indentation in columns, and a tab spans up to four. */
export class LineCursor {
  readonly #text: string;
  /** The offset in the text. */
  at = 0;
  /** The offset of the end of the line. */
  end = 0;
  #column = 0;
  /**
   * A tab after a list marker spans several columns: the marker uses some, and the content begins with this number of
   * columns.
   */
  #spare = 0;
  /** The width of the white space in columns, as the last call of `lookAhead` measured it. */
  #aheadColumns = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Moves to the start of another line. */
  moveTo(start: number, end: number): void {
    this.at = start;
    this.end = end;
    this.#column = 0;
    this.#spare = 0;
  }

  /** Returns the width of the white space before the next character of the line, in columns. */
  lookAhead(): { indent: number; isBlank: boolean; at: number } {
    let at = this.at;
    let indent = this.#spare;
    for (; at < this.end; at++) {
      const character = this.#text[at];
      if (character === ' ') indent++;
      else if (character === '\t') indent += 4 - ((this.#column + indent) % 4);
      else break;
    }
    this.#aheadColumns = indent;
    return { indent, isBlank: at === this.end, at };
  }

  /** Skips white space, or the marker of a list or quote, up to this width in columns. */
  skip(columns: number): void {
    let left = columns;
    const spent = Math.min(left, this.#spare);
    this.#spare -= spent;
    this.#column += spent;
    left -= spent;
    while (left > 0 && this.at < this.end) {
      const width = this.#text[this.at] === '\t' ? 4 - (this.#column % 4) : 1;
      this.at++;
      this.#column += Math.min(width, left);
      if (width > left) this.#spare = width - left;
      left -= width;
    }
  }

  /** Skips the marker of a quote at an offset, which `lookAhead` has returned, and the space after it. */
  enterQuote(at: number): void {
    this.at = at + 1;
    this.#column += this.#aheadColumns;
    this.#column++;
    this.#spare = 0;
    const next = this.#text[this.at];
    if (this.at < this.end && (next === ' ' || next === '\t')) this.skip(1);
  }
}
