import type { DecodedText } from '../../../documents/encoding/decode.ts';
import { foldTextInPieces } from './fold.ts';
import type { NewWordCollector } from './new-words.ts';

/**
 * The trigram signature of a file: a Bloom filter of byte sequences in its case-folded text, without false negatives.
 * The sequences are all trigrams; all runs of five letters, because few texts contain a certain one; and all runs of
 * seven bytes around a space, because they show which words are adjacent.
 */
export type TrigramSignature = Uint8Array;

const hashBits = 19;
const minBits = 6;
const bitsPerGram = 4;
const lettersPerGram = 5;
const bytesAroundSpace = 7;

/**
 * A bitmap with one bit for each hash of a byte sequence. It is reused for each file. Its 64 KB fit into the L2 cache.
 */
export interface TrigramBuffer {
  seen: Uint32Array;
}

export function createTrigramBuffer(): TrigramBuffer {
  return { seen: new Uint32Array(1 << (hashBits - 5)) };
}

/** Creates the trigram signature of all texts in a file, and collects their words for the vocabulary. */
export function createTrigramSignature(
  texts: readonly DecodedText[],
  { seen }: TrigramBuffer,
  words?: NewWordCollector,
): TrigramSignature {
  seen.fill(0);
  let count = 0;
  for (const { bytes, isAscii } of texts) {
    for (const piece of isAscii ? [bytes] : foldedBytes(bytes)) {
      count = collect(piece, seen, count);
      words?.collect(piece);
    }
  }
  let bits = minBits;
  while (bits < hashBits && 1 << bits < count * bitsPerGram) bits++;
  return toSignature(seen, bits);
}

/** Creates the trigram signature from the bitmap of hashes. */
function toSignature(seen: Uint32Array, bits: number): TrigramSignature {
  const signature = new Uint8Array(1 << (bits - 3));
  const shift = hashBits - bits;
  forEachSetBit(seen, hash => {
    const bit = hash >>> shift;
    signature[bit >>> 3] = (signature[bit >>> 3] ?? 0) | (1 << (bit & 7));
  });
  return signature;
}

function* foldedBytes(bytes: Buffer): Generator<Buffer> {
  for (const piece of foldTextInPieces(bytes.toString('utf8'), bytesAroundSpace - 1)) yield Buffer.from(piece, 'utf8');
}

/**
 * Sets the bits for the hashes of all byte sequences in a text, and returns the number of bits that were set. ASCII
 * bytes are case-folded here, and other bytes were case-folded before.
 */
function collect(bytes: Uint8Array, seen: Uint32Array, counted: number): number {
  let [count, length, letters] = [counted, 0, 0];
  // The last four bytes of the text, and the four bytes before them.
  let [last, before] = [0, 0];
  for (let index = 0; index < bytes.length; index++) {
    const byte = folded(bytes[index] ?? 0);
    if (byte === space && (last & 0xff) === space && length > 0) continue;
    before = (before << 8) | (last >>> 24);
    last = (last << 8) | byte;
    letters = isLetter(byte) ? letters + 1 : 0;
    if (++length < 3) continue;
    count += setBit(seen, hashOf(last & 0xffffff));
    if (letters >= lettersPerGram) count += setBit(seen, longHashOf(last, before & 0xff));
    if (last >>> 24 === space && length >= bytesAroundSpace) count += setBit(seen, longHashOf(last, before & 0xffffff));
  }
  return count;
}

/** Sets a bit of the bitmap. Returns 1 if the bit was not set before. */
function setBit(seen: Uint32Array, hash: number): number {
  const known = seen[hash >>> 5] ?? 0;
  const bit = 1 << (hash & 31);
  if ((known & bit) !== 0) return 0;
  seen[hash >>> 5] = known | bit;
  return 1;
}

const space = 0x20;

function folded(byte: number): number {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte >= 0x09 && byte <= 0x0d ? space : byte;
}

/** Returns whether a byte of a case-folded text is a letter or a part of a non-ASCII character. */
function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || byte >= 0x80;
}

function hashOf(run: number): number {
  return Math.imul(run, 0x9e3779b1) >>> (32 - hashBits);
}

function longHashOf(last: number, before: number): number {
  const mixed = Math.imul(last ^ Math.imul(before + 1, 0x85ebca6b), 0xc2b2ae35);
  return Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f) >>> (32 - hashBits);
}

/**
 * Returns the hashes of the byte sequences in a phrase. The trigram signature of a file that contains the phrase
 * contains all of them. A phrase of less than three bytes has none.
 */
export function trigramHashesOf(bytes: Uint8Array): Uint32Array {
  const { seen } = createTrigramBuffer();
  collect(bytes, seen, 0);
  const hashes: number[] = [];
  forEachSetBit(seen, hash => hashes.push(hash));
  return Uint32Array.from(hashes);
}

function forEachSetBit(bitmap: Uint32Array, onBit: (bit: number) => void): void {
  for (let index = 0; index < bitmap.length; index++)
    for (let rest = bitmap[index] ?? 0; rest !== 0; rest &= rest - 1)
      onBit((index << 5) | (31 - Math.clz32(rest & -rest)));
}

/**
 * Returns whether the trigram signature at the offset `start` contains all hashes. The parameters are offsets, because
 * creating a typed array for each signature would take longer than the test.
 */
export function mayContainTrigrams(bytes: Uint8Array, hashes: Uint32Array, start = 0, length = bytes.length): boolean {
  const shift = hashBits - (31 - Math.clz32(length << 3));
  for (let index = 0; index < hashes.length; index++) {
    const bit = (hashes[index] ?? 0) >>> shift;
    if (((bytes[start + (bit >>> 3)] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}
