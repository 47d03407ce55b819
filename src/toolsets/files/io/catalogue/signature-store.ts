import { mayHold } from '../../model/search/signature.ts';

const chunkBytes = 1 << 20;
/** Beyond this nothing more is signed: files without a signature are read each time. */
const maxBytes = 256 << 20;
/** Smaller numbers than that mean something else where the number of a signature may stand. */
export const firstSignature = 16;

/** Signatures side by side in a few large pieces of memory, each known by a number: a view of its own would be larger than most of them. */
export class SignatureStore {
  readonly chunks: Uint8Array[] = [];
  #end = 0;
  #freed = 0;

  get bytes(): number {
    return this.#end;
  }

  get isFull(): boolean {
    return this.#end >= maxBytes;
  }

  /** Whether most of the memory holds what nobody asks for any more. */
  get isWasteful(): boolean {
    return this.#freed > 8 << 20 && this.#freed > this.#end / 2;
  }

  add(signature: Uint8Array): number {
    if ((this.#end % chunkBytes) + signature.length > chunkBytes) this.#end = this.chunks.length * chunkBytes;
    const chunk = (this.chunks[Math.floor(this.#end / chunkBytes)] ??= new Uint8Array(chunkBytes));
    chunk.set(signature, this.#end % chunkBytes);
    const number = firstSignature + this.#end * 32 + Math.log2(signature.length);
    this.#end += signature.length;
    return number;
  }

  free(number: number): void {
    this.#freed += 1 << ((number - firstSignature) % 32);
  }

  mayHold(number: number, hashes: Uint32Array): boolean {
    return mayHold(this.get(number), hashes);
  }

  get(number: number): Uint8Array {
    const start = Math.floor((number - firstSignature) / 32);
    const length = 1 << ((number - firstSignature) % 32);
    const chunk = this.chunks[Math.floor(start / chunkBytes)] ?? new Uint8Array(0);
    return chunk.subarray(start % chunkBytes, (start % chunkBytes) + length);
  }
}
