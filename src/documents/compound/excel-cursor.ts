import { byteAt } from '../bytes.ts';
import { decodeWindows1252 } from '../encoding/decode.ts';

export function decodeExcelCharacters(bytes: Buffer, start: number, length: number, isWide: boolean): string {
  return isWide
    ? bytes.toString('utf16le', start, Math.min(bytes.length, start + 2 * length))
    : decodeWindows1252(bytes.subarray(start, start + length));
}

/** Reads values from a record of a workbook. A long value continues in the next records. */
export class ExcelRecordCursor {
  readonly #parts: readonly Buffer[];
  #index = 0;
  #at = 0;

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts;
  }

  get isAtEnd(): boolean {
    while (this.#index < this.#parts.length && this.#at >= this.#part.length) {
      this.#at -= this.#part.length;
      this.#index++;
    }
    return this.#index >= this.#parts.length;
  }

  get #part(): Buffer {
    return this.#parts[this.#index] ?? Buffer.alloc(0);
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  readNumber(size: number): number {
    let value = 0;
    for (let index = 0; index < size; index++) {
      if (this.isAtEnd) return value;
      value += byteAt(this.#part, this.#at++) * 256 ** index;
    }
    return value;
  }

  readCharacters(length: number, isWide: boolean): string {
    let [text, left, wide] = ['', length, isWide];
    while (left > 0) {
      if (this.#at >= this.#part.length) {
        if (this.isAtEnd) break;
        wide = (this.readNumber(1) & 1) !== 0;
      }
      const width = wide ? 2 : 1;
      const count = Math.min(left, Math.max(1, Math.floor((this.#part.length - this.#at) / width)));
      text += decodeExcelCharacters(this.#part, this.#at, count, wide);
      this.#at += count * width;
      left -= count;
    }
    return text;
  }
}
