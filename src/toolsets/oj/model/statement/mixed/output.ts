/** The marks of lists and quotes that a line begins with. */
const CONTAINERS = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)|[ \t]*>)*[ \t]*/;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const MAX_TAIL = 200;

/** Markdown put together from what stays and what is converted; blocks are kept apart, in lists and quotes too. */
export class MixedOutput {
  readonly #parts: string[] = [];
  /** The last characters written. */
  #tail = '';
  #length = 0;
  /** What a further line of the same list item or quote begins with. */
  #indent = '';
  /** Whether there is more on the line than marks of lists and quotes. */
  #hasInk = false;
  /** Whether the line is a row of a table: a line break would end it. */
  #isRow = false;
  #owesParagraph = false;
  #isAfterItem = false;

  get length(): number {
    return this.#length;
  }

  text(): string {
    return this.#parts
      .join('')
      .replace(/^[\r\n]+/, '')
      .trimEnd();
  }

  /** Adds what stays as it is. */
  copy(piece: string): void {
    if (!this.#owesParagraph) {
      this.#write(piece);
      this.#readLine(piece);
      return;
    }
    const [breaks = ''] = /^(?:[ \t\r]*\n)*/.exec(piece) ?? [];
    const rest = piece.slice(breaks.length);
    if (rest.trim() === '') {
      if (breaks !== '') this.#readLine(piece);
      return;
    }
    this.#owesParagraph = false;
    const isNextItem = this.#isAfterItem && breaks.indexOf('\n') === breaks.length - 1 && LIST_ITEM.test(rest);
    if (breaks === '') this.#write(this.#paragraphBreak() + this.#indent + rest.trimStart());
    else this.#write((isNextItem ? '\n' : this.#paragraphBreak()) + rest);
    this.#readLine(breaks === '' ? rest : `\n${rest}`);
  }

  /** Adds what has been converted and belongs to a line. */
  add(piece: string): void {
    if (piece === '') return;
    if (this.#owesParagraph) this.#write(this.#paragraphBreak() + this.#indent);
    this.#owesParagraph = false;
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
    this.add(this.#indent === '' ? markdown : markdown.replace(/\n(?!\n|$)/g, `\n${this.#indent}`));
    this.endBlock();
  }

  /** A block begins or ends here. */
  endBlock(): void {
    if (this.#isRow) return;
    const isUnderText = this.#indent.trim() === '' && /[^\s][ \t]*\n[ \t]*$/.test(this.#tail);
    if (!this.#hasInk && !isUnderText) return;
    this.#owesParagraph = true;
    this.#isAfterItem = this.#hasInk && this.#indent !== '';
    this.#hasInk = false;
  }

  breakLine(isLineEnd: boolean): void {
    if (this.#isRow) this.add('<br>');
    else if (this.#hasInk) {
      const last = this.#parts.pop() ?? '';
      this.#parts.push(last.replace(/[ \t]+$/, ''));
      this.add(isLineEnd ? '  ' : `  \n${this.#indent}`);
      this.#hasInk = isLineEnd;
    } else this.#owesParagraph = true;
  }

  #write(piece: string): void {
    this.#parts.push(piece);
    this.#length += piece.length;
    this.#tail = (this.#tail + piece.slice(-MAX_TAIL)).slice(-MAX_TAIL);
  }

  #paragraphBreak(): string {
    if (this.#tail.trim() === '') return '';
    const line = `${this.#indent.trimEnd()}\n`;
    if (/\n[ \t]*\n[ \t]*$/.test(this.#tail)) return '';
    return /\n[ \t]*$/.test(this.#tail) ? line : `\n${line}`;
  }

  /** Follows what is written: where the line begins, and in what. */
  #readLine(piece: string): void {
    const start = piece.lastIndexOf('\n') + 1;
    if (start === 0 && this.#hasInk) return;
    const line = piece.slice(start);
    const [marks = ''] = CONTAINERS.exec(line.slice(0, 100)) ?? [];
    const indent = marks.replace(/[^>\s]/g, ' ');
    this.#indent = start === 0 ? this.#indent + indent : indent;
    this.#hasInk = line.length > marks.length;
    this.#isRow = line.startsWith('|', marks.length);
  }
}
