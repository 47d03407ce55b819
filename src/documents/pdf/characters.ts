import type { DocumentBudget } from '../unreadable.ts';
import { PdfKeyword, PdfLexer, type PdfValue } from './syntax.ts';

/** The ToUnicode map of a PDF font contains the text of each character code. */
export interface ToUnicodeMap {
  texts: ReadonlyMap<number, string>;
  /** The code space ranges of a font define how many bytes a code has. */
  ranges: readonly { length: number; low: number; high: number }[];
}

const maxRange = 65_536;

export function readToUnicodeMap(content: Buffer, budget: DocumentBudget): ToUnicodeMap {
  const texts = new Map<number, string>();
  const ranges: { length: number; low: number; high: number }[] = [];
  const lexer = new PdfLexer(content, budget);
  let operands: PdfValue[] = [];
  for (let value = lexer.next(false); value !== undefined; value = lexer.next(false)) {
    if (!(value instanceof PdfKeyword)) {
      operands.push(value);
      continue;
    }
    if (value.keyword === 'endcodespacerange') readRanges(operands, ranges);
    else if (value.keyword === 'endbfchar') readCharacters(operands, texts);
    else if (value.keyword === 'endbfrange') readCharacterRanges(operands, texts, budget);
    operands = [];
  }
  return { texts, ranges };
}

function readRanges(operands: readonly PdfValue[], ranges: { length: number; low: number; high: number }[]): void {
  for (let index = 0; index + 1 < operands.length; index += 2) {
    const [low, high] = [operands[index], operands[index + 1]];
    if (!Buffer.isBuffer(low) || !Buffer.isBuffer(high) || low.length === 0 || low.length > 4) continue;
    ranges.push({ length: low.length, low: convertBytesToCharacterCode(low), high: convertBytesToCharacterCode(high) });
  }
}

function readCharacters(operands: readonly PdfValue[], texts: Map<number, string>): void {
  for (let index = 0; index + 1 < operands.length; index += 2) {
    const [code, text] = [operands[index], operands[index + 1]];
    if (Buffer.isBuffer(code) && Buffer.isBuffer(text)) texts.set(convertBytesToCharacterCode(code), decodeUtf16(text));
  }
}

function readCharacterRanges(operands: readonly PdfValue[], texts: Map<number, string>, budget: DocumentBudget): void {
  for (let index = 0; index + 2 < operands.length; index += 3) {
    const [low, high, target] = [operands[index], operands[index + 1], operands[index + 2]];
    if (!Buffer.isBuffer(low) || !Buffer.isBuffer(high)) continue;
    const [first, last] = [
      convertBytesToCharacterCode(low),
      Math.min(convertBytesToCharacterCode(high), convertBytesToCharacterCode(low) + maxRange),
    ];
    const textAt = Buffer.isBuffer(target) ? incrementing(target) : undefined;
    for (let code = first; code <= last; code++) {
      budget.step();
      if (Array.isArray(target)) {
        const item = target[code - first];
        if (Buffer.isBuffer(item)) texts.set(code, decodeUtf16(item));
      } else if (textAt !== undefined) texts.set(code, textAt(code - first));
    }
  }
}

/**
 * Returns the texts of a range of codes, as a function. Its argument is the distance of a code from the first one: the
 * last character of the first text increases by this distance. U+0000, with which some programs start a range, is
 * omitted.
 */
function incrementing(bytes: Buffer): (by: number) => string {
  const characters = Array.from(units(bytes));
  const last = characters.pop()?.codePointAt(0);
  const others = withoutNul(characters.join(''));
  return by => {
    const code = (last ?? Number.POSITIVE_INFINITY) + by;
    return code > 0x10ffff ? '' : others + (code === 0 ? '' : String.fromCodePoint(code));
  };
}

export function convertBytesToCharacterCode(bytes: Buffer): number {
  let code = 0;
  for (const byte of bytes) code = code * 256 + byte;
  return code;
}

export function decodeUtf16(bytes: Buffer): string {
  return withoutNul(units(bytes));
}

function units(bytes: Buffer): string {
  if (bytes.length === 1) return bytes.toString('latin1');
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString('utf16le');
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/**
 * Decodes a text string of a PDF, such as a title (ISO 32000, 7.9.2.2). Strings in content streams have other
 * encodings.
 */
export function decodeTextString(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes.subarray(2));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3);
  return bytes.toString('latin1').replace(/[\p{Cc}\u00a0]/gu, unlikeLatin1);
}

/** PDFDocEncoding has the first group of characters from 0x18 on, and the second group from 0x80 on. */
const accentsAlone = '˘ˇˆ˙˝˛˚˜';
const docSigns = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\0€';

function unlikeLatin1(character: string): string {
  const code = character.charCodeAt(0);
  const unlike = code < 0x80 ? accentsAlone[code - 0x18] : docSigns[code - 0x80];
  return unlike === '\0' ? '' : (unlike ?? character);
}

const macRoman =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\0ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ';
const standard =
  "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ\0–†‡·\0¶•‚„”»…‰\0¿\0`´ˆ˜¯˘˙¨\0˚¸\0˝˛ˇ—\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0Æ\0ª\0\0\0\0ŁØŒº\0\0\0\0\0æ\0\0\0ı\0\0łøœß";
const winAnsi = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

export function lookUpEncodedCharacter(encoding: string | undefined, code: number): string {
  if (code < 0x80) return code < 0x20 ? '' : String.fromCharCode(code);
  if (encoding === 'MacRomanEncoding') return (macRoman[code - 0x80] ?? '').replace('\0', '');
  if (encoding === 'StandardEncoding') return (standard[code - 0xa1] ?? '').replace('\0', '');
  return code < 0xa0 ? (winAnsi[code - 0x80] ?? '').replace('\0', '') : String.fromCharCode(code);
}
