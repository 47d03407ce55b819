import type { DocumentBudget } from '../unreadable.ts';
import { createPdfDecryption, type PdfDecryption } from './decryption.ts';
import { decodePdfStream } from './filters.ts';
import { type PdfDictionary, PdfKeyword, PdfLexer, PdfName, PdfReference, type PdfValue } from './syntax.ts';

/**
 * A PDF object is stored at an offset of the file, or inside an object stream. For an object stream, the parsed value
 * is stored here.
 */
type Place = { offset: number; generation: number } | { value: PdfValue };

/** A stream object consists of a dictionary and bytes. The bytes are already decrypted. */
interface Stream {
  dict: PdfDictionary;
  raw: () => Buffer;
}

const maxReferences = 50;

/**
 * Reads the objects of a PDF. They are found by a search for "obj", because the cross-reference tables of many files
 * are wrong. If several objects have the same number, the last one is used.
 */
export class PdfFile {
  readonly bytes: Buffer;
  readonly budget: DocumentBudget;
  readonly #places = new Map<number, Place>();
  readonly #parsed = new Map<number, PdfValue>();
  readonly #streams = new Map<PdfDictionary, Stream>();
  #decryption: PdfDecryption | undefined;
  /** True if the file cannot be read without a password. */
  readonly isLocked: boolean;

  /** Reads `all` objects of the file, or only the `plain` objects outside of object streams. */
  constructor(bytes: Buffer, budget: DocumentBudget, objects: 'all' | 'plain') {
    this.bytes = bytes;
    this.budget = budget;
    this.#findObjects();
    const encryption = this.#trailerValue('Encrypt', /^\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/);
    if (encryption !== undefined) this.#decryption = this.#openEncryption(this.dict(encryption));
    this.isLocked = encryption !== undefined && this.#decryption === undefined;
    if (objects === 'all' && !this.isLocked) this.#openObjectStreams();
  }

  get numbers(): Iterable<number> {
    return this.#places.keys();
  }

  /** Follows references until it finds a value and returns it. */
  resolve(value: PdfValue | undefined): PdfValue | undefined {
    let current = value;
    for (let count = 0; current instanceof PdfReference && count < maxReferences; count++)
      current = this.object(current.number);
    return current instanceof PdfReference ? undefined : current;
  }

  dict(value: PdfValue | undefined): PdfDictionary | undefined {
    const resolved = this.resolve(value);
    return resolved instanceof Map ? resolved : undefined;
  }

  array(value: PdfValue | undefined): PdfValue[] {
    const resolved = this.resolve(value);
    return Array.isArray(resolved) ? resolved : [];
  }

  number(value: PdfValue | undefined): number | undefined {
    const resolved = this.resolve(value);
    return typeof resolved === 'number' ? resolved : undefined;
  }

  name(value: PdfValue | undefined): string | undefined {
    const resolved = this.resolve(value);
    return resolved instanceof PdfName ? resolved.name : undefined;
  }

  object(number: number): PdfValue | undefined {
    const known = this.#parsed.get(number);
    if (known !== undefined) return known;
    const place = this.#places.get(number);
    if (place === undefined) return undefined;
    // A null value is stored first, because an object that contains a reference to itself would cause endless
    // recursion.
    this.#parsed.set(number, null);
    const value = 'value' in place ? place.value : this.#read(number, place.offset, place.generation);
    this.#parsed.set(number, value);
    return value;
  }

  /** Returns the decoded bytes of a stream, or undefined if they cannot be decoded. */
  content(value: PdfValue | undefined): Buffer | undefined {
    const dict = this.dict(value);
    const stream = dict && this.#streams.get(dict);
    if (stream === undefined) return undefined;
    const filter = this.resolve(stream.dict.get('Filter') ?? stream.dict.get('F'));
    const filters = Array.isArray(filter)
      ? filter.map(item => this.resolve(item) ?? null)
      : filter === undefined || filter === null
        ? []
        : [filter];
    const given = this.resolve(stream.dict.get('DecodeParms') ?? stream.dict.get('DP'));
    const parameters = (Array.isArray(given) ? given : [given]).map(item => this.dict(item));
    return decodePdfStream(stream.raw(), filters, parameters, this.budget);
  }

