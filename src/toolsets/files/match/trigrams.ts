import type { DecodedText } from '../../../documents/encoding/decode.ts';
import { foldTextInPieces } from './fold.ts';
import type { NewWordCollector } from './new-words.ts';

/**
 * The trigram signature of a file: a Bloom filter of the trigrams (runs of three bytes) in its folded text, with four
 * bits for each distinct trigram. It has false positives but no false negatives.
 */
export type TrigramSignature = Uint8Array;

const hashBits = 18;
const minBits = 6;
const bitsPerTrigram = 4;

/**
 * A bitmap with one bit for each trigram hash. It is reused for each file and has 32 KB, which fit into the L1 cache.
 */
export interface TrigramBuffer {
  seen: Uint32Array;
}

export function createTrigramBuffer(): TrigramBuffer {
  return { seen: new Uint32Array(1 << (hashBits - 5)) };
}

/** Creates the trigram signature of all texts of a file, and collects their words for the vocabulary. */
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
  while (bits < hashBits && 1 << bits < count * bitsPerTrigram) bits++;
  return toSignature(seen, bits);
}

/** Creates the signature from the bitmap of trigram hashes. */
function toSignature(seen: Uint32Array, bits: number): TrigramSignature {
  const signature = new Uint8Array(1 << (bits - 3));
  const shift = hashBits - bits;
  for (let index = 0; index < seen.length; index++) {
    for (let rest = seen[index] ?? 0; rest !== 0; rest &= rest - 1) {
      const bit = ((index << 5) | (31 - Math.clz32(rest & -rest))) >>> shift;
      signature[bit >>> 3] = (signature[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  return signature;
}

function* foldedBytes(bytes: Buffer): Generator<Buffer> {
  for (const piece of foldTextInPieces(bytes.toString('utf8'), 2)) yield Buffer.from(piece, 'utf8');
}

/** Sets the bits for the hashes of all trigrams. ASCII bytes are folded here; other bytes are already folded. */
function collect(bytes: Uint8Array, seen: Uint32Array, counted: number): number {
  let count = counted;
  let length = 0;
  let run = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = folded(bytes[index] ?? 0);
    if (byte === 0x20 && (run & 0xff) === 0x20 && length > 0) continue;
    run = ((run << 8) | byte) & 0xffffff;
    if (++length < 3) continue;
    const hash = hashOf(run);
    const known = seen[hash >>> 5] ?? 0;
    const bit = 1 << (hash & 31);
    if ((known & bit) !== 0) continue;
    seen[hash >>> 5] = known | bit;
    count++;
  }
  return count;
}

function folded(byte: number): number {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte >= 0x09 && byte <= 0x0d ? 0x20 : byte;
}

function hashOf(run: number): number {
  return Math.imul(run, 0x9e3779b1) >>> (32 - hashBits);
}

/**
 * Returns the hashes of the phrase's trigrams. Each text with the phrase contains all of them. A phrase of less than
 * three bytes has none.
 */
export function trigramHashesOf(bytes: Uint8Array): Uint32Array {
  const hashes = new Set<number>();
  for (let index = 2; index < bytes.length; index++) {
    hashes.add(hashOf(((bytes[index - 2] ?? 0) << 16) | ((bytes[index - 1] ?? 0) << 8) | (bytes[index] ?? 0)));
  }
  return Uint32Array.from(hashes);
}

/**
 * Returns whether the signature at `start` contains all hashes. The parameters are offsets, because creating a view of
 * each signature would take longer than the test.
 */
export function mayContainTrigrams(bytes: Uint8Array, hashes: Uint32Array, start = 0, length = bytes.length): boolean {
  const shift = hashBits - (31 - Math.clz32(length << 3));
  for (let index = 0; index < hashes.length; index++) {
    const bit = (hashes[index] ?? 0) >>> shift;
    if (((bytes[start + (bit >>> 3)] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}
