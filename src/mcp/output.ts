import type { Writable } from 'node:stream';

/**
 * The size of unsent output above which the server reads no further requests. The limit must exceed the capacity of a
 * pipe.
 */
const maxUnsentBytes = 16 * 1024 * 1024;
/** The size of unsent output below which the server reads requests again. */
const resumeBytes = 4 * 1024 * 1024;
/**
 * Waiting lines are joined into blocks of this number of bytes, because a stream needs a few hundred bytes for each
 * buffer in its queue.
 */
const blockBytes = 256 * 1024;

/** Writes lines in order, and reports when the client reads more slowly than the server writes. */
export class OutputWriter {
  readonly #stream: Writable;
  readonly #onFull: () => void;
  readonly #onDrained: () => void;
  readonly #blocks: Block[] = [];
  #queuedBytes = 0;
  #isBlocked = false;
  #isFull = false;

  constructor(stream: Writable, onFull: () => void, onDrained: () => void) {
    this.#stream = stream;
    this.#onFull = onFull;
    this.#onDrained = onDrained;
    stream.on('drain', () => this.#sendNext());
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  write(line: Buffer): void {
    if (!this.#stream.writable) return;
    if (this.#isBlocked) this.#enqueue(line);
    else this.#isBlocked = !this.#stream.write(line);
    if (this.#isFull || this.#unsentBytes <= maxUnsentBytes) return;
    this.#isFull = true;
    this.#onFull();
  }

  /** Writes all waiting lines to the stream. */
  flush(): void {
    for (const block of this.#blocks.splice(0)) this.#stream.write(block.content);
    this.#queuedBytes = 0;
  }

  get #unsentBytes(): number {
    return this.#stream.writableLength + this.#queuedBytes;
  }

  #enqueue(line: Buffer): void {
    this.#queuedBytes += line.length;
    const last = this.#blocks.at(-1);
    if (last?.append(line) === true) return;
    const block = new Block(Math.max(blockBytes, line.length));
    block.append(line);
    this.#blocks.push(block);
  }

  #sendNext(): void {
    this.#isBlocked = false;
    while (!this.#isBlocked) {
      const block = this.#blocks.shift();
      if (block === undefined) break;
      this.#queuedBytes -= block.length;
      this.#isBlocked = !this.#stream.write(block.content);
    }
    if (!this.#isFull || this.#unsentBytes > resumeBytes) return;
    this.#isFull = false;
    this.#onDrained();
  }
}

class Block {
  readonly #bytes: Buffer;
  length = 0;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  get content(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  /** Appends the line if the block has room for it, and returns whether it did. */
  append(line: Buffer): boolean {
    if (this.length + line.length > this.#bytes.length) return false;
    line.copy(this.#bytes, this.length);
    this.length += line.length;
    return true;
  }
}
