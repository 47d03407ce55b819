import { splitNonBlankLines } from '../markdown/table.ts';

/** Matches the markers of lists and quotes at the start of a line. */
const containers = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)|[ \t]*>)*[ \t]*/;
const listItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
/** Matches the delimiter row below the column titles of a table, if the rows do not begin with `|`. */
const tableHead = /\n[ \t]{0,3}:?-+:?[ \t]*\|[-:| \t]*\n/g;
/** Matches the start of a line, including the opening mark of a heading or of bold text. */
const lineStart = /(?:^|\n)[ \t]*(?:#{1,6}[ \t]*)?(?:__|\*\*)?$/;
const maxTail = 200;
/** Matches a line of ordinary text and the start of the next line. The text does not end with a hard line break. */
const lineOfText = /(?:^|\n)(?![ \t]*(?:\||`{3}|~{3}|#{1,6} ))[^\n]*\S\n[ \t]*$/;

/** Joins copied and converted pieces of Markdown. It separates blocks by empty lines, also in lists and quotes. */
export class MixedMarkdownOutput {
  readonly #parts: string[] = [];
  /** Contains the last characters of the output. */
  #tail = '';
  #length = 0;
  /** The length of the output without the white space at its end, which may still be removed. */
  textLength = 0;
  /** The prefix of the following lines in the current list item or quote. */
  #indent = '';
  /** The number of columns by which the content of the last list item is indented. */
  #itemWidth = 0;
  /** White space at the start of a line. The next piece of text decides whether it is written. */
  #blanks = '';
  /** True if the line has content after its list and quote markers. */
  #hasText = false;
  /** True if the line is a row of a table, because a row must not contain a line break. */
  #isRow = false;
  /** True between the column titles of a table and the next empty line. */
  #isInTable = false;
  #needsParagraph = false;
  #isAfterItem = false;

  /** Returns whether the current line has content. */
  get hasText(): boolean {
    return this.#hasText && !this.#needsParagraph;
  }

  /**
   * Returns whether the current line contains at most list markers and the opening mark of a heading or of bold text.
   */
  get isAtLineStart(): boolean {
    return !this.hasText || lineStart.test(this.#tail);
  }

  /** Returns the last characters of the output. */
  get tail(): string {
    return this.#tail;
  }

  /** Returns the last character of the output. */
  get last(): string {
    return this.#tail.slice(-1);
  }

  /** Returns whether the position is outside of list items, quotes and table rows. */
  get isAtTop(): boolean {
    return this.#indent.trim() === '' && this.#itemWidth === 0 && !this.#isRow;
  }

  text(): string {
    return this.#parts.join('');
  }

  /** Appends a piece of the source text and does not change it. */
  copy(piece: string): void {
    if (!this.#needsParagraph) {
      this.#write(this.#blanks);
      this.#readLine(piece);
      this.#write(piece.slice(0, piece.length - this.#blanks.length));
      return;
    }
    const [breaks = ''] = /^(?:[ \t\r]*\n)*/.exec(piece) ?? [];
    const rest = piece.slice(breaks.length);
    if (rest.trim() === '') {
      if (breaks !== '') this.#readLine(piece);
      return;
    }
    this.#needsParagraph = false;
    const isNextItem = this.#isAfterItem && breaks.indexOf('\n') === breaks.length - 1 && listItem.test(rest);
    const separation = isNextItem ? '\n' : this.#paragraphBreak();
    const nonBlank = breaks === '' ? this.#indent + rest.trimStart() : rest;
    this.#readLine(breaks === '' ? rest : `\n${rest}`);
    this.#write(separation + nonBlank.slice(0, nonBlank.length - this.#blanks.length));
  }

  /** Appends inline content that was converted. */
  add(piece: string): void {
    if (piece === '') return;
    this.#write(this.#blanks);
    this.#blanks = '';
    if (this.#needsParagraph) this.#write(this.#paragraphBreak() + this.#indent);
    this.#needsParagraph = false;
    if (piece.startsWith('[')) this.#escapeExclamation();
    this.#write(this.#isRow && piece.includes('\n') ? inRow(piece) : piece);
    this.#hasText = true;
  }

  /** Appends a block that was converted. */
  addBlock(markdown: string): void {
    if (this.#isRow) {
      this.add(splitNonBlankLines(markdown).join('\n'));
      return;
    }
    this.endBlock();
    if (this.#indent === '') this.add(markdown);
    // After a list marker, three hyphens would be a rule instead of an item.
    else this.add(markdown.replace(/^---/, '***').replace(/\n(?!\n|$)/g, `\n${this.#indent}`));
    this.endBlock();
  }

  /** Records the start or end of a block. */
  endBlock(): void {
    if (this.#isRow) return;
    if (this.#blanks !== '') {
      this.#indent = ' '.repeat(columnsOf(this.#blanks) < this.#itemWidth ? 0 : this.#itemWidth);
      this.#blanks = this.#indent;
    }
    const isUnderText = this.#indent.trim() === '' && /\S[ \t]*\n$/.test(this.#tail);
    if (isUnderText) this.#blanks = '';
    if (!this.#hasText && !isUnderText) return;
    this.#needsParagraph = true;
    this.#isAfterItem = this.#hasText && this.#indent !== '';
    this.#hasText = false;
  }

  breakLine(isLineEnd: boolean): void {
    if (this.#isRow) this.add('<br>');
    else if (this.#hasText) {
      this.#trimEnd();
      this.add(isLineEnd ? '  ' : `  \n${this.#indent}`);
      this.#hasText = isLineEnd;
    } else if (this.#itemWidth > 0 && lineOfText.test(this.#tail)) {
      // A line that is not indented continues the text of a list item. A line break at its start is therefore written
      // at the end of the previous line.
      this.#trimEnd();
      this.add(isLineEnd ? '  ' : `  \n${' '.repeat(this.#itemWidth)}`);
      this.#hasText = isLineEnd;
    } else this.#needsParagraph = true;
  }

  #write(text: string): void {
    const piece = this.#length === 0 ? text.replace(/^[\r\n]+/, '') : this.#isJoining(text) ? ` ${text}` : text;
    if (piece === '') return;
    this.#parts.push(piece);
    const trimmedLength = piece.trimEnd().length;
    if (trimmedLength > 0) this.textLength = this.#length + trimmedLength;
    this.#length += piece.length;
    this.#tail = (this.#tail + piece.slice(-maxTail)).slice(-maxTail);
  }

  /** Returns whether two formulas or code spans would be parsed as one after the tag between them is removed. */
  #isJoining(text: string): boolean {
    const mark = text.charAt(0);
    return (mark === '$' || mark === '`') && this.#tail.endsWith(mark) && !this.#tail.endsWith(`\\${mark}`);
  }

  /** Removes the white space before a line break. */
  #trimEnd(): void {
    const last = this.#parts.pop() ?? '';
    const trimmed = last.trimEnd();
    this.#parts.push(trimmed);
    this.#length -= last.length - trimmed.length;
    this.#tail = this.#tail.trimEnd();
  }

  /** Escapes an exclamation mark, which would turn the following link into an image. */
  #escapeExclamation(): void {
    const last = this.#parts.at(-1);
    if (last?.endsWith('!') !== true || last.endsWith('\\!')) return;
    this.#parts[this.#parts.length - 1] = `${last.slice(0, -1)}\\!`;
    this.#length++;
  }

  #paragraphBreak(): string {
    if (this.#tail.trim() === '') return '';
    const line = `${this.#indent.trimEnd()}\n`;
    if (/\S[ \t]+$/.test(this.#tail)) this.#trimEnd();
    if (/\n[ \t]*\n[ \t]*$/.test(this.#tail)) return '';
    return /\n[ \t]*$/.test(this.#tail) ? line : `\n${line}`;
  }

  /** Updates the state of the current line after a piece was written. */
  #readLine(piece: string): void {
    const start = piece.lastIndexOf('\n') + 1;
    if (start === 0 && this.#hasText) return;
    const line = piece.slice(start);
    const [marks = ''] = containers.exec(line.slice(0, 100)) ?? [];
    const indent = marks.replace(/[^>\s]/g, ' ');
    this.#indent = start === 0 ? this.#indent + indent : indent;
    this.#hasText = line.length > marks.length;
    this.#followTable(piece);
    this.#isRow = line.startsWith('|', marks.length) || (this.#isInTable && line.includes('|'));
    this.#blanks = start > 0 && marks.trim() === '' && !this.#hasText ? marks : '';
    this.#followItems(piece);
  }

  #followTable(piece: string): void {
    const head = [...piece.matchAll(tableHead)].at(-1);
    const rows = head === undefined ? piece : piece.slice(head.index + head[0].length);
    this.#isInTable = (this.#isInTable || head !== undefined) && !/\n[ \t\r]*\n/.test(rows);
  }

  /** Ends a list item if a line with less indentation follows an empty line. */
  #followItems(piece: string): void {
    if (this.#itemWidth === 0 && !/\d|[-*+]/.test(piece)) return;
    let isAfterGap = false;
    for (const line of piece.split('\n')) {
      const [marks = ''] = containers.exec(line.slice(0, 100)) ?? [];
      if (listItem.test(line)) this.#itemWidth = marks.length;
      else if (isAfterGap && line.length > marks.length && marks.length < this.#itemWidth) this.#itemWidth = 0;
      isAfterGap = line.trim() === '';
    }
  }
}

/** Returns the width of white space. A tab extends to the next multiple of four columns. */
function columnsOf(blanks: string): number {
  return Array.from(blanks).reduce((width, blank) => (blank === '\t' ? width + 4 - (width % 4) : width + 1), 0);
}

/** Returns a piece on one line, because a row of a table cannot contain a line break. */
function inRow(piece: string): string {
  return piece
    .split('\n')
    .map((line, index) => (index === 0 ? line.trimEnd() : line.trim()))
    .join('<br>');
}
