import { lookUpEncodedCharacter } from './characters.ts';
import type { PdfFile } from './file.ts';
import { type GlyphDecoder, type GlyphNames, textOfGlyph } from './glyphs.ts';
import { type PdfDictionary, PdfName, type PdfValue } from './syntax.ts';

/**
 * Creates the decoder of a font whose codes have one byte. It uses the encoding of the font, its differences from that
 * encoding, and the names of glyphs.
 */
export function createSimpleFontDecoder(file: PdfFile, dict: PdfDictionary, names: GlyphNames): GlyphDecoder {
  const encoding = file.resolve(dict.get('Encoding'));
  const described = encoding instanceof Map ? encoding : undefined;
  const named = encoding instanceof PdfName ? encoding.name : file.name(described?.get('BaseEncoding'));
  const changes = new Map<number, string>();
  if (!(encoding instanceof PdfName) && described?.get('BaseEncoding') === undefined)
    readBuiltInEncoding(file, dict, names, changes);
  readDifferences(file.array(described?.get('Differences')), names, changes);
  const base = named ?? defaultEncoding(file, dict);
  return value => changes.get(value) ?? lookUpEncodedCharacter(base, value);
}

function readDifferences(items: readonly PdfValue[], names: GlyphNames, changes: Map<number, string>): void {
  const isNumbered = items.every(item => !(item instanceof PdfName) || numberOfGlyph(item.name) !== undefined);
  let code = 0;
  for (const item of items) {
    if (typeof item === 'number') code = item;
    else if (item instanceof PdfName)
      changes.set(code++, (isNumbered ? undefined : textOfGlyph(item.name, names)) ?? numberedGlyph(item.name));
  }
}

/**
 * Returns the character code that a glyph name contains. TeX names the glyphs of bitmap fonts after their codes: `a65`,
 * or `BT` in base 36.
 */
function numberOfGlyph(name: string): number | undefined {
  const [, decimal, letter = '', digit = ''] = /^(?:a(\d{1,3})|([A-H])([\dA-Z]))$/.exec(name) ?? [];
  if (decimal !== undefined) return Number(decimal);
  return letter === '' ? undefined : (letter.charCodeAt(0) - 0x41) * 36 + Number.parseInt(digit, 36);
}

/**
 * Returns the character of a glyph whose name contains a code: ASCII, Latin-1, or the ligature with this code in TeX
 * fonts.
 */
function numberedGlyph(name: string): string {
  const code = numberOfGlyph(name) ?? 0;
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa1 && code < 0xff)) return String.fromCharCode(code);
  return texLigatures.get(code) ?? '';
}

/** Maps codes of the TeX encodings OT1 and T1 (Cork) to ligatures. */
const texLigatures: ReadonlyMap<number, string> = new Map([
  [11, 'ff'],
  [12, 'fi'],
  [13, 'fl'],
  [14, 'ffi'],
  [15, 'ffl'],
  [16, '“'],
  [17, '”'],
  [18, '`'],
  [19, '´'],
  [21, '–'],
  [22, '—'],
  [27, 'ff'],
  [28, 'fi'],
  [29, 'fl'],
  [30, 'ffi'],
  [31, 'ffl'],
  [127, '-'],
  [255, 'ß'],
]);

function defaultEncoding(file: PdfFile, dict: PdfDictionary): string {
  return file.name(dict.get('Subtype')) === 'TrueType' ? 'WinAnsiEncoding' : 'StandardEncoding';
}

/** Parses the encoding in the plain-text part of a Type 1 font. */
function readBuiltInEncoding(
  file: PdfFile,
  dict: PdfDictionary,
  names: GlyphNames,
  changes: Map<number, string>,
): void {
  const program = file.content(file.dict(dict.get('FontDescriptor'))?.get('FontFile'));
  const text = program?.toString('latin1', 0, 20_000) ?? '';
  for (const [, code, name = ''] of text.matchAll(/dup\s+(\d{1,3})\s*\/(\S+)\s+put/g)) {
    const shown = textOfGlyph(name, names);
    if (shown !== undefined) changes.set(Number(code), shown);
  }
}

/**
 * Estimates the height of the letters in a Type 3 font from their widths, because letters are about twice as high as
 * wide.
 */
export function estimateType3FontScale(file: PdfFile, dict: PdfDictionary): number {
  const widths = file.array(dict.get('Widths')).flatMap(width => file.number(width) || []);
  const sum = widths.reduce((left, right) => left + Math.abs(right), 0);
  return sum === 0 ? 1 : (2 * matrixScale(file, dict) * sum) / widths.length;
}

function matrixScale(file: PdfFile, dict: PdfDictionary): number {
  return Math.abs(file.number(file.array(dict.get('FontMatrix'))[0]) ?? 0.001);
}

export function createSimpleFontWidths(file: PdfFile, dict: PdfDictionary): (code: number, text: string) => number {
  const first = file.number(dict.get('FirstChar')) ?? 0;
  const widths = file.array(dict.get('Widths')).map(width => file.number(width));
  const scale = matrixScale(file, dict);
  const base = file.name(dict.get('BaseFont')) ?? '';
  return (code, text) => {
    const width = widths[code - first];
    return width === undefined ? standardWidth(text, base) : width * scale;
  };
}

/**
 * Approximates the width of a text in a standard PDF font. The result is exact enough to detect a gap between words.
 */
function standardWidth(text: string, font: string): number {
  if (font.startsWith('Courier')) return 0.6;
  const serif = font.startsWith('Times') ? 0.87 : 1;
  if (/^[ijltfI.,;:'|! ]$/.test(text)) return 0.28 * serif;
  return serif * (/^[mwMW@%]$/.test(text) ? 0.85 : /^[A-Z]$/.test(text) ? 0.67 : 0.53);
}
