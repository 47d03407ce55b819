import { isAscii, isUtf8 } from 'node:buffer';
import { guessEncoding } from './guess.ts';

const sniffedBytes = 8192;

/** A decoded text in UTF-8 without a byte order mark. */
export interface Text {
  bytes: Buffer;
  isAscii: boolean;
}

/** Returns true if the start of a file contains a NUL byte and is not UTF-16 or UTF-32. */
export function isBinary(head: Buffer): boolean {
  const start = head.subarray(0, sniffedBytes);
  return start.indexOf(0) !== -1 && wideEncoding(start) === undefined;
}

/** Decodes UTF-8, UTF-16 and UTF-32 with and without a byte order mark, and everything else as the most likely legacy encoding. */
export function decode(bytes: Buffer, decoders = new Decoders()): Text {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const content = hasMark ? bytes.subarray(3) : bytes;
  const isPlain = isAscii(content);
  if (isPlain && content.indexOf(0) === -1)
    return isJapaneseMail(content)
      ? asText(decoders.tryDecode('iso-2022-jp', content) ?? content.toString('latin1'))
      : { bytes: content, isAscii: true };
  const wide = wideEncoding(content.subarray(0, sniffedBytes));
  if (wide !== undefined) return asText(readWide(content, wide));
  if (isPlain) return { bytes: content, isAscii: true };
  if (isUtf8(content)) return { bytes: content, isAscii: false };
  return asText(decodeLegacy(content, decoders));
}

/** Encodes a decoded string as UTF-8. */
export function asText(text: string): Text {
  return asUtf8(Buffer.from(text, 'utf8'));
}

export function asUtf8(bytes: Buffer): Text {
  return { bytes, isAscii: isAscii(bytes) };
}

/** Decodes with the label that the document states, or with the most likely encoding if the label is missing or unknown. */
export function decodeAs(label: string | undefined, bytes: Buffer, decoders = new Decoders()): string {
  const labelled =
    label === undefined || /^(?:utf-?8|us-ascii|ascii)$/i.test(label) ? undefined : decoders.tryDecode(label, bytes);
  return labelled ?? decode(bytes, decoders).bytes.toString('utf8');
}

type Decoder = InstanceType<typeof TextDecoder>;

const maxLabels = 100;
const maxGuesses = 300;

/**
 * The decoders of one document. A mail can consist of a million encoded pieces: creating a `TextDecoder` takes up to 60 µs
 * and guessing an encoding up to 1 ms, so decoders are reused and guesses are counted.
 */
export class Decoders {
  readonly #byLabel = new Map<string, Decoder | undefined>();
  #guesses = 0;
  #lastGuess = 'windows-1252';

  /** Returns undefined for an unknown label. */
  tryDecode(label: string, bytes: Buffer): string | undefined {
    const key = label.toLowerCase();
    if (!this.#byLabel.has(key) && this.#byLabel.size >= maxLabels) return undefined;
    return this.#decode(key, bytes);
  }

  /** Decodes legacy text; after many guesses with the last one, because a document rarely mixes encodings. */
  decodeUnlabelled(bytes: Buffer): string {
    if (this.#guesses++ < maxGuesses) this.#lastGuess = guessEncoding(bytes);
    return this.#decode(this.#lastGuess, bytes) ?? windows1252(bytes);
  }

  #decode(label: string, bytes: Buffer): string | undefined {
    let decoder = this.#byLabel.get(label);
    if (decoder === undefined && !this.#byLabel.has(label)) {
      decoder = createDecoder(label);
      this.#byLabel.set(label, decoder);
    }
    return decoder?.encoding === 'windows-1252' ? windows1252(bytes) : decoder?.decode(bytes);
  }
}

function createDecoder(label: string): Decoder | undefined {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** Finds the escape sequences of ISO-2022-JP, which has no bytes above 0x7f. */
function isJapaneseMail(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0x1b); at !== -1; at = bytes.indexOf(0x1b, at + 1))
    if (bytes[at + 1] === 0x24) return true;
  return false;
}

function decodeLegacy(bytes: Buffer, decoders: Decoders): string {
  // A UTF-8 text that was cut, or that has a piece in another encoding, is still UTF-8.
  if (isMostlyUtf8(bytes.subarray(0, 1 << 16))) return bytes.toString('utf8');
  return decoders.decodeUnlabelled(bytes);
}

