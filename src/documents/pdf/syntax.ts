import { byteAt } from '../bytes.ts';
import { type DocumentBudget, UnreadableError } from '../unreadable.ts';

/** A parsed PDF value. Names and keywords are objects, so that they differ from strings. */
export type PdfValue =
  | null
  | boolean
  | number
  | Buffer
  | PdfName
  | PdfKeyword
  | PdfReference
  | PdfValue[]
  | PdfDictionary;
export type PdfDictionary = Map<string, PdfValue>;

export class PdfName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A keyword of the PDF syntax, which can be an operator. */
export class PdfKeyword {
  readonly keyword: string;
  constructor(word: string) {
    this.keyword = word;
  }
}

export class PdfReference {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

/**
 * Arrays and dictionaries are nested at most this deeply. Real documents have far fewer levels, and the stack allows
 * far more.
 */
const maxDepth = 60;

const [regular, blank, delimiter] = [0, 1, 2];
const classes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 0 || byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 32
    ? blank
    : '()<>[]{}/%'.includes(String.fromCharCode(byte))
      ? delimiter
      : regular,
);

/** Represents the end of the input, or the end of an array or dictionary. */
const end = new PdfKeyword('');
const closeArray = new PdfKeyword(']');
const closeDict = new PdfKeyword('>>');

export class PdfLexer {
  readonly bytes: Buffer;
  readonly #budget: DocumentBudget;
  position: number;
  /**
   * True after a search for the end of an inline image has failed. Otherwise each of many `BI` operators would search
   * the rest of the stream again, in quadratic time.
   */
  #hasNoImage = false;

  constructor(bytes: Buffer, budget: DocumentBudget, position = 0) {
    this.bytes = bytes;
    this.#budget = budget;
    this.position = position;
  }

  /**
   * Returns the next value, or undefined at the end. If `hasReferences` is false, `12 0 R` is not parsed as a
   * reference.
   */
  next(hasReferences: boolean): PdfValue | undefined {
    const value = this.#value(hasReferences, 0);
    return value === end ? undefined : value;
  }

  /** Skips the bytes of an inline image, because they are not operators. */
  skipImage(): void {
    if (this.#hasNoImage) return;
    const { bytes } = this;
    const data = bytes.indexOf('ID', this.position);
    this.#hasNoImage = data === -1;
    if (this.#hasNoImage) return;
    let at = bytes.indexOf('EI', data + 2);
    while (at !== -1 && ((bytes[at - 1] ?? 32) > 32 || (bytes[at + 2] ?? 32) > 32)) at = bytes.indexOf('EI', at + 2);
    this.position = at === -1 ? bytes.length : at + 2;
  }

  #value(hasReferences: boolean, depth: number): PdfValue {
    this.#budget.step();
    if (depth > maxDepth) throw new UnreadableError('the document is nested too deeply');
    this.#skipBlanks();
    const { bytes } = this;
    const byte = bytes[this.position];
    if (byte === undefined) return end;
    switch (byte) {
      case 0x28: // (
        return this.#text();
      case 0x2f: // /
        this.position++;
        return new PdfName(this.#name());
      case 0x5b: // [
        this.position++;
        return this.#array(hasReferences, depth);
      case 0x5d: // ]
        this.position++;
        return closeArray;
      case 0x3c: // <
        if (bytes[this.position + 1] !== 0x3c) return this.#hex();
        this.position += 2;
        return this.#dict(depth);
      case 0x3e: // >
        this.position += bytes[this.position + 1] === 0x3e ? 2 : 1;
        return closeDict;
      case 0x29: // )
      case 0x7b: // {
      case 0x7d: // }
        this.position++;
        return new PdfKeyword(String.fromCharCode(byte));
      default:
        return this.#numberOrWord(byte, hasReferences);
    }
  }

  #skipBlanks(): void {
    const { bytes } = this;
    for (;;) {
      const byte = bytes[this.position];
      if (byte === undefined) return;
      if (byte === 0x25) {
        while (this.position < bytes.length && bytes[this.position] !== 10 && bytes[this.position] !== 13)
          this.position++;
      } else if (classes[byte] !== blank) return;
      else this.position++;
    }
  }

  #regularEnd(): number {
    let at = this.position;
    while (at < this.bytes.length && classes[byteAt(this.bytes, at)] === regular) at++;
    return at;
  }