  #findObjects(): void {
    const { bytes } = this;
    for (let at = bytes.indexOf('obj'); at !== -1; at = bytes.indexOf('obj', at + 3)) {
      this.budget.step();
      const generation = this.#numberBefore(at);
      const number = generation && this.#numberBefore(generation.start);
      if (number !== undefined) this.#places.set(number.value, { offset: at + 3, generation: generation?.value ?? 0 });
    }
  }

  /** Returns a value from the last trailer of the file. The value can be a dictionary or a stream. */
  #trailerValue(key: string, form: RegExp): PdfValue | undefined {
    const { bytes } = this;
    for (let at = bytes.lastIndexOf(`/${key}`); at > 0; at = bytes.lastIndexOf(`/${key}`, at - 1)) {
      if (!form.test(bytes.toString('latin1', at, at + 40))) continue;
      return new PdfLexer(bytes, this.budget, at + key.length + 1).next(true);
    }
    return undefined;
  }

  /** Parses the number that ends before an offset and the white space between them. */
  #numberBefore(position: number): { value: number; start: number } | undefined {
    const { bytes } = this;
    let stop = position;
    while (stop > 0 && isBlank(bytes[stop - 1])) stop--;
    let start = stop;
    while (start > 0 && stop - start < 10 && isDigit(bytes[start - 1])) start--;
    return start === stop ? undefined : { value: Number(bytes.toString('latin1', start, stop)), start };
  }

  #openEncryption(dict: PdfDictionary | undefined): PdfDecryption | undefined {
    const [id] = this.array(this.#trailerValue('ID', /^\/ID\s*\[/));
    return dict && createPdfDecryption(this, dict, Buffer.isBuffer(id) ? id : Buffer.alloc(0));
  }

  #openObjectStreams(): void {
    const { bytes } = this;
    const offsets = [...this.#places].flatMap(([number, place]) =>
      'offset' in place ? [{ number, offset: place.offset }] : [],
    );
    offsets.sort((left, right) => left.offset - right.offset);
    const opened = new Set<number>();
    for (let at = bytes.indexOf('/ObjStm'); at !== -1; at = bytes.indexOf('/ObjStm', at + 7)) {
      this.budget.step();
      const holder = lastBefore(offsets, at);
      if (holder === undefined || opened.has(holder.number)) continue;
      opened.add(holder.number);
      this.#openObjectStream(holder.number, holder.offset);
    }
  }

  #openObjectStream(number: number, offset: number): void {
    const dict = this.dict(new PdfReference(number));
    const content = this.content(dict);
    const first = this.number(dict?.get('First'));
    const count = this.number(dict?.get('N'));
    if (content === undefined || first === undefined || count === undefined) return;
    const header = new PdfLexer(content, this.budget);
    for (let index = 0; index < count; index++) {
      const [inner, start] = [header.next(false), header.next(false)];
      if (typeof inner !== 'number' || typeof start !== 'number') return;
      const known = this.#places.get(inner);
      // An object with a higher offset is newer, because PDF programs append changes at the end of the file.
      if (known !== undefined && 'offset' in known && known.offset > offset) continue;
      const value = new PdfLexer(content, this.budget, first + start).next(true);
      if (value === undefined) continue;
      this.#places.set(inner, { value });
      this.#parsed.delete(inner);
    }
  }

  #read(number: number, offset: number, generation: number): PdfValue {
    const decryption = this.#decryption;
    const lexer = new PdfLexer(this.bytes, this.budget, offset);
    const read = lexer.next(true) ?? null;
    const value =
      decryption === undefined ? read : mapStrings(read, text => decryption.string(text, number, generation));
    if (!(value instanceof Map)) return value;
    const word = lexer.next(false);
    if (word instanceof PdfKeyword && word.keyword === 'stream') {
      const raw = this.#streamBytes(value, lexer.position);
      // The cross-reference streams of a PDF file are not encrypted.
      const isClear = decryption === undefined || this.name(value.get('Type')) === 'XRef';
      this.#streams.set(value, {
        dict: value,
        raw: () => (isClear ? raw : this.#decrypted(decryption, raw, number, generation)),
      });
    }
    return value;
  }

  #decrypted(decryption: PdfDecryption, raw: Buffer, number: number, generation: number): Buffer {
    this.budget.unpacked(raw.length);
    return decryption.stream(raw, number, generation);
  }

  #streamBytes(dict: PdfDictionary, afterWord: number): Buffer {
    const { bytes } = this;
    let start = afterWord;
    if (bytes[start] === 13) start++;
    if (bytes[start] === 10) start++;
    const length = this.number(dict.get('Length'));
    if (length !== undefined && length >= 0) {
      const behind = bytes.toString('latin1', start + length, start + length + 12);
      if (/^\s*endst/.test(behind)) return bytes.subarray(start, start + length);
    }
    const stop = bytes.indexOf('endstream', start);
    return bytes.subarray(start, stop === -1 ? bytes.length : stop);
  }
}

/** Calls the function for each string in a value and replaces the string by the result. */
function mapStrings(value: PdfValue, change: (text: Buffer) => Buffer): PdfValue {
  if (Buffer.isBuffer(value)) return change(value);
  if (Array.isArray(value)) return value.map(item => mapStrings(item, change));
  if (value instanceof Map) return new Map(Array.from(value, ([key, item]) => [key, mapStrings(item, change)]));
  return value;
}

function lastBefore<Item extends { offset: number }>(sorted: readonly Item[], position: number): Item | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.offset ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9 || byte === 0 || byte === 12;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
