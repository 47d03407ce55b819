import { extractText } from '../../src/documents/index.ts';

/** A storage contains streams and other storages by their names. */
export interface Storage {
  [name: string]: Buffer | Storage;
}

interface Options {
  /** Streams below this size are stored in the mini stream. The value 0 stores all streams in normal sectors. */
  miniCutoff?: number;
}

const sector = 512;
const mini = 64;
const [free, endOfChain, tableSector] = [0xffff_ffff, 0xffff_fffe, 0xffff_fffd];

interface Item {
  name: string;
  type: 1 | 2 | 5;
  content: Buffer;
  start: number;
  child: number;
  next: number;
}

/** Writes a compound file (MS-CFB) with these storages and streams. */
export function compound(root: Storage, { miniCutoff = 4096 }: Options = {}): Buffer {
  const items = listItems(root);
  const minis = items.filter(({ type, content }) => type === 2 && content.length < miniCutoff);
  const miniTable: number[] = [];
  const miniParts = minis.map(item => {
    item.start = addChain(miniTable, Math.ceil(item.content.length / mini));
    return padded(item.content, mini);
  });
  const [rootItem] = items;
  if (rootItem !== undefined) rootItem.content = Buffer.concat(miniParts);
  const table: number[] = [];
  const parts: Buffer[] = [];
  const place = (bytes: Buffer): number => {
    if (bytes.length === 0) return endOfChain;
    parts.push(padded(bytes, sector));
    return addChain(table, Math.ceil(bytes.length / sector));
  };
  for (const item of items) if (!minis.includes(item) && item.type !== 1) item.start = place(item.content);
  const miniTableStart = place(numbers(miniTable));
  const directoryStart = place(Buffer.concat(items.map(entry)));
  const tableStart = table.length;
  // One sector of the allocation table contains the entries of 128 sectors, including its own.
  const tableSectors = Math.ceil((table.length + 1) / 127);
  for (let index = 0; index < tableSectors; index++) table.push(tableSector);
  parts.push(padded(numbers(table), sector, 0xff));
  const header = Buffer.alloc(sector);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(tableSectors, 44);
  header.writeUInt32LE(directoryStart, 48);
  header.writeUInt32LE(miniCutoff, 56);
  header.writeUInt32LE(miniTableStart, 60);
  header.writeUInt32LE(endOfChain, 68);
  for (let index = 0; index < 109; index++)
    header.writeUInt32LE(index < tableSectors ? tableStart + index : free, 76 + 4 * index);
  return Buffer.concat([header, ...parts]);
}

/** Returns all entries of the file. The root entry is first, and each entry points to its next sibling. */
function listItems(root: Storage): Item[] {
  const items: Item[] = [createItem('Root Entry', 5, Buffer.alloc(0))];
  const addChildren = (storage: Storage, parent: number): void => {
    let last: Item | undefined;
    for (const [name, value] of Object.entries(storage)) {
      const item = createItem(name, Buffer.isBuffer(value) ? 2 : 1, Buffer.isBuffer(value) ? value : Buffer.alloc(0));
      const index = items.push(item) - 1;
      const holder = items[parent];
      if (last !== undefined) last.next = index;
      else if (holder !== undefined) holder.child = index;
      last = item;
      if (!Buffer.isBuffer(value)) addChildren(value, index);
    }
  };
  addChildren(root, 0);
  return items;
}

function createItem(name: string, type: Item['type'], content: Buffer): Item {
  return { name, type, content, start: endOfChain, child: free, next: free };
}

function addChain(table: number[], count: number): number {
  const start = table.length;
  for (let index = 1; index <= count; index++) table.push(index === count ? endOfChain : start + index);
  return count === 0 ? endOfChain : start;
}

