import { write } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import * as zlib from 'node:zlib';
import { storageFailure } from '../model/refusal.ts';

export type Method = 'store' | 'deflate';

const methods: Record<Method, number> = { store: 0, deflate: 8 };
/** What the old fields of 32 and 16 bits hold when the value is in the 64-bit extension. */
const max32 = 0xffff_ffff;
const max16 = 0xffff;
/** From here on a local header has room for 64-bit sizes: packing may make a file a little longer. */
const zip64FromBytes = 0xf000_0000;
/** The first day the format knows. Always the same, so that the same book gives the same bytes. */
const firstDay = (1 << 5) | 1;
const utf8Names = 0x0800;
/** What zlib gets to put its output into; smaller memory could be shared with others. */
const outputBytes = 1 << 16;
const plainFile = 0o100_644 * 0x1_0000;

interface ZipEntry {
  name: Buffer;
  method: Method;
  crc: number;
  size: number;
  packedSize: number;
  offset: number;
}

/** Writes a ZIP file front to back. An entry that fails is taken back as if it had never been begun. */
export class ZipWriter {
  readonly #descriptor: number;
  readonly #level: number;
  readonly #shredder = new Shredder();
  readonly #entries: ZipEntry[] = [];
  #position = 0;

  constructor(descriptor: number, level: number) {
    this.#descriptor = descriptor;
    this.#level = level;
  }

  get bytes(): number {
    return this.#position;
  }

  /** A file that is in memory and packed already. Its memory is given up with it. */
  async addPacked(name: string, packed: Packed): Promise<void> {
    const packedSize = packed.data.reduce((sum, piece) => sum + piece.length, 0);
    const entry = { ...packed, name: Buffer.from(name, 'utf8'), packedSize, offset: this.#position };
    await this.#write(localHeader(entry), this.#position);
    this.#position += headerBytes(entry);
    for (const piece of packed.data) {
      await this.#write(piece, this.#position);
      this.#position += piece.length;
      this.#shredder.add(piece);
    }
    this.#shredder.flush();
    this.#entries.push(entry);
  }

  /** A file of any size, piece by piece. `check` is asked before each piece and throws to give up. */
  async addPieces(
    name: string,
    method: Method,
    size: number,
    pieces: AsyncIterable<Uint8Array>,
    check: () => void,
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
    let at = this.#position + headerBytes(entry);
    let seen = 0;
    try {
      for await (const piece of pieces) {
        check();
        entry.crc = crc32(piece, entry.crc);
        seen += piece.length;
        for (const data of packer === undefined ? [piece] : await packer.add(piece)) {
          await this.#write(data, at);
          at += data.length;
          if (packer !== undefined) this.#shredder.add(data);
        }
      }
      if (seen !== size) throw storageFailure('BUSY', `${name} has changed while it was read.`);
      for (const data of (await packer?.end()) ?? []) {
        await this.#write(data, at);
        at += data.length;
        this.#shredder.add(data);
      }
    } finally {
      packer?.close();
      this.#shredder.flush();
    }
    entry.packedSize = at - this.#position - headerBytes(entry);
    await this.#write(localHeader(entry), this.#position);
    this.#position = at;
    this.#entries.push(entry);
  }

  /** The directory at the end, without which the file does not open. */
  async finish(): Promise<void> {
    const start = this.#position;
    for (const entry of this.#entries) {
      const header = centralHeader(entry);
      await this.#write(header, this.#position);
      this.#position += header.length;
    }
    const end = endRecords(this.#entries.length, this.#position - start, start);
    await this.#write(end, this.#position);
    this.#position += end.length;
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
class Shredder {
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

function isLarge(entry: ZipEntry): boolean {
  return entry.size >= zip64FromBytes;
}

function headerBytes(entry: ZipEntry): number {
  return 30 + entry.name.length + (isLarge(entry) ? 20 : 0);
}

function localHeader(entry: ZipEntry): Buffer {
  const header = Buffer.alloc(headerBytes(entry));
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(isLarge(entry) ? 45 : 20, 4);
  writeCommon(header, 6, entry);
  header.writeUInt32LE(isLarge(entry) ? max32 : entry.packedSize, 18);
  header.writeUInt32LE(isLarge(entry) ? max32 : entry.size, 22);
  header.writeUInt16LE(entry.name.length, 26);
  header.writeUInt16LE(isLarge(entry) ? 20 : 0, 28);
  entry.name.copy(header, 30);
  if (isLarge(entry)) extension([entry.size, entry.packedSize]).copy(header, 30 + entry.name.length);
  return header;
}

function centralHeader(entry: ZipEntry): Buffer {
  const isBig = isLarge(entry) || entry.packedSize >= max32;
  const isFar = entry.offset >= max32;
  const wide = [...(isBig ? [entry.size, entry.packedSize] : []), ...(isFar ? [entry.offset] : [])];
  const extra = wide.length === 0 ? Buffer.alloc(0) : extension(wide);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE((3 << 8) | 45, 4);
  header.writeUInt16LE(wide.length === 0 ? 20 : 45, 6);
  writeCommon(header, 8, entry);
  header.writeUInt32LE(isBig ? max32 : entry.packedSize, 20);
  header.writeUInt32LE(isBig ? max32 : entry.size, 24);
  header.writeUInt16LE(entry.name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(plainFile, 38);
  header.writeUInt32LE(isFar ? max32 : entry.offset, 42);
  return Buffer.concat([header, entry.name, extra]);
}

/** Flags, method, time, date and checksum, which both headers have in this order. */
function writeCommon(header: Buffer, at: number, entry: ZipEntry): void {
  header.writeUInt16LE(utf8Names, at);
  header.writeUInt16LE(methods[entry.method], at + 2);
  header.writeUInt16LE(0, at + 4);
  header.writeUInt16LE(firstDay, at + 6);
  header.writeUInt32LE(entry.crc, at + 8);
}

function extension(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(values.length * 8, 2);
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return extra;
}

function endRecords(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, max16), 8);
  end.writeUInt16LE(Math.min(count, max16), 10);
  end.writeUInt32LE(Math.min(size, max32), 12);
  end.writeUInt32LE(Math.min(offset, max32), 16);
  if (count < max16 && size < max32 && offset < max32) return end;
  const wide = Buffer.alloc(76);
  wide.writeUInt32LE(0x06064b50, 0);
  wide.writeBigUInt64LE(44n, 4);
  wide.writeUInt16LE((3 << 8) | 45, 12);
  wide.writeUInt16LE(45, 14);
  wide.writeBigUInt64LE(BigInt(count), 24);
  wide.writeBigUInt64LE(BigInt(count), 32);
  wide.writeBigUInt64LE(BigInt(size), 40);
  wide.writeBigUInt64LE(BigInt(offset), 48);
  wide.writeUInt32LE(0x07064b50, 56);
  wide.writeBigUInt64LE(BigInt(offset + size), 64);
  wide.writeUInt32LE(1, 72);
  return Buffer.concat([wide, end]);
}

function crc32(bytes: Uint8Array, start: number): number {
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
