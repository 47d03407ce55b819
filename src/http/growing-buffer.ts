const initialBytes = 16_384;

/**
 * Collects chunks by copying them into one buffer. A list of the chunks would keep a buffer object of several hundred
 * bytes alive for each of them, also for a chunk of one byte.
 */
export class GrowingBuffer {
  #buffer: Buffer;
  length = 0;

  /** `expectedBytes` is the length if it is known; a longer or shorter content is permitted. */
  constructor(expectedBytes = initialBytes) {
    this.#buffer = Buffer.allocUnsafe(expectedBytes);
  }

  append(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, this.#buffer.length * 2));
      this.#buffer.copy(grown, 0, 0, this.length);
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  /** Returns the content without unused capacity, because caches keep the result. */
  toBuffer(): Buffer {
    return this.length === this.#buffer.length ? this.#buffer : Buffer.from(this.#buffer.subarray(0, this.length));
  }
}
