import { mayContainTrigrams } from '../match/trigrams.ts';

const chunkBytes = 1 << 20;
/**
 * Limits the total size of all trigram signatures in memory. Further files get no signature and are read for each
 * search.
 */
const maxBytes = 256 << 20;

/**
 * Stores the trigram signatures of all files in a few large buffers. A number identifies each signature, because a
 * typed array for each one would be larger than most signatures.
 */
export class TrigramSignatureStore {
  readonly #chunks: Uint8Array[] = [];
  #end: number;
  #freed = 0;

  /**
   * Creates a store from the bytes of the cache file. The caller computes the offsets of the signatures with
   * `findNextSignatureOffset`.
   */
  constructor(kept: Uint8Array = new Uint8Array(0)) {
    this.#end = kept.length;
    for (let at = 0; at < kept.length; at += chunkBytes) this.#chunkAt(at).set(kept.subarray(at, at + chunkBytes));
  }

  get bytes(): number {
    return this.#end;
  }

  get isFull(): boolean {
    return this.#end >= maxBytes;
  }

  /** Returns whether unused trigram signatures take most of the memory. */
  get isWasteful(): boolean {
    return this.#freed > 8 << 20 && this.#freed > this.#end / 2;
  }

  add(signature: Uint8Array): number {
    const start = findNextSignatureOffset(this.#end, signature.length);
    this.#chunkAt(start).set(signature, start % chunkBytes);
    this.#end = start + signature.length;
    return createSignatureReference(start, signature.length);
  }

  free(reference: number): void {
    this.#freed += 1 << (reference % 32);
  }

  mayHold(reference: number, hashes: Uint32Array): boolean {
    const start = Math.floor(reference / 32);
    return mayContainTrigrams(this.#chunkAt(start), hashes, start % chunkBytes, 1 << (reference % 32));
  }

  get(reference: number): Uint8Array {
    const start = Math.floor(reference / 32);
    const length = 1 << (reference % 32);
    return this.#chunkAt(start).subarray(start % chunkBytes, (start % chunkBytes) + length);
  }

  #chunkAt(start: number): Uint8Array {
    return (this.#chunks[Math.floor(start / chunkBytes)] ??= new Uint8Array(chunkBytes));
  }
}

/** Returns the offset of the next trigram signature. No signature is split between two buffers. */
export function findNextSignatureOffset(end: number, length: number): number {
  const left = chunkBytes - (end % chunkBytes);
  return length > left ? end + left : end;
}

export function createSignatureReference(start: number, length: number): number {
  return start * 32 + Math.log2(length);
}
