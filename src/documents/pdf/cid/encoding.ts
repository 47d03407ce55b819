import { codeOf, utf16 } from '../characters.ts';
import { cidOfCns } from './collection.ts';

/** How a composite font reads its codes: how long each is, and its CID or its text. */
export interface CidEncoding {
  lengthAt: (bytes: Buffer, at: number) => number;
  cid?: (bytes: Buffer) => number | undefined;
  text?: (bytes: Buffer) => string;
}

type Length = CidEncoding['lengthAt'];

const two: Length = () => 2;

/** The CMap `Identity-H`: codes are CIDs. */
export const identityEncoding: CidEncoding = { lengthAt: two, cid: codeOf };

/** Returns the encoding of a predefined CMap (ISO 32000, table 118 and older names). */
export function predefinedEncoding(cmap: string): CidEncoding | undefined {
  const name = cmap.replace(/(?:^|-)[HV]$/, '');
  if (name === 'Identity') return identityEncoding;
  if (name === 'CNS-EUC') return { lengthAt: cnsLength, cid: bytes => cidOfCns(codeOf(bytes)) };
  if (/UCS2/.test(name)) return { lengthAt: two, text: utf16 };
  if (/UTF16/.test(name)) return { lengthAt: utf16Length, text: utf16 };
  if (/UTF8/.test(name)) return { lengthAt: utf8Length, text: bytes => bytes.toString('utf8') };
  if (/UTF32/.test(name)) return { lengthAt: () => 4, text: utf32 };
  if (/RKSJ/.test(name)) return legacy('shift_jis', shiftJisLength);
  if (/^(?:|78|Add|Ext|NWP)$/.test(name)) return sevenBit('euc-jp');
  if (/^(?:78-|Add-|Ext-)?EUC$/.test(name)) return legacy('euc-jp', eucJpLength);
  if (name === 'GB' || name === 'KSC') return sevenBit(name === 'GB' ? 'gb18030' : 'euc-kr');
  if (name.startsWith('GB')) return legacy('gb18030', gbLength);
  if (name.startsWith('KSC')) return legacy('euc-kr', highByteLength);
  return /B5|^ETen|^HK/.test(name) ? legacy('big5', highByteLength) : undefined;
}

function legacy(encoding: string, lengthAt: Length): CidEncoding {
  const decoder = new TextDecoder(encoding);
  return { lengthAt, text: bytes => known(decoder.decode(bytes)) };
}

/** Rows and cells as two bytes below 0x80; EUC has the same with the high bits set. */
function sevenBit(encoding: string): CidEncoding {
  const decoder = new TextDecoder(encoding);
  return { lengthAt: two, text: bytes => known(decoder.decode(bytes.map(byte => byte | 0x80))) };
}

function known(text: string): string {
  return text.includes('\ufffd') ? '' : text;
}

function shiftJisLength(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0;
  return byte < 0x80 || (byte >= 0xa0 && byte < 0xe0) ? 1 : 2;
}

function eucJpLength(bytes: Buffer, at: number): number {
  return bytes[at] === 0x8f ? 3 : highByteLength(bytes, at);
}

function gbLength(bytes: Buffer, at: number): number {
  const second = bytes[at + 1] ?? 0;
  return second >= 0x30 && second <= 0x39 && (bytes[at] ?? 0) > 0x80 ? 4 : highByteLength(bytes, at);
}

function cnsLength(bytes: Buffer, at: number): number {
  return bytes[at] === 0x8e ? 4 : highByteLength(bytes, at);
}

function highByteLength(bytes: Buffer, at: number): number {
  return (bytes[at] ?? 0) <= 0x80 ? 1 : 2;
}

function utf16Length(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) & 0xfc) === 0xd8 ? 4 : 2;
}

function utf8Length(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0;
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

function utf32(bytes: Buffer): string {
  const code = codeOf(bytes);
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}
