const minCapacity = 16_384;

/**
 * Collects chunks by copying them into one buffer. An array of chunks would keep a buffer object of several hundred
 * bytes for each chunk, even for a chunk of one byte. A single chunk is returned without a copy.
 */
export class GrowingBuffer {
  #buffer: Buffer;
  length = 0;

  /** `capacity` avoids further allocations if the length of the content is known. The actual length may differ. */
  constructor(capacity = 0) {
    this.#buffer = Buffer.allocUnsafe(capacity);
  }

  append(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (this.#buffer.length === 0) this.#buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    else {
      if (length > this.#buffer.length) this.#grow(length);
      this.#buffer.set(chunk, this.length);
    }
    this.length = length;
  }

  /**
   * Returns the content. If more than a quarter of the buffer is unused, the content is copied, because caches keep it.
   */
  toBuffer(): Buffer {
    const content = this.#buffer.subarray(0, this.length);
    return this.length * 4 >= this.#buffer.length * 3 ? content : Buffer.from(content);
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafe(Math.max(length, this.#buffer.length * 2, minCapacity));
    this.#buffer.copy(grown, 0, 0, this.length);
    this.#buffer = grown;
  }
}
