import { isAscii, isUtf8 } from 'node:buffer';
import { guessEncoding } from './guess.ts';
import { decodeUtf16Or32, detectUtf16Or32 } from './wide.ts';

const sniffedBytes = 8192;

/** A decoded text. It is a buffer in UTF-8 without a byte order mark. */
export interface DecodedText {
  bytes: Buffer;
  isAscii: boolean;
}

/** Returns true if the start of a file contains a NUL byte and is not UTF-16 or UTF-32. */
export function isBinaryContent(head: Buffer): boolean {
  const start = head.subarray(0, sniffedBytes);
  return start.indexOf(0) !== -1 && detectUtf16Or32(start) === undefined;
}

/**
 * Decodes UTF-8, UTF-16 and UTF-32 with or without a byte order mark, and all other bytes in the most likely legacy
 * encoding.
 */
export function decodeText(bytes: Buffer, decoders = new TextDecoderCache()): DecodedText {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const content = hasMark ? bytes.subarray(3) : bytes;
  const isPlain = isAscii(content);
  if (isPlain && content.indexOf(0) === -1)
    // Text in ISO-2022-JP has no bytes above 0x7f, but an escape sequence before Japanese characters.
    return content.includes('\x1b$')
      ? encodeAsUtf8(decoders.tryDecode('iso-2022-jp', content) ?? content.toString('latin1'))
      : { bytes: content, isAscii: true };
  const wide = detectUtf16Or32(content.subarray(0, sniffedBytes));
  if (wide !== undefined) return encodeAsUtf8(decodeUtf16Or32(content, wide));
  if (isPlain) return { bytes: content, isAscii: true };
  if (isUtf8(content)) return { bytes: content, isAscii: false };
  return encodeAsUtf8(decodeLegacy(content, decoders));
}

/** Converts a string to the type `DecodedText`, which contains a buffer in UTF-8. */
export function encodeAsUtf8(text: string): DecodedText {
  return decodeUtf8(Buffer.from(text, 'utf8'));
}

export function decodeUtf8(bytes: Buffer): DecodedText {
  return { bytes, isAscii: isAscii(bytes) };
}

/**
 * Decodes bytes with the encoding label of the document, or with the most likely encoding if the label is missing or
 * unknown.
 */
export function decodeWithLabel(label: string | undefined, bytes: Buffer, decoders = new TextDecoderCache()): string {
  const labelled =
    label === undefined || /^(?:utf-?8|us-ascii|ascii)$/i.test(label) ? undefined : decoders.tryDecode(label, bytes);
  return labelled ?? decodeText(bytes, decoders).bytes.toString('utf8');
}

type Decoder = InstanceType<typeof TextDecoder>;

const maxLabels = 100;
const maxGuesses = 300;

/**
 * Caches the decoders of one document. A mail can consist of a million encoded pieces. Creating a `TextDecoder` takes
 * up to 60 µs and guessing an encoding up to 1 ms, so that decoders are reused and guesses are limited.
 */
export class TextDecoderCache {
  readonly #byLabel = new Map<string, Decoder | undefined>();
  #guesses = 0;
  #lastGuess = 'windows-1252';

  /** Decodes the bytes, or returns undefined for an unknown label. */
  tryDecode(label: string, bytes: Buffer): string | undefined {
    const key = label.toLowerCase();
    if (!this.#byLabel.has(key) && this.#byLabel.size >= maxLabels) return undefined;
    return this.#decode(key, bytes);
  }

  /** Decodes legacy text. After many guesses the last encoding is reused, because a document rarely mixes encodings. */
  decodeUnlabelled(bytes: Buffer): string {
    if (this.#guesses++ < maxGuesses) this.#lastGuess = guessEncoding(bytes);
    return this.#decode(this.#lastGuess, bytes) ?? decodeWindows1252(bytes);
  }

  #decode(label: string, bytes: Buffer): string | undefined {
    if (!this.#byLabel.has(label)) this.#byLabel.set(label, createDecoder(label));
    const decoder = this.#byLabel.get(label);
    return decoder?.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder?.decode(bytes);
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

function decodeLegacy(bytes: Buffer, decoders: TextDecoderCache): string {
  // A truncated UTF-8 text, or one that contains a piece in another encoding, is still decoded as UTF-8.
  if (isMostlyUtf8(bytes.subarray(0, 1 << 16))) return bytes.toString('utf8');
  return decoders.decodeUnlabelled(bytes);
}

function isMostlyUtf8(sample: Buffer): boolean {
  const text = sample.toString('utf8');
  const wrong = text.match(/\ufffd/g)?.length ?? 0;
  const right = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return right >= 4 && right >= 8 * wrong;
}

const upperControls = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes windows-1252, because the TextDecoder of some Node versions decodes this label as latin1. */
export function decodeWindows1252(bytes: Buffer): string {
  const units = Uint16Array.from(bytes);
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] ?? 0;
    if (unit >= 0x80 && unit < 0xa0) units[index] = upperControls.charCodeAt(unit - 0x80);
  }
  return Buffer.from(units.buffer).toString('utf16le');
}