function isMostlyUtf8(sample: Buffer): boolean {
  if (sample.length < 8) return false;
  const text = sample.toString('utf8');
  const wrong = text.match(/\ufffd/g)?.length ?? 0;
  const right = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return right >= 4 && right >= 8 * wrong;
}

type Wide = 'utf-32be' | 'utf-32le' | 'utf-16be' | 'utf-16le';

/**
 * Detects UTF-16 and UTF-32 by the byte order mark, or by the positions of zero bytes and a check of the decoded
 * sample.
 */
function wideEncoding(head: Buffer): Wide | undefined {
  const mark = head.toString('latin1', 0, 4);
  if (mark.startsWith('\xff\xfe\0\0')) return 'utf-32le';
  if (mark === '\0\0\xfe\xff') return 'utf-32be';
  if (mark.startsWith('\xff\xfe')) return 'utf-16le';
  if (mark.startsWith('\xfe\xff')) return 'utf-16be';
  if (head.length < 4 || head.indexOf(0) === -1) return undefined;
  const zeros = [0, 0, 0, 0];
  let plain = 0;
  for (let at = 0; at < head.length; at++) {
    const byte = head[at] ?? 0;
    // Text contains no aligned group of four zero bytes. This rejects most binary files early.
    if ((at & 3) === 0 && byte === 0 && at + 8 <= head.length && isZero(head, at)) return undefined;
    if (byte === 0) zeros[at & 3] = (zeros[at & 3] ?? 0) + 1;
    else if (byte >= 0x20 && byte < 0x7f) plain++;
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = zeros;
  // ASCII text in UTF-16 has a zero byte for each character; ASCII with a few zero bytes is not UTF-16.
  const count = first + second + third + fourth;
  if (count * 200 < head.length || (plain > 2 * count && plain > 0.9 * (head.length - count))) return undefined;
  const units = head.length >> 2;
  // The highest byte of a UTF-32 unit is always zero, the next byte almost always.
  const isFirstZero = first + third > second + fourth;
  const candidates: readonly Wide[] =
    fourth >= units && third * 2 > units
      ? ['utf-32le']
      : first >= units && second * 2 > units
        ? ['utf-32be']
        : // The low byte can be zero too: \u4e00 is a very frequent character.
          isFirstZero
          ? ['utf-16be', 'utf-16le']
          : ['utf-16le', 'utf-16be'];
  return candidates.find(encoding => {
    const width = encoding.startsWith('utf-32') ? 4 : 2;
    return isPlausible(readWide(head.subarray(0, head.length - (head.length % width)), encoding));
  });
}

function isZero(head: Buffer, at: number): boolean {
  return head[at + 1] === 0 && head[at + 2] === 0 && head[at + 3] === 0;
}

const noText = /(?![\t-\r])\p{Cc}|[\ufffd\p{Cn}\p{Co}\p{Cs}]/u;

function isPlausible(text: string): boolean {
  // The sample can end between the halves of a surrogate pair.
  return text.length > 1 && !noText.test(text.slice(0, -1)) && /[\p{L}\p{N}]/u.test(text);
}

function readWide(bytes: Buffer, encoding: Wide): string {
  if (encoding.startsWith('utf-16')) {
    const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
    // Copies the bytes, because swap16 works in place.
    return withoutMark((encoding === 'utf-16be' ? Buffer.from(even).swap16() : even).toString('utf16le'));
  }
  const pieces: string[] = [];
  const points: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = encoding === 'utf-32le' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    points.push(point <= 0x10ffff ? point : 0xfffd);
    if (points.length === 4096) pieces.push(String.fromCodePoint(...points.splice(0)));
  }
  return withoutMark(pieces.join('') + String.fromCodePoint(...points));
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

const upperControls = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes windows-1252. TextDecoder of some Node versions decodes this label as latin1. */
export function windows1252(bytes: Buffer): string {
  const units = Uint16Array.from(bytes);
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] ?? 0;
    if (unit >= 0x80 && unit < 0xa0) units[index] = upperControls.charCodeAt(unit - 0x80);
  }
  return Buffer.from(units.buffer).toString('utf16le');
}
