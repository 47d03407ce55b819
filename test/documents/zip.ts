import { deflateRawSync } from 'node:zlib';

/**
 * Builds a ZIP file. `claim` replaces the compression method and the flags in the headers. The bytes of level 0 are the same
 * in all versions of Node.
 */
export function zip(
  members: Readonly<Record<string, string | Buffer>>,
  claim: { method?: number; flags?: number; level?: number } = {},
): Buffer {
  const [pieces, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(members)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content, { level: claim.level ?? -1 });
    const label = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(claim.flags ?? 0x800, 2);
    fields.writeUInt16LE(claim.method ?? 8, 4);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(label.length, 22);
    pieces.push(Buffer.from('PK\x03\x04'), fields, label, packed);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, place, label);
    offset += 30 + label.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(Object.keys(members).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, listed, end]);
}
