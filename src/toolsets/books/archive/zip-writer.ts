import { write } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import * as zlib from 'node:zlib';
import { createStorageFailure } from '../model/refusal.ts';
import {
  type CompressionMethod,
  computeLocalHeaderLength,
  createCentralHeader,
  createEndRecords,
  createLocalHeader,
  type ZipEntry,
} from '../model/zip-records.ts';

/** Writes a ZIP file entry by entry. If an entry fails, the next entry overwrites it, or the file is truncated. */
export class ZipWriter {
  readonly #descriptor: number;
  readonly #level: number;
  readonly #output = new OutputMemory();
  readonly #entries: ZipEntry[] = [];
  #position = 0;

  constructor(descriptor: number, level: number) {
    this.#descriptor = descriptor;
    this.#level = level;
  }

  get bytes(): number {
    return this.#position;
  }

  /** Adds a file that was compressed in memory, and then releases its buffers. */
  async addPacked(name: string, packed: CompressedFile): Promise<void> {
    const packedSize = packed.data.reduce((sum, piece) => sum + piece.length, 0);
    const entry = { ...packed, name: Buffer.from(name, 'utf8'), packedSize, offset: this.#position };
    await this.#write(createLocalHeader(entry), this.#position);
    this.#position += computeLocalHeaderLength(entry);
    this.#position = await this.#writePacked(packed.data, this.#position);
    this.#output.giveBackAll();
    this.#entries.push(entry);
  }

  /**
   * Adds a file of any size in chunks. `check` is called with the offset before each chunk, and throws to abort the
   * file.
   */
  async addPieces(
    name: string,
    method: CompressionMethod,
    size: number,
    pieces: AsyncIterable<Uint8Array>,
    check: (seen: number) => void,
  ): Promise<void> {
    const entry: ZipEntry = {
      name: Buffer.from(name, 'utf8'),
      method,
      crc: 0,
      size,
      packedSize: 0,
      offset: this.#position,
    };
    const packer = method === 'deflate' ? new Packer(this.#level) : undefined;
    let at = this.#position + computeLocalHeaderLength(entry);
    let seen = 0;
    try {
      for await (const piece of pieces) {
        check(seen);
        entry.crc = crc32(piece, entry.crc);
        seen += piece.length;
        if (packer !== undefined) at = await this.#writePacked(await packer.add(piece), at);
        else {
          await this.#write(piece, at);
          at += piece.length;
        }
      }
      if (seen !== size) throw createStorageFailure('BUSY', `${name} was changed while it was read.`);
      if (packer !== undefined) at = await this.#writePacked(await packer.end(), at);
    } finally {
      packer?.close();
      this.#output.giveBackAll();
    }
    entry.packedSize = at - this.#position - computeLocalHeaderLength(entry);
    await this.#write(createLocalHeader(entry), this.#position);
    this.#position = at;
    this.#entries.push(entry);
  }

  /** Writes the central directory, which completes the ZIP file. */
  async finish(): Promise<void> {
    const start = this.#position;
    for (const entry of this.#entries) {
      const header = createCentralHeader(entry);
      await this.#write(header, this.#position);
      this.#position += header.length;
    }
    const end = createEndRecords(this.#entries.length, this.#position - start, start);
    await this.#write(end, this.#position);
    this.#position += end.length;
  }

  /** Writes compressed chunks, releases their buffers and returns the offset after them. */
  async #writePacked(pieces: readonly Uint8Array[], position: number): Promise<number> {
    let at = position;
    for (const piece of pieces) {
      await this.#write(piece, at);
      at += piece.length;
      this.#output.giveBack(piece);
    }
    return at;
  }

  async #write(data: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < data.length; ) {
      const from = done;
      done += await new Promise<number>((resolve, reject) => {
        write(this.#descriptor, data, from, data.length - from, position + from, (error, count) =>
          error === null ? resolve(count) : reject(error),
        );
      });
    }
  }
}

/**
 * The size of zlib's output buffer. It is not smaller, because smaller buffers would come from Node's shared buffer
 * pool and could not be freed.
 */
const outputBytes = 1 << 16;

export interface CompressedFile {
  method: CompressionMethod;
  crc: number;
  size: number;
  data: readonly Uint8Array[];
}

/** Compresses the bytes of a file in memory. */
export async function compressFile(bytes: Uint8Array, level: number): Promise<CompressedFile> {
  const packer = new Packer(level);
  try {
    const data = [...(await packer.add(bytes)), ...(await packer.end())];
    return { method: 'deflate', crc: crc32(bytes, 0), size: bytes.length, data };
  } finally {
    packer.close();
  }
}

/** Compresses a stream: it takes one chunk at a time and returns the output that is available. */
class Packer {
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
    // The function waits until zlib has read the chunk, because the caller then reuses its buffer.
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
 * Frees zlib's output buffers as soon as they are written. Otherwise 60 MB of them would accumulate, because memory
 * outside of the heap does not trigger garbage collection.
 */
class OutputMemory {
  readonly #nowhere: MessagePort;
  #last: ArrayBufferLike | undefined;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    port1.close();
    this.#nowhere = port1;
  }

  /**
   * Releases a chunk after it was written. Its buffer is freed when a chunk from another buffer follows, because zlib
   * can still write to the rest of it.
   */
  giveBack(piece: Uint8Array): void {
    if (piece.buffer !== this.#last) this.giveBackAll();
    this.#last = piece.buffer;
  }

  /** Releases all buffers. zlib must have finished. */
  giveBackAll(): void {
    const memory = this.#last;
    this.#last = undefined;
    // The buffer is transferred to a closed message port, which frees its memory immediately.
    if (memory instanceof ArrayBuffer && memory.byteLength === outputBytes) this.#nowhere.postMessage(memory, [memory]);
  }
}

function crc32(bytes: Uint8Array, start: number): number {
  // Node before version 20.15 has no zlib.crc32.
  return typeof zlib.crc32 === 'function' ? zlib.crc32(bytes, start) : computeCrc32WithoutZlib(bytes, start);
}

export function computeCrc32WithoutZlib(bytes: Uint8Array, start: number): number {
  let crc = ~start;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return ~crc >>> 0;
}
