import { write } from 'node:fs';
import { storageFailure } from '../../model/refusal.ts';
import {
  centralHeader,
  endRecords,
  headerBytes,
  localHeader,
  type Method,
  type ZipEntry,
} from '../../model/zip-records.ts';
import { crc32, OutputMemory, type Packed, Packer } from './deflate.ts';

/** Writes a ZIP file front to back. An entry that fails is taken back as if it had never been begun. */
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

  /** A file that is in memory and packed already. Its memory is given up with it. */
  async addPacked(name: string, packed: Packed): Promise<void> {
    const packedSize = packed.data.reduce((sum, piece) => sum + piece.length, 0);
    const entry = { ...packed, name: Buffer.from(name, 'utf8'), packedSize, offset: this.#position };
    await this.#write(localHeader(entry), this.#position);
    this.#position += headerBytes(entry);
    this.#position = await this.#writePacked(packed.data, this.#position);
    this.#output.giveBackAll();
    this.#entries.push(entry);
  }

  /** A file of any size, piece by piece. `check` is told before each piece how far it is, and throws to give up. */
  async addPieces(
    name: string,
    method: Method,
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
    let at = this.#position + headerBytes(entry);
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
      if (seen !== size) throw storageFailure('BUSY', `${name} has changed while it was read.`);
      if (packer !== undefined) at = await this.#writePacked(await packer.end(), at);
    } finally {
      packer?.close();
      this.#output.giveBackAll();
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

  /** Gives up the memory of what it has written, and tells the place behind it. */
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
