import type { MessagePort } from 'node:worker_threads';
import * as zlib from 'node:zlib';
import type { Method } from '../../model/zip-records.ts';

/** What zlib gets to put its output into; smaller memory could be shared with others. */
const outputBytes = 1 << 16;

export interface Packed {
  method: Method;
  crc: number;
  size: number;
  data: readonly Uint8Array[];
}

/** Packs a file that is in memory, beside whatever else is going on. */
export async function pack(bytes: Uint8Array, level: number): Promise<Packed> {
  const packer = new Packer(level);
  try {
    const data = [...(await packer.add(bytes)), ...(await packer.end())];
    return { method: 'deflate', crc: crc32(bytes, 0), size: bytes.length, data };
  } finally {
    packer.close();
  }
}

/** zlib as a function: a piece in, what has come out of it. */
export class Packer {
  readonly #stream: zlib.DeflateRaw;
  #out: Buffer[] = [];
  #error: Error | undefined;

  constructor(level: number) {
    this.#stream = zlib.createDeflateRaw({ level, chunkSize: outputBytes });
    this.#stream.on('data', (data: Buffer) => this.#out.push(data));
    this.#stream.on('error', error => {
      this.#error = error;
    });
  }

  async add(piece: Uint8Array): Promise<Buffer[]> {
    // The piece's memory is used again after this, so zlib must be through with it.
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(piece, error => (error === null || error === undefined ? resolve() : reject(error)));
    });
    return this.#take();
  }

  async end(): Promise<Buffer[]> {
    await new Promise<void>((resolve, reject) => {
      this.#stream.on('end', resolve).on('error', reject);
      this.#stream.end();
    });
    return this.#take();
  }

  close(): void {
    this.#stream.destroy();
  }

  #take(): Buffer[] {
    if (this.#error !== undefined) throw this.#error;
    const out = this.#out;
    this.#out = [];
    return out;
  }
}

/**
 * Gives the memory of what zlib has put out back to the system. The collector would let 60 MB of it pile up, which is
 * the whole archive of many a book: memory outside of its own heap does not hurry it.
 */
export class OutputMemory {
  readonly #nowhere: MessagePort;
  #last: ArrayBufferLike | undefined;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    port1.close();
    this.#nowhere = port1;
  }

  /** A piece that is written. zlib may still be filling up the memory behind it, until there is a piece with another. */
  giveBack(piece: Uint8Array): void {
    if (piece.buffer !== this.#last) this.giveBackAll();
    this.#last = piece.buffer;
  }

  /** All that was put out is written, and zlib is through. */
  giveBackAll(): void {
    const memory = this.#last;
    this.#last = undefined;
    // What is handed over to nobody is gone.
    if (memory instanceof ArrayBuffer && memory.byteLength === outputBytes) this.#nowhere.postMessage(memory, [memory]);
  }
}

export function crc32(bytes: Uint8Array, start: number): number {
  // Since Node 20.15; before that by hand.
  return typeof zlib.crc32 === 'function' ? zlib.crc32(bytes, start) : slowCrc32(bytes, start);
}

export function slowCrc32(bytes: Uint8Array, start: number): number {
  let crc = ~start;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return ~crc >>> 0;
}
