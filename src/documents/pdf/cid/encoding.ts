import { byteAt } from '../../bytes.ts';
import { convertBytesToCharacterCode, decodeUtf16 } from '../characters.ts';
import { convertCnsCodeToCid } from './collection.ts';

/** The encoding of a composite font: how many bytes each code has, and which CID or text it stands for. */
export interface CidEncoding {
  lengthAt: (bytes: Buffer, at: number) => number;
  cid?: (bytes: Buffer) => number | undefined;
  text?: (bytes: Buffer) => string;
}

type Length = CidEncoding['lengthAt'];

const two: Length = () => 2;

/** The predefined CMap `Identity-H`, in which the character codes are CIDs. */
export const identityCidEncoding: CidEncoding = { lengthAt: two, cid: convertBytesToCharacterCode };

/**
 * Matches the names of predefined CMaps (ISO 32000, table 118, and older ones), without the suffix for the writing
 * direction.
 */
const predefined: readonly (readonly [name: RegExp, create: () => CidEncoding])[] = [
  [/^Identity$/, () => identityCidEncoding],
  [/^CNS-EUC$/, () => ({ lengthAt: cnsLength, cid: bytes => convertCnsCodeToCid(convertBytesToCharacterCode(bytes)) })],
  [/UCS2/, () => ({ lengthAt: two, text: decodeUtf16 })],
  [/UTF16/, () => ({ lengthAt: utf16Length, text: decodeUtf16 })],
  [/UTF8/, () => ({ lengthAt: utf8Length, text: bytes => bytes.toString('utf8') })],
  [/UTF32/, () => ({ lengthAt: () => 4, text: utf32 })],
  [/RKSJ/, () => legacy('shift_jis', shiftJisLength)],
  [/^(?:|78|Add|Ext|NWP)$/, () => sevenBit('euc-jp')],
  [/^(?:78-|Add-|Ext-)?EUC$/, () => legacy('euc-jp', eucJpLength)],
  [/^GB$/, () => sevenBit('gb18030')],
  [/^KSC$/, () => sevenBit('euc-kr')],
  [/^GB/, () => legacy('gb18030', gbLength)],
  [/^KSC/, () => legacy('euc-kr', highByteLength)],
  [/B5|^ETen|^HK/, () => legacy('big5', highByteLength)],
];

export function findPredefinedCidEncoding(cmap: string): CidEncoding | undefined {
  const name = cmap.replace(/(?:^|-)[HV]$/, '');
  return predefined.find(([pattern]) => pattern.test(name))?.[1]();
}

function legacy(encoding: string, lengthAt: Length): CidEncoding {
  const decoder = new TextDecoder(encoding);
  return { lengthAt, text: bytes => known(decoder.decode(bytes)) };
}

/** Decodes characters whose two bytes, row and cell, are below 0x80. In EUC the same bytes have their high bits set. */
function sevenBit(encoding: string): CidEncoding {
  const decoder = new TextDecoder(encoding);
  return { lengthAt: two, text: bytes => known(decoder.decode(bytes.map(byte => byte | 0x80))) };
}

function known(text: string): string {
  return text.includes('\ufffd') ? '' : text;
}

function shiftJisLength(bytes: Buffer, at: number): number {
  const byte = byteAt(bytes, at);
  return byte < 0x80 || (byte >= 0xa0 && byte < 0xe0) ? 1 : 2;
}

function eucJpLength(bytes: Buffer, at: number): number {
  return bytes[at] === 0x8f ? 3 : highByteLength(bytes, at);
}

function gbLength(bytes: Buffer, at: number): number {
  const second = byteAt(bytes, at + 1);
  return second >= 0x30 && second <= 0x39 && byteAt(bytes, at) > 0x80 ? 4 : highByteLength(bytes, at);
}

function cnsLength(bytes: Buffer, at: number): number {
  return bytes[at] === 0x8e ? 4 : highByteLength(bytes, at);
}

function highByteLength(bytes: Buffer, at: number): number {
  return byteAt(bytes, at) <= 0x80 ? 1 : 2;
}

function utf16Length(bytes: Buffer, at: number): number {
  return (byteAt(bytes, at) & 0xfc) === 0xd8 ? 4 : 2;
}

function utf8Length(bytes: Buffer, at: number): number {
  const byte = byteAt(bytes, at);
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

function utf32(bytes: Buffer): string {
  const code = convertBytesToCharacterCode(bytes);
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}
