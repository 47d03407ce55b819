import { decodeWithLabel } from '../encoding/decode.ts';
import type { OfficeMetadata } from '../office/facts.ts';
import type { CompoundFile } from './file.ts';

/** Maps properties of the summary information (MS-OLEPS 2.25.1) to their numbers. */
const property = { codePage: 1, title: 2, author: 4, keywords: 5 } as const;
const [byteText, wideText] = [0x1e, 0x1f];
const maxProperties = 1000;

/** Reads title, author and keywords from the summary stream of the file. */
export function extractSummaryMetadata(file: CompoundFile): OfficeMetadata | undefined {
  const stream = file.stream('\x05SummaryInformation');
  if (stream === undefined || stream.length < 48) return undefined;
  const set = stream.subarray(stream.readUInt32LE(44));
  if (set.length < 8) return undefined;
  const places = new Map<number, number>();
  const count = Math.min(set.readUInt32LE(4), maxProperties, Math.floor((set.length - 8) / 8));
  for (let index = 0; index < count; index++)
    places.set(set.readUInt32LE(8 + 8 * index), set.readUInt32LE(12 + 8 * index));
  const codePageAt = places.get(property.codePage);
  const codePage = codePageAt === undefined || codePageAt + 6 > set.length ? 1252 : set.readUInt16LE(codePageAt + 4);
  const text = (id: number): string | undefined => readText(set, places.get(id), codePage);
  return { title: text(property.title), author: text(property.author), keywords: text(property.keywords) };
}

function readText(set: Buffer, at: number | undefined, codePage: number): string | undefined {
  if (at === undefined || at + 8 > set.length) return undefined;
  const [type, length] = [set.readUInt32LE(at), set.readUInt32LE(at + 4)];
  if (type !== byteText && type !== wideText) return undefined;
  const isWide = type === wideText || codePage === 1200;
  const bytes = set.subarray(at + 8, at + 8 + (type === wideText ? 2 * length : length));
  const text = (isWide ? bytes.toString('utf16le') : decodeBytes(bytes, codePage)).replace(/\0[^]*$/, '').trim();
  return text === '' ? undefined : text;
}

/**
 * Decodes a text that ends at a zero byte. The zero byte is removed first, because a short text with a zero byte could
 * be mistaken for UTF-16.
 */
function decodeBytes(bytes: Buffer, codePage: number): string {
  const end = bytes.indexOf(0);
  return decodeWithLabel(labelOf(codePage), end === -1 ? bytes : bytes.subarray(0, end));
}

function labelOf(codePage: number): string | undefined {
  if (codePage === 10_000) return 'macintosh';
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : undefined;
}
