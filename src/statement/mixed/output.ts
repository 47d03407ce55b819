/** The marks of lists and quotes that a line begins with. */
const containers = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)|[ \t]*>)*[ \t]*/;
const listItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const maxTail = 200;

/** Markdown put together from what stays and what is converted; blocks are kept apart, in lists and quotes too. */
export class MixedOutput {
  readonly #parts: string[] = [];
  /** The last characters written. */
  #tail = '';
  #length = 0;
  /** Up to the last ink: blanks may still go. */
  inkLength = 0;
  /** What a further line of the same list item or quote begins with. */
  #indent = '';
  /** How far the lines of the last list item are indented. */
  #itemWidth = 0;
  /** Blanks that a line begins with, kept back until it is known what follows: a block has its own place. */
  #blanks = '';
  /** Whether there is more on the line than marks of lists and quotes. */
  #hasInk = false;
  /** Whether the line is a row of a table: a line break would end it. */
  #isRow = false;
  #owesParagraph = false;
  #isAfterItem = false;

  /** Whether there is text before on the line. */
  get hasInk(): boolean {
    return this.#hasInk && !this.#owesParagraph;
  }

  /** The last character written. */
  get last(): string {
    return this.#tail.slice(-1);
  }

  /** Whether it stands in no list item, quote or row. */
  get isAtTop(): boolean {
    return this.#indent.trim() === '' && this.#itemWidth === 0 && !this.#isRow;
  }

  text(): string {
    return this.#parts.join('');
  }

  /** Adds what stays as it is. */
  copy(piece: string): void {
    if (!this.#owesParagraph) {
      this.#write(this.#blanks);
      this.#readLine(piece);
      this.#write(this.#blanks === '' ? piece : piece.slice(0, piece.length - this.#blanks.length));
      return;
    }
    const [breaks = ''] = /^(?:[ \t\r]*\n)*/.exec(piece) ?? [];
    const rest = piece.slice(breaks.length);
    if (rest.trim() === '') {
      if (breaks !== '') this.#readLine(piece);
      return;
    }
    this.#owesParagraph = false;
    const isNextItem = this.#isAfterItem && breaks.indexOf('\n') === breaks.length - 1 && listItem.test(rest);
    const separation = isNextItem ? '\n' : this.#paragraphBreak();
    const inked = breaks === '' ? this.#indent + rest.trimStart() : rest;
    this.#readLine(breaks === '' ? rest : `\n${rest}`);
    this.#write(separation + inked.slice(0, inked.length - this.#blanks.length));
  }

  /** Adds what has been converted and belongs to a line. */
  add(piece: string): void {
    if (piece === '') return;
    this.#write(this.#blanks);
    this.#blanks = '';
    if (this.#owesParagraph) this.#write(this.#paragraphBreak() + this.#indent);
    this.#owesParagraph = false;
    if (piece.startsWith('[')) this.#escapeExclamation();
    this.#write(piece);
    this.#hasInk = true;
  }

  /** Adds what stands by itself. */
  addBlock(markdown: string): void {
    if (this.#isRow) {
      this.add(markdown.replace(/\s*\n\s*/g, '<br>'));
      return;
    }
    this.endBlock();
    if (this.#indent === '') this.add(markdown);
    // Behind the mark of an item three dashes would be a rule instead of it.
    else this.add(markdown.replace(/^---/, '***').replace(/\n(?!\n|$)/g, `\n${this.#indent}`));
    this.endBlock();
  }

  /** A block begins or ends here. */
  endBlock(): void {
    if (this.#isRow) return;
    if (this.#blanks !== '') {
      this.#indent = ' '.repeat(this.#blanks.length < this.#itemWidth ? 0 : this.#itemWidth);
      this.#blanks = this.#indent;
    }
    const isUnderText = this.#indent.trim() === '' && /\S[ \t]*\n$/.test(this.#tail);
    if (isUnderText) this.#blanks = '';
    if (!this.#hasInk && !isUnderText) return;
    this.#owesParagraph = true;
    this.#isAfterItem = this.#hasInk && this.#indent !== '';
    this.#hasInk = false;
  }

  breakLine(isLineEnd: boolean): void {
    if (this.#isRow) this.add('<br>');
    else if (this.#hasInk) {
      this.#trimEnd();
      this.add(isLineEnd ? '  ' : `  \n${this.#indent}`);
      this.#hasInk = isLineEnd;
    } else this.#owesParagraph = true;
  }

  #write(text: string): void {
    if (text === '') return;
    const piece = this.#length === 0 ? text.replace(/^[\r\n]+/, '') : this.#isJoining(text) ? ` ${text}` : text;
    if (piece === '') return;
    this.#parts.push(piece);
    const ink = piece.trimEnd().length;
    if (ink > 0) this.inkLength = this.#length + ink;
    this.#length += piece.length;
    this.#tail = (this.#tail + piece.slice(-maxTail)).slice(-maxTail);
  }

  /** Two formulas, or codes, with only a tag between them would be read as one. */
  #isJoining(text: string): boolean {
    const mark = text.charAt(0);
    return (mark === '$' || mark === '`') && this.#tail.endsWith(mark) && !this.#tail.endsWith(`\\${mark}`);
  }

  /** Takes off the blanks before a line break. */
  #trimEnd(): void {
    const last = this.#parts.pop() ?? '';
    const trimmed = last.trimEnd();
    this.#parts.push(trimmed);
    this.#length -= last.length - trimmed.length;
    this.#tail = this.#tail.trimEnd();
  }

  /** Before a link it would make a picture of it. */
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

  /** Follows what is written: where the line begins, and in what. */
  #readLine(piece: string): void {
    const start = piece.lastIndexOf('\n') + 1;
    if (start === 0 && this.#hasInk) return;
    const line = piece.slice(start);
    const [marks = ''] = containers.exec(line.slice(0, 100)) ?? [];
    const indent = marks.replace(/[^>\s]/g, ' ');
    this.#indent = start === 0 ? this.#indent + indent : indent;
    this.#hasInk = line.length > marks.length;
    this.#isRow = line.startsWith('|', marks.length);
    this.#blanks = start > 0 && marks.trim() === '' && !this.#hasInk ? marks : '';
    this.#followItems(piece);
  }

  /** An item ends where, behind an empty line, one begins further left. */
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
