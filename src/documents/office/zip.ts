import { isUtf8 } from 'node:buffer';
import zlib from 'node:zlib';
import { UnreadableError, undefinedIfDamaged } from '../unreadable.ts';

/** A file that is stored in a ZIP file. */
export interface ZipMember {
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

/** Reads a zip file by its central directory. All sizes and offsets are checked against the length of the file. */
export class ZipFile {
  readonly members: readonly ZipMember[];
  readonly #bytes: Buffer;
  #unpacked = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.members = readDirectory(bytes);
  }

  member(name: string): ZipMember | undefined {
    return this.members.find(candidate => candidate.name === name);
  }

  /** Returns the text of a member. Throws if it is damaged or too large. */
  text({ offset, method, packedSize }: ZipMember): string {
    const bytes = this.#bytes;
    if (bytes.readUInt32LE(offset) !== 0x04034b50)
      throw new UnreadableError('the zip file has no member at this offset');
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const packed = bytes.subarray(start, start + packedSize);
    const content = method === 0 ? packed : unpack(packed, method);
    this.#unpacked += content.length;
    if (content.length > maxMemberBytes || this.#unpacked > maxTotalBytes)
      throw new UnreadableError('the decompressed size of the zip member is too large');
    return decodeXml(content);
  }
}

/**
 * Decodes XML in the encoding of its byte order mark or, if there is none, of its declaration. Throws for an unknown
 * encoding.
 */
export function decodeXml(content: Buffer): string {
  const start = content.toString('latin1', 0, 200);
  const wide = /^(?:\xff\xfe|<\0)/.test(start) ? 'utf-16le' : /^(?:\xfe\xff|\0<)/.test(start) ? 'utf-16be' : undefined;
  const said = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)/.exec(start)?.[1] ?? 'utf-8';
  // A declaration of UTF-16 is ignored, because some programs write it in a file of single-byte characters.
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
  if (method !== 8) throw new UnreadableError('the compression method is not supported');
  const content = undefinedIfDamaged(() => zlib.inflateRawSync(packed, { maxOutputLength: maxMemberBytes }));
  if (content === undefined) throw new UnreadableError('the zip file is damaged');
  return content;
}

function readDirectory(bytes: Buffer): ZipMember[] {
  // The end record of a ZIP file is searched backwards, because a comment of at most 64 KB follows it.
  const end = bytes.lastIndexOf(endMark);
  if (end === -1 || end + endBytes > bytes.length || end < bytes.length - endBytes - 0xffff)
    throw new UnreadableError('no zip file');
  const members: ZipMember[] = [];
  let at = bytes.readUInt32LE(end + 16);
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50 && members.length < maxMembers) {
    const nameLength = bytes.readUInt16LE(at + 28);
    members.push({
      // Backslashes in paths of a ZIP file become slashes, because some Windows programs write them.
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/'),
      // If bit 0 of the flags is set, the member is encrypted and its compression method is unknown.
      method: (bytes.readUInt16LE(at + 8) & 1) === 0 ? bytes.readUInt16LE(at + 10) : -1,
      packedSize: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return members;
}
