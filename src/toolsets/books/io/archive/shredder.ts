import type { MessagePort } from 'node:worker_threads';
import { outputBytes } from './packer.ts';

/**
 * Gives the memory of what zlib has put out back to the system. The collector would let 60 MB of it pile up, which is
 * the whole archive of many a book: memory outside of its own heap does not hurry it.
 */
export class Shredder {
  readonly #nowhere: MessagePort;
  #last: ArrayBufferLike | undefined;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    port1.close();
    this.#nowhere = port1;
  }

  /** A piece that is written. zlib may still be filling up the memory behind it, until there is a piece with another. */
  add(piece: Uint8Array): void {
    if (piece.buffer !== this.#last) this.flush();
    this.#last = piece.buffer;
  }

  /** All that was put out is written, and zlib is through. */
  flush(): void {
    const memory = this.#last;
    this.#last = undefined;
    // What is handed over to nobody is gone.
    if (memory instanceof ArrayBuffer && memory.byteLength === outputBytes) this.#nowhere.postMessage(memory, [memory]);
  }
}
