import { rubyTagNames, unknownTagName } from './tag-names.ts';

const newline = 0x0a;
const blank = 0x20;

/**
 * Collects the extracted text of a page. The text is never longer than the source, so that one buffer of that size is
 * sufficient.
 */
export class HtmlTextOutput {
  readonly #bytes: Buffer;
  #length = 0;
  /**
   * Buffers the ruby readings of the current line. Inside the line they would split words, so that they are written in
   * a separate line below it.
   */
  #readings: Buffer | undefined;
  #readingsLength = 0;
  /** The name of the open ruby tag, such as <rt>. */
  #rubyTag = unknownTagName;
  #rubyStart = 0;

  constructor(maxBytes: number) {
    this.#bytes = Buffer.allocUnsafe(maxBytes);
  }

  get length(): number {
    return this.#length;
  }

  put(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }

  copy(source: Buffer, start: number, end: number): void {
    this.#length += source.copy(this.#bytes, this.#length, start, end);
  }

  write(text: string): void {
    this.#length += this.#bytes.write(text, this.#length);
  }

  truncate(length: number): void {
    this.#length = length;
  }

  endLine(): void {
    this.#flushReadings();
    this.put(newline);
  }

  readRubyTag(name: number, isEnd: boolean): void {
    this.#endRubyText();
    if (!isEnd) [this.#rubyTag, this.#rubyStart] = [name, this.#length];
    else if (name === rubyTagNames.all && this.#readings !== undefined) this.#readings[this.#readingsLength++] = blank;
  }

  end(): Buffer {
    this.#flushReadings();
    return this.#bytes.subarray(0, this.#length);
  }

  #endRubyText(): void {
    if (this.#rubyTag === rubyTagNames.text) {
      this.#readings ??= Buffer.allocUnsafe(this.#bytes.length);
      this.#readingsLength += this.#bytes.copy(this.#readings, this.#readingsLength, this.#rubyStart, this.#length);
    }
    if (this.#rubyTag === rubyTagNames.text || this.#rubyTag === rubyTagNames.bracket) this.#length = this.#rubyStart;
    this.#rubyTag = unknownTagName;
  }

  #flushReadings(): void {
    this.#endRubyText();
    if (this.#readings === undefined || this.#readingsLength === 0) return;
    this.put(newline);
    this.copy(this.#readings, 0, this.#readingsLength);
    this.#readingsLength = 0;
  }
}
