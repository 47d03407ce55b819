import { decodeWindows1252, decodeWithLabel } from '../encoding/decode.ts';
import { UnreadableError } from '../unreadable.ts';
import type { CompoundFile } from './file.ts';

/** Maps fields of the file information block, the header of a Word file (MS-DOC 2.5), to their offsets. */
const fib = { version: 2, language: 6, flags: 10, textStart: 0x18, textEnd: 0x1c } as const;
const [encrypted, secondTable, complex, wideCharacters] = [0x0100, 0x0200, 0x0004, 0x1000];
const firstUnicodeVersion = 193;
const maxPieces = 500_000;
const maxCharacters = 32 * 1024 * 1024;

/** Extracts the text of a document of Word 97 and later, or of Word 6 and 95. */
export function extractWordText(file: CompoundFile, storage = file.root): string | undefined {
  const document = file.stream('WordDocument', storage);
  if (document === undefined || document.length < 0x1aa) return undefined;
  const flags = document.readUInt16LE(fib.flags);
  if ((flags & encrypted) !== 0) throw new UnreadableError('the document is encrypted');
  if (document.readUInt16LE(fib.version) < firstUnicodeVersion) return extractOldWordText(document);
  const table = file.stream((flags & secondTable) === 0 ? '0Table' : '1Table', storage);
  if (table === undefined) return undefined;
  const pieces = readPieces(table, document.readUInt32LE(0x1a2), document.readUInt32LE(0x1a6));
  return cleanText(pieces.map(piece => unicodePiece(document, piece)).join(''));
}

/**
 * Extracts the text of Word 2, 6 and 95, which store one byte per character in the code page of the document's
 * language. East Asian versions of Word 6 and 95 also store two bytes per character.
 */
export function extractOldWordText(document: Buffer): string {
  const [start, end] = [document.readUInt32LE(fib.textStart), document.readUInt32LE(fib.textEnd)];
  const flags = document.readUInt16LE(fib.flags);
  const width = (flags & wideCharacters) === 0 ? 1 : 2;
  const pieces =
    (flags & complex) === 0
      ? [{ offset: start, length: Math.max(0, end - start) / width }]
      : readPieces(document, document.readUInt32LE(0x160), document.readUInt32LE(0x164));
  const bytes = Buffer.concat(pieces.map(({ offset, length }) => document.subarray(offset, offset + width * length)));
  if (width === 2) return cleanText(bytes.toString('utf16le'));
  return cleanText(decodeWithLabel(codePageOf(document.readUInt16LE(fib.language)), bytes));
}

interface Piece {
  /** The number of characters in the piece. */
  length: number;
  /**
   * The start offset of the piece's text in the file. If bit 30 is set, each character has one byte, and otherwise two.
   */
  offset: number;
}

/**
 * Reads the piece table. Word stores edited text in pieces anywhere in the file, and the table lists the pieces in
 * order.
 */
function readPieces(table: Buffer, start: number, size: number): Piece[] {
  const clx = table.subarray(start, start + size);
  let at = 0;
  while (clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1);
  if (clx[at] !== 2) throw new UnreadableError('the document has no piece table');
  const plc = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
  const count = Math.min(maxPieces, Math.floor((plc.length - 4) / 12));
  const pieces: Piece[] = [];
  for (let index = 0; index < count; index++) {
    const length = plc.readUInt32LE(4 * index + 4) - plc.readUInt32LE(4 * index);
    pieces.push({ length: Math.max(0, length), offset: plc.readUInt32LE(4 * (count + 1) + 8 * index + 2) });
  }
  // The total length of the pieces is limited, because the pieces of a damaged file can overlap.
  let left = maxCharacters;
  for (const piece of pieces) {
    left -= piece.length;
    if (left < 0) throw new UnreadableError('the text pieces are longer than the document');
  }
  return pieces;
}

const singleByte = 0x4000_0000;

function unicodePiece(document: Buffer, { offset, length }: Piece): string {
  if ((offset & singleByte) === 0) return document.toString('utf16le', offset, offset + 2 * length);
  const start = (offset & ~singleByte) / 2;
  return decodeWindows1252(document.subarray(start, start + length));
}

/**
 * Maps the primary language numbers of Windows to code pages. For other languages the encoding is guessed, because many
 * programs declare English for every text.
 */
const codePages: Readonly<Record<number, string>> = {
  0x01: 'windows-1256',
  0x02: 'windows-1251',
  0x04: 'gb18030',
  0x05: 'windows-1250',
  0x08: 'windows-1253',
  0x0d: 'windows-1255',
  0x0e: 'windows-1250',
  0x11: 'shift_jis',
  0x12: 'euc-kr',
  0x15: 'windows-1250',
  0x18: 'windows-1250',
  0x19: 'windows-1251',
  0x1a: 'windows-1250',
  0x1b: 'windows-1250',
  0x1f: 'windows-1254',
  0x22: 'windows-1251',
  0x23: 'windows-1251',
  0x24: 'windows-1250',
};

function codePageOf(language: number): string | undefined {
  return codePages[language & 0x3ff];
}

const [fieldStart, fieldResult, fieldEnd] = ['\x13', '\x14', '\x15'];

/**
 * Matches a field of Word that shows a phonetic guide above a text (EQ field). The groups are the guide and the text.
 */
const phoneticGuide = /^\s*EQ\b.*?\\o\\a\w\(\\s\\up\s*[\d.]+\(([^()]*)\),([^()]*)\)/;

/**
 * Replaces control characters and removes the codes of fields such as `PAGE`, because Word displays only their results.
 * Phonetic guides are fields without a result; their texts follow on separate lines.
 */
function cleanText(text: string): string {
  const pieces: string[] = [];
  const guides: string[] = [];
  /**
   * A stack with one boolean for each open field: true while the parser is inside the field code, false inside the
   * field's result.
   */
  const fields: boolean[] = [];
  let hidden = 0;
  for (const part of text.split(/(\p{Cc})/u)) {
    if (part === fieldStart) {
      fields.push(true);
      hidden++;
    } else if (part === fieldResult || part === fieldEnd) {
      const isInstruction = part === fieldEnd ? fields.pop() : fields.at(-1);
      if (isInstruction === true) hidden--;
      if (part === fieldResult && fields.length > 0) fields[fields.length - 1] = false;
    } else if (hidden === 0) pieces.push(controls.get(part) ?? part);
    else {
      const [, guide, annotated] = phoneticGuide.exec(part) ?? [];
      if (guide === undefined || annotated === undefined) continue;
      pieces.push(annotated);
      guides.push(`\n${guide}`);
    }
  }
  return [...pieces, ...guides].join('');
}

/**
 * Maps the control characters of Word to text: ends of cells, lines, pages and paragraphs, and non-breaking hyphens.
 * All other control characters are removed.
 */
const controls: ReadonlyMap<string, string> = new Map([
  ...Array.from({ length: 0x20 }, (_, code): [string, string] => [String.fromCharCode(code), '']),
  ['\t', '\t'],
  ['\n', '\n'],
  ['\x07', '\n'],
  ['\x0b', '\n'],
  ['\x0c', '\n'],
  ['\r', '\n'],
  ['\x1e', '-'],
]);
