import { crc32, inflateRawSync } from 'node:zlib';

export interface UnzippedEntry {
  name: string;
  method: number;
  bytes: Buffer;
}

/** Reads the entries of a ZIP file by its central directory, and checks each length and checksum. */
export function unzip(file: Buffer): UnzippedEntry[] {
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end === -1 || end !== file.length - 22) throw new Error('no end record where it has to be');
  const count = file.readUInt16LE(end + 10);
  const directoryBytes = file.readUInt32LE(end + 12);
  let at = file.readUInt32LE(end + 16);
  if (at + directoryBytes !== end) throw new Error('the directory is not in front of the end record');
  const entries: UnzippedEntry[] = [];
  for (let index = 0; index < count; index++) {
    if (file.readUInt32LE(at) !== 0x02014b50) throw new Error('no directory entry');
    const [method, crc] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 16)];
    const [packedBytes, size] = [file.readUInt32LE(at + 20), file.readUInt32LE(at + 24)];
    const [nameBytes, extraBytes] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30)];
    const offset = file.readUInt32LE(at + 42);
    const name = file.toString('utf8', at + 46, at + 46 + nameBytes);
    if (file.readUInt32LE(offset) !== 0x04034b50) throw new Error(`${name}: no local header`);
    if (file.readUInt32LE(offset + 14) !== crc || file.readUInt32LE(offset + 18) !== packedBytes) {
      throw new Error(`${name}: the two headers differ`);
    }
    const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
    const packed = file.subarray(start, start + packedBytes);
    const bytes = method === 0 ? packed : inflateRawSync(packed);
    if (bytes.length !== size || crc32(bytes) !== crc) throw new Error(`${name}: wrong length or checksum`);
    entries.push({ name, method, bytes });
    at += 46 + nameBytes + extraBytes;
  }
  return entries;
}
