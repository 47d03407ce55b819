import type { Budget } from './budget.ts';
import { Lexer, type PdfValue, Word } from './syntax.ts';

/** What the codes of a font stand for, as the font itself says it. */
export interface CharacterMap {
  texts: ReadonlyMap<number, string>;
  /** How many bytes a code has: the lengths that occur, with their ranges. */
  ranges: readonly { length: number; low: number; high: number }[];
}

const maxRange = 65_536;

export function readCharacterMap(content: Buffer, budget: Budget): CharacterMap {
  const texts = new Map<number, string>();
  const ranges: { length: number; low: number; high: number }[] = [];
  const lexer = new Lexer(content, budget);
  let operands: PdfValue[] = [];
  for (let value = lexer.next(false); value !== undefined; value = lexer.next(false)) {
    if (!(value instanceof Word)) {
      operands.push(value);
      continue;
    }
    if (value.word === 'endcodespacerange') readRanges(operands, ranges);
    else if (value.word === 'endbfchar') readCharacters(operands, texts);
    else if (value.word === 'endbfrange') readCharacterRanges(operands, texts, budget);
    operands = [];
  }
  return { texts, ranges };
}

function readRanges(operands: readonly PdfValue[], ranges: { length: number; low: number; high: number }[]): void {
  for (let index = 0; index + 1 < operands.length; index += 2) {
    const [low, high] = [operands[index], operands[index + 1]];
    if (!Buffer.isBuffer(low) || !Buffer.isBuffer(high) || low.length === 0 || low.length > 4) continue;
    ranges.push({ length: low.length, low: codeOf(low), high: codeOf(high) });
  }
}

function readCharacters(operands: readonly PdfValue[], texts: Map<number, string>): void {
  for (let index = 0; index + 1 < operands.length; index += 2) {
    const [code, text] = [operands[index], operands[index + 1]];
    if (Buffer.isBuffer(code) && Buffer.isBuffer(text)) texts.set(codeOf(code), utf16(text));
  }
}

function readCharacterRanges(operands: readonly PdfValue[], texts: Map<number, string>, budget: Budget): void {
  for (let index = 0; index + 2 < operands.length; index += 3) {
    const [low, high, target] = [operands[index], operands[index + 1], operands[index + 2]];
    if (!Buffer.isBuffer(low) || !Buffer.isBuffer(high)) continue;
    const [first, last] = [codeOf(low), Math.min(codeOf(high), codeOf(low) + maxRange)];
    for (let code = first; code <= last; code++) {
      budget.step();
      if (Array.isArray(target)) {
        const item = target[code - first];
        if (Buffer.isBuffer(item)) texts.set(code, utf16(item));
      } else if (Buffer.isBuffer(target)) texts.set(code, raised(utf16(target), code - first));
    }
  }
}

/** The text whose last character is that much further on. */
function raised(text: string, by: number): string {
  const characters = Array.from(text);
  const last = characters.pop()?.codePointAt(0);
  if (last === undefined || last + by > 0x10ffff) return '';
  return characters.join('') + String.fromCodePoint(last + by);
}

export function codeOf(bytes: Buffer): number {
  let code = 0;
  for (const byte of bytes) code = code * 256 + byte;
  return code;
}

export function utf16(bytes: Buffer): string {
  if (bytes.length === 1) return bytes.toString('latin1');
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString('utf16le')
    .replaceAll('\0', '');
}

/** The bytes of a text outside of the pages' contents. */
export function textString(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16(bytes.subarray(2));
  const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isUtf8 ? bytes.toString('utf8', 3) : bytes.toString('latin1');
}
