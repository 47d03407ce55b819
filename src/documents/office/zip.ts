import { isUtf8 } from 'node:buffer';
import zlib from 'node:zlib';
import { Unreadable, unlessDamaged } from '../unreadable.ts';

/** One member of a zip file, not unpacked yet. */
export interface Member {
  name: string;
  method: number;
  packedSize: number;
  offset: number;
}

const maxMembers = 20_000;
const maxMemberBytes = 32 * 1024 * 1024;
const maxTotalBytes = 96 * 1024 * 1024;

const endMark = Buffer.from('PK\x05\x06', 'latin1');
const endBytes = 22;

/** A zip file by its central directory. Everything in it is taken for a claim and checked against the bytes there are. */
export class ZipFile {
  readonly members: readonly Member[];
  readonly #bytes: Buffer;
  #unpacked = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.members = readDirectory(bytes);
  }

  member(name: string): Member | undefined {
    return this.members.find(candidate => candidate.name === name);
  }

  /** The member as text; throws when it is damaged or unpacks to too much. */
  text({ offset, method, packedSize }: Member): string {
    const bytes = this.#bytes;
    if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== 0x04034b50)
      throw new Unreadable('no member there');
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const packed = bytes.subarray(start, start + packedSize);
    const content = method === 0 ? packed : unpack(packed, method);
    this.#unpacked += content.length;
    if (content.length > maxMemberBytes || this.#unpacked > maxTotalBytes)
      throw new Unreadable('it unpacks to too much');
    return decodeXml(content);
  }
}

/** By its first bytes, then by what its first line says; throws for an encoding nobody knows. */
export function decodeXml(content: Buffer): string {
  const start = content.toString('latin1', 0, 200);
  const wide = /^(?:\xff\xfe|<\0)/.test(start) ? 'utf-16le' : /^(?:\xfe\xff|\0<)/.test(start) ? 'utf-16be' : undefined;
  const said = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)/.exec(start)?.[1] ?? 'utf-8';
  // What says in single bytes that it has two for each letter is not right; some programs write that.
  const label = wide ?? (/^(?:utf-?16|ucs-?2)/i.test(said) ? 'utf-8' : said);
  if (/^utf-?8$/i.test(label)) return content.toString('utf8');
  try {
    return new TextDecoder(label).decode(content);
  } catch (error) {
    if (isUtf8(content)) return content.toString('utf8');
    throw error;
  }
}

function unpack(packed: Buffer, method: number): Buffer {
  if (method !== 8) throw new Unreadable('packed in a way that is not read here');
  const content = unlessDamaged(() => zlib.inflateRawSync(packed, { maxOutputLength: maxMemberBytes }));
  if (content === undefined) throw new Unreadable('it is damaged');
  return content;
}

function readDirectory(bytes: Buffer): Member[] {
  // The end record is followed by a comment of 64 KB at most.
  const end = bytes.lastIndexOf(endMark);
  if (end === -1 || end + endBytes > bytes.length || end < bytes.length - endBytes - 0xffff)
    throw new Unreadable('no zip file');
  const members: Member[] = [];
  let at = bytes.readUInt32LE(end + 16);
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50 && members.length < maxMembers) {
    const nameLength = bytes.readUInt16LE(at + 28);
    members.push({
      // Some programs on Windows write their own separator.
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/'),
      // The first bit says that the member is encrypted.
      method: (bytes.readUInt16LE(at + 8) & 1) === 0 ? bytes.readUInt16LE(at + 10) : -1,
      packedSize: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return members;
}
