import { UnreadableError } from '../unreadable.ts';

const signature = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const headerBytes = 512;
const entryBytes = 128;
/** The header of the file lists this number of sectors of the allocation table. A chain of sectors lists the others. */
const headerTableSectors = 109;
const maxEntries = 20_000;
/** Limits the total size of all streams, because a damaged file can name the same chain of sectors in many entries. */
const maxReadBytes = 192 * 1024 * 1024;

export interface CompoundEntry {
  name: string;
  isStorage: boolean;
  start: number;
  size: number;
  left: number;
  right: number;
  child: number;
}

/** Returns whether the bytes are a compound file (MS-CFB), the container of the Office formats before 2007. */
export function isCompoundFile(bytes: Buffer): boolean {
  return bytes.length >= headerBytes && bytes.subarray(0, 8).equals(signature);
}

/**
 * Reads the storages (folders) and streams (files) of a compound file. Its numbers are checked against the file length,
 * and a chain cannot have more sectors than the table that links them.
 */
export class CompoundFile {
  readonly entries: readonly CompoundEntry[];
  readonly #bytes: Buffer;
  readonly #sectorBytes: number;
  readonly #miniBytes: number;
  readonly #miniCutoff: number;
  readonly #table: Uint32Array;
  readonly #miniTable: Uint32Array;
  readonly #miniStream: Buffer;
  #left = maxReadBytes;

  constructor(bytes: Buffer) {
    if (!isCompoundFile(bytes)) throw new UnreadableError('the file is not an OLE compound file');
    this.#bytes = bytes;
    const shift = bytes.readUInt16LE(30);
    const miniShift = bytes.readUInt16LE(32);
    if (shift < 7 || shift > 16 || miniShift > shift) throw new UnreadableError('the sector size is invalid');
    this.#sectorBytes = 1 << shift;
    this.#miniBytes = 1 << miniShift;
    this.#miniCutoff = bytes.readUInt32LE(56);
    this.#table = toNumbers(this.#tableSectors().map(sector => this.#sector(sector)));
    this.#miniTable = toNumbers([this.#chain(bytes.readUInt32LE(60), Number.POSITIVE_INFINITY)]);
    this.entries = this.#readEntries(this.#chain(bytes.readUInt32LE(48), Number.POSITIVE_INFINITY));
    const [root] = this.entries;
    this.#miniStream = root === undefined ? Buffer.alloc(0) : this.#chain(root.start, root.size);
  }

  get root(): CompoundEntry | undefined {
    return this.entries[0];
  }

  /**
   * Returns a stream by its name. Upper and lower case are equal. The streams of embedded documents are ignored,
   * because they are in storages below the root.
   */
  stream(name: string, storage = this.root): Buffer | undefined {
    const wanted = name.toLowerCase();
    const entry = this.children(storage).find(each => !each.isStorage && each.name.toLowerCase() === wanted);
    return entry && this.read(entry);
  }

  storage(name: string): CompoundEntry | undefined {
    return this.children(this.root).find(each => each.isStorage && each.name === name);
  }

  read({ start, size }: CompoundEntry): Buffer {
    if (size >= this.#miniCutoff) return this.#chain(start, size);
    return this.#chain(start, size, this.#miniTable, sector => this.#miniSector(sector));
  }

  /** Returns the entries of a storage. They are stored as a binary tree. */
  children(storage: CompoundEntry | undefined): CompoundEntry[] {
    const found: CompoundEntry[] = [];
    const seen = new Set<number>();
    const waiting = storage === undefined ? [] : [storage.child];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const entry = this.entries[index];
      if (entry === undefined || seen.has(index)) continue;
      seen.add(index);
      found.push(entry);
      waiting.push(entry.right, entry.left);
    }
    return found;
  }

  #sector(sector: number): Buffer {
    const start = (sector + 1) * this.#sectorBytes;
    return this.#bytes.subarray(start, start + this.#sectorBytes);
  }

  #tableSectors(): number[] {
    const bytes = this.#bytes;
    const count = Math.min(bytes.readUInt32LE(44), Math.ceil(bytes.length / this.#sectorBytes));
    const sectors: number[] = [];
    for (let index = 0; index < Math.min(count, headerTableSectors); index++)
      sectors.push(bytes.readUInt32LE(76 + 4 * index));
    const perSector = this.#sectorBytes / 4 - 1;
    let next = bytes.readUInt32LE(68);
    while (sectors.length < count) {
      const sector = this.#sector(next);
      if (sector.length < this.#sectorBytes) break;
      for (let index = 0; index < perSector && sectors.length < count; index++)
        sectors.push(sector.readUInt32LE(4 * index));
      next = sector.readUInt32LE(4 * perSector);
    }
    return sectors;
  }

  /** Returns the bytes of a chain of sectors, up to a size. */
  #chain(
    first: number,
    size: number,
    table = this.#table,
    sectorAt = (sector: number): Buffer => this.#sector(sector),
  ): Buffer {
    const parts: Buffer[] = [];
    let [sector, length] = [first, 0];
    while (length < size && length <= this.#left && parts.length < table.length) {
      const next = table[sector];
      const part = sectorAt(sector);
      if (next === undefined || part.length === 0) break;
      parts.push(part);
      length += part.length;
      sector = next;
    }
    const shown = Math.min(length, size);
    this.#left -= shown;
    if (this.#left < 0) throw new UnreadableError('the streams of the compound file are too large');
    return Buffer.concat(parts, shown);
  }

  #miniSector(sector: number): Buffer {
    const start = sector * this.#miniBytes;
    return this.#miniStream.subarray(start, start + this.#miniBytes);
  }

  #readEntries(directory: Buffer): CompoundEntry[] {
    const entries: CompoundEntry[] = [];
    for (let at = 0; at + entryBytes <= directory.length && entries.length < maxEntries; at += entryBytes) {
      const nameBytes = Math.min(62, directory.readUInt16LE(at + 64) - 2);
      const type = directory[at + 66];
      entries.push({
        name: type === 0 ? '' : directory.toString('utf16le', at, at + (nameBytes & ~1)),
        isStorage: type === 1 || type === 5,
        left: directory.readUInt32LE(at + 68),
        right: directory.readUInt32LE(at + 72),
        child: directory.readUInt32LE(at + 76),
        start: directory.readUInt32LE(at + 116),
        size: directory.readUInt32LE(at + 120),
      });
    }
    return entries;
  }
}

function toNumbers(parts: readonly Buffer[]): Uint32Array {
  const bytes = Buffer.concat(parts);
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readUInt32LE(4 * index));
}