  #name(): string {
    const stop = this.#regularEnd();
    const name = this.bytes.toString('latin1', this.position, stop);
    this.position = stop;
    return name.includes('#')
      ? name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : name;
  }

  #numberOrWord(first: number, hasReferences: boolean): PdfValue {
    const start = this.position;
    const stop = this.#regularEnd();
    this.position = stop;
    const isNumber = (first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2b || first === 0x2e;
    const text = this.bytes.toString('latin1', start, stop);
    if (!isNumber)
      return text === 'true' ? true : text === 'false' ? false : text === 'null' ? null : new PdfKeyword(text);
    const value = Number(text);
    // Some programs write "--5" or "1.2.3". The readable part of such a number is used.
    const number = Number.isNaN(value) ? Number.parseFloat(text.replace(/^[-+]+(?=[-+])/, '')) || 0 : value;
    if (!hasReferences || !Number.isInteger(number) || number < 0) return number;
    return this.#reference(number) ?? number;
  }

  /** Parses the rest of a reference such as `12 0 R` after its first number. */
  #reference(number: number): PdfReference | undefined {
    const { bytes } = this;
    let at = this.position;
    while (classes[bytes[at] ?? 0x41] === blank) at++;
    const digits = at;
    while (byteAt(bytes, at) >= 0x30 && byteAt(bytes, at) <= 0x39) at++;
    if (at === digits || at - digits > 5) return undefined;
    const blanks = at;
    while (classes[bytes[at] ?? 0x41] === blank) at++;
    if (at === blanks || bytes[at] !== 0x52 || classes[bytes[at + 1] ?? 0x20] === regular) return undefined;
    this.position = at + 1;
    return new PdfReference(number);
  }

  #array(hasReferences: boolean, depth: number): PdfValue {
    const items: PdfValue[] = [];
    for (;;) {
      const item = this.#value(hasReferences, depth + 1);
      if (item === closeArray || item === end) return items;
      if (item === closeDict) continue;
      items.push(item);
    }
  }

  #dict(depth: number): PdfValue {
    const dict = new Map<string, PdfValue>();
    for (;;) {
      const key = this.#value(true, depth + 1);
      if (key === closeDict || key === end) return dict;
      if (!(key instanceof PdfName)) continue;
      const value = this.#value(true, depth + 1);
      if (value === closeDict || value === end) return dict;
      dict.set(key.name, value);
    }
  }

  #hex(): Buffer {
    const close = this.bytes.indexOf(0x3e, this.position);
    const stop = close === -1 ? this.bytes.length : close;
    const text = this.bytes.toString('latin1', this.position + 1, stop);
    this.position = stop + 1;
    return hexToBytes(text);
  }

  #text(): Buffer {
    const { bytes } = this;
    const start = this.position + 1;
    let [at, depth, isPlain] = [start, 1, true];
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === 0x5c) {
        isPlain = false;
        at++;
      } else if (byte === 0x28) depth++;
      else if (byte === 0x29 && --depth === 0) break;
    }
    this.position = at + 1;
    const raw = bytes.subarray(start, at);
    return isPlain ? raw : unescapeText(raw);
  }
}

/** Converts hexadecimal digits to bytes, without other characters. The second digit of the last byte may be missing. */
export function hexToBytes(text: string): Buffer {
  // The missing digit is 0. `Buffer.from` ignores a digit that has no second one.
  return Buffer.from(`${text.replace(/[^0-9a-f]/gi, '')}0`, 'hex');
}

const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

function unescapeText(raw: Buffer): Buffer {
  const out = Buffer.allocUnsafe(raw.length);
  let length = 0;
  for (let at = 0; at < raw.length; at++) {
    const byte = byteAt(raw, at);
    if (byte !== 0x5c) {
      out[length++] = byte;
      continue;
    }
    const next = byteAt(raw, ++at);
    if (next >= 0x30 && next <= 0x37) {
      let [value, digits] = [next - 0x30, 1];
      for (; digits < 3; digits++) {
        const digit = byteAt(raw, at + 1);
        if (digit < 0x30 || digit > 0x37) break;
        value = value * 8 + digit - 0x30;
        at++;
      }
      out[length++] = value & 0xff;
    } else if (next === 13) {
      if (raw[at + 1] === 10) at++;
    } else if (next !== 10) out[length++] = escapes[String.fromCharCode(next)] ?? next;
  }
  return out.subarray(0, length);
}
