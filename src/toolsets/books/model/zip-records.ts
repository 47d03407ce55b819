/** The binary records of a ZIP file are defined in PKWARE's APPNOTE, sections 4.3 and 4.5.3. */

export type CompressionMethod = 'store' | 'deflate';

const methods: Record<CompressionMethod, number> = { store: 0, deflate: 8 };
/**
 * If a 32-bit field has this value, the ZIP64 extension contains the real value. For a 16-bit field, the next constant
 * has this meaning.
 */
const max32 = 0xffff_ffff;
const max16 = 0xffff;
/**
 * The local header of a file above this size has 64-bit fields, because the compressed file may be larger than the
 * limit of 32 bits.
 */
const zip64FromBytes = 0xf000_0000;
/** All entries have the first date that the format allows, so that the same book yields the same bytes. */
const firstDay = (1 << 5) | 1;
const utf8Names = 0x0800;
const plainFile = 0o100_644 * 0x1_0000;

export interface ZipEntry {
  name: Buffer;
  method: CompressionMethod;
  crc: number;
  size: number;
  packedSize: number;
  offset: number;
}

function isLarge(entry: ZipEntry): boolean {
  return entry.size >= zip64FromBytes;
}

/** Returns the length of an entry's local header in bytes. */
export function computeLocalHeaderLength(entry: ZipEntry): number {
  return 30 + entry.name.length + (isLarge(entry) ? 20 : 0);
}

export function createLocalHeader(entry: ZipEntry): Buffer {
  const header = Buffer.alloc(computeLocalHeaderLength(entry));
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

export function createCentralHeader(entry: ZipEntry): Buffer {
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

/**
 * Writes the fields that the local and the central header contain in the same order: flags, method, time, date and
 * checksum. The time is midnight, which the zeros of a new buffer mean.
 */
function writeCommon(header: Buffer, at: number, entry: ZipEntry): void {
  header.writeUInt16LE(utf8Names, at);
  header.writeUInt16LE(methods[entry.method], at + 2);
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

export function createEndRecords(count: number, size: number, offset: number): Buffer {
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