function entry({ name, type, content, start, child, next }: Item): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(name, 'utf16le');
  bytes.writeUInt16LE(2 * name.length + 2, 64);
  bytes[66] = type;
  // The real tree of siblings depends on the names. Here an entry has one sibling, on the left if its name is odd in length.
  const [left, right] = name.length % 2 === 1 ? [next, free] : [free, next];
  bytes.writeUInt32LE(left, 68);
  bytes.writeUInt32LE(right, 72);
  bytes.writeUInt32LE(child, 76);
  bytes.writeUInt32LE(start, 116);
  bytes.writeUInt32LE(content.length, 120);
  return bytes;
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32LE(value, 4 * index));
  return bytes;
}

function padded(bytes: Buffer, unit: number, fill = 0): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((unit - (bytes.length % unit)) % unit, fill)]);
}

/** Builds a Word 97 document from pieces with one or two bytes for each character. */
export function word(...pieces: readonly { text: string; isWide?: boolean }[]): Storage {
  const document = Buffer.alloc(0x400);
  const texts = pieces.map(({ text, isWide = false }) => Buffer.from(text, isWide ? 'utf16le' : 'latin1'));
  let [offset, position] = [document.length, 0];
  const positions = [0];
  const descriptors = pieces.map(({ text, isWide = false }, index) => {
    const descriptor = Buffer.alloc(8);
    descriptor.writeUInt32LE(isWide ? offset : (2 * offset + 0x4000_0000) >>> 0, 2);
    offset += texts[index]?.length ?? 0;
    positions.push((position += text.length));
    return descriptor;
  });
  const plc = Buffer.concat([numbers(positions), ...descriptors]);
  const clx = Buffer.concat([Buffer.of(1, 2, 0, 9, 9), Buffer.of(2), numbers([plc.length]), plc]);
  document.writeUInt16LE(0xa5ec, 0);
  document.writeUInt16LE(193, 2);
  document.writeUInt16LE(0x0200, 10);
  document.writeUInt32LE(4, 0x1a2);
  document.writeUInt32LE(clx.length, 0x1a6);
  return { WordDocument: Buffer.concat([document, ...texts]), '1Table': Buffer.concat([Buffer.alloc(4), clx]) };
}

/** Builds an Excel record, which consists of a type, a length and a body. */
export function excelRecord(type: number, ...body: readonly (Buffer | number[])[]): Buffer {
  const bytes = Buffer.concat(body.map(part => Buffer.from(part)));
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
}

/** Builds a PowerPoint record. If the body is an array of records, the record is a container. */
export function slideRecord(type: number, body: Buffer | readonly Buffer[], instance = 0): Buffer {
  const isContainer = !Buffer.isBuffer(body);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.concat(body);
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | (isContainer ? 0xf : 0), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function uint32(...values: readonly number[]): Buffer {
  return numbers(values);
}

/** Each workbook and each sheet of Excel 97 starts with this record. */
export const workbookStart = excelRecord(0x0809, uint16(0x0600), uint16(5));
/** Encodes a text as an Excel 97 string with one byte for each character. */
export const narrowText = (text: string): Buffer =>
  Buffer.concat([uint16(text.length), Buffer.of(0), Buffer.from(text, 'latin1')]);

/** Builds a presentation. Its persist directory contains the positions of the objects. */
export function presentation(objects: readonly Buffer[], edit: readonly Buffer[] = []): Storage {
  let offset = 0;
  const offsets = objects.map(bytes => (offset += bytes.length) - bytes.length);
  const directory = slideRecord(6002, uint32((objects.length << 20) | 1, ...offsets));
  const userEdit = slideRecord(4085, Buffer.concat([uint32(0, 0, 0, offset, 1, 0, 0), ...edit]));
  return {
    'PowerPoint Document': Buffer.concat([...objects, directory, userEdit]),
    'Current User': Buffer.concat([uint32(0, 0, 0, 0), uint32(offset + directory.length)]),
  };
}

export const slideText = (text: string): Buffer => slideRecord(4000, Buffer.from(text, 'utf16le'));

/** Extracts the text of an Office document with the given extension. */
export const readOfficeText = (bytes: Buffer, extension: string): string | undefined =>
  extractText(bytes, 'office', extension)?.text.toString();
