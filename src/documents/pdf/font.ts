import { type CharacterMap, codeOf, encodedCharacter, readCharacterMap, utf16 } from './characters.ts';
import type { PdfFile } from './file.ts';
import { type GlyphNames, glyphText } from './glyphs.ts';
import { isRightToLeft, reversed } from './page-text.ts';
import { type Dict, Name } from './syntax.ts';

/** A text as a font shows it. */
interface Shown {
  text: string;
  /** In units of the text space: 1 is the font's size. */
  width: number;
  /** How many codes there were, and how many of them were the blank whose width can be stretched. */
  codes: number;
  blanks: number;
}

export interface Font {
  /** Whether its signs stand one below the other. */
  isVertical: boolean;
  /** How large its letters are: 1 is the font's size. */
  scale: number;
  show(bytes: Buffer): Shown;
}

type Decode = (code: number, bytes: Buffer) => string;

export function readFont(file: PdfFile, dict: Dict, names: GlyphNames): Font {
  const content = file.content(dict.get('ToUnicode'));
  const map = content && readCharacterMap(content, file.budget);
  const isComposite = file.name(dict.get('Subtype')) === 'Type0';
  const decode = isComposite ? compositeDecoder(file, dict) : simpleDecoder(file, dict, names);
  const widthOf = isComposite ? compositeWidths(file, dict) : simpleWidths(file, dict);
  const lengthOf = isComposite ? compositeLengths(file, dict, map) : () => 1;
  // Few codes make up most of a text.
  const known = new Map<number, { text: string; width: number }>();
  const glyph = (code: number, bytes: Buffer): { text: string; width: number } => {
    const mapped = map?.texts.get(code);
    // Some programs map what they do not know to a control character.
    const text = mapped === undefined || /^\p{Cc}+$/u.test(mapped) ? decode(code, bytes) : mapped;
    const made = { text: lettersOf(text), width: widthOf(code, text) };
    if (known.size < maxKnownGlyphs) known.set(code, made);
    return made;
  };
  return {
    scale: file.name(dict.get('Subtype')) === 'Type3' ? drawnScale(file, dict) : 1,
    isVertical: isComposite && /(?:^|-)V$/.test(file.name(dict.get('Encoding')) ?? ''),
    show(bytes) {
      let [text, width, codes, blanks] = ['', 0, 0, 0];
      for (let at = 0; at < bytes.length; codes++) {
        const length = isComposite ? Math.max(1, lengthOf(bytes, at)) : 1;
        const code = length === 1 ? (bytes[at] ?? 0) : codeOf(bytes.subarray(at, at + length));
        const shown = known.get(code) ?? glyph(code, bytes.subarray(at, at + length));
        text += shown.text;
        width += shown.width;
        if (length === 1 && code === 32) blanks++;
        at += length;
      }
      return { text, width, codes, blanks };
    },
  };
}

const maxKnownGlyphs = 10_000;

/** Ligatures and the forms of Arabic letters are typesetting, not spelling. Several letters in one sign are turned as others are. */
function lettersOf(text: string): string {
  const letters = /[\ufb00-\ufdff\ufe70-\ufefc]/.test(text) ? text.normalize('NFKC') : text;
  return letters.length > 1 && isRightToLeft(letters) ? reversed(letters) : letters;
}

function simpleDecoder(file: PdfFile, dict: Dict, names: GlyphNames): Decode {
  const encoding = file.resolve(dict.get('Encoding'));
  const named = encoding instanceof Name ? encoding.name : undefined;
  const changes = new Map<number, string>();
  if (encoding === undefined || encoding === null) readBuiltIn(file, dict, names, changes);
  const described = encoding instanceof Map ? encoding : undefined;
  if (described !== undefined && described.get('BaseEncoding') === undefined) readBuiltIn(file, dict, names, changes);
  const differences = file.array(described?.get('Differences'));
  const isNumbered = differences.every(item => !(item instanceof Name) || numberOfGlyph(item.name) !== undefined);
  let code = 0;
  for (const item of differences) {
    if (typeof item === 'number') code = item;
    else if (item instanceof Name)
      changes.set(code++, (isNumbered ? undefined : glyphText(item.name, names)) ?? numberedGlyph(item.name));
  }
  const base = named ?? file.name(described?.get('BaseEncoding')) ?? defaultEncoding(file, dict);
  return value => changes.get(value) ?? encodedCharacter(base, value);
}

/** Fonts of pictures that TeX makes name a sign after its code, `a65` or in digits of 36 `BT`. */
function numberOfGlyph(name: string): number | undefined {
  const [, decimal, letter = '', digit = ''] = /^(?:a(\d{1,3})|([A-H])([\dA-Z]))$/.exec(name) ?? [];
  if (decimal !== undefined) return Number(decimal);
  return letter === '' ? undefined : (letter.charCodeAt(0) - 0x41) * 36 + Number.parseInt(digit, 36);
}

/** Latin letters stand where they stand everywhere, and ligatures where TeX has them. */
function numberedGlyph(name: string): string {
  const code = numberOfGlyph(name) ?? 0;
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa1 && code < 0xff)) return String.fromCharCode(code);
  return texSigns.get(code) ?? '';
}

/** Of its older encoding for letters, and of the one named after Cork. */
const texSigns: ReadonlyMap<number, string> = new Map([
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

function defaultEncoding(file: PdfFile, dict: Dict): string {
  return file.name(dict.get('Subtype')) === 'TrueType' ? 'WinAnsiEncoding' : 'StandardEncoding';
}

/** A Type 1 font says in its clear text which glyph each code has. */
function readBuiltIn(file: PdfFile, dict: Dict, names: GlyphNames, changes: Map<number, string>): void {
  const program = file.content(file.dict(dict.get('FontDescriptor'))?.get('FontFile'));
  const text = program?.toString('latin1', 0, 20_000) ?? '';
  for (const [, code, name = ''] of text.matchAll(/dup\s+(\d{1,3})\s*\/(\S+)\s+put/g)) {
    const shown = glyphText(name, names);
    if (shown !== undefined) changes.set(Number(code), shown);
  }
}

/** A font of pictures has a size of its own; its letters are about half as wide as high, as letters are. */
function drawnScale(file: PdfFile, dict: Dict): number {
  const widths = file.array(dict.get('Widths')).flatMap(width => file.number(width) || []);
  const sum = widths.reduce((left, right) => left + Math.abs(right), 0);
  return sum === 0 ? 1 : (2 * matrixScale(file, dict) * sum) / widths.length;
}

function matrixScale(file: PdfFile, dict: Dict): number {
  return Math.abs(file.number(file.array(dict.get('FontMatrix'))[0]) ?? 0.001);
}

function simpleWidths(file: PdfFile, dict: Dict): (code: number, text: string) => number {
  const first = file.number(dict.get('FirstChar')) ?? 0;
  const widths = file.array(dict.get('Widths')).map(width => file.number(width));
  const scale = matrixScale(file, dict);
  const base = file.name(dict.get('BaseFont')) ?? '';
  return (code, text) => {
    const width = widths[code - first];
    return width === undefined ? usualWidth(text, base) : width * scale;
  };
}

/** Roughly, of the fonts that every reader of PDFs has: good enough to tell a gap from none. */
function usualWidth(text: string, font: string): number {
  if (font.startsWith('Courier')) return 0.6;
  const serif = font.startsWith('Times') ? 0.87 : 1;
  if (/^[ijltfI.,;:'|! ]$/.test(text)) return 0.28 * serif;
  return serif * (/^[mwMW@%]$/.test(text) ? 0.85 : /^[A-Z]$/.test(text) ? 0.67 : 0.53);
}

function compositeDecoder(file: PdfFile, dict: Dict): Decode {
  const name = file.name(dict.get('Encoding')) ?? '';
  // Without a map only codes that are characters already can be told.
  const isMappedToItself = file.name(dict.get('ToUnicode'))?.startsWith('Identity') === true;
  if (isMappedToItself || /UCS2|UTF16/.test(name)) return (_, bytes) => utf16(bytes);
  const encoding = legacyEncoding(name);
  if (encoding === undefined) return () => '';
  const decoder = new TextDecoder(encoding);
  return (_, bytes) => decoder.decode(bytes);
}

/** The encodings of East Asia that a font's codes may be in, by the names that PDF has for them. */
function legacyEncoding(name: string): string | undefined {
  if (name.includes('RKSJ')) return 'shift_jis';
  if (/^(?:GB|GBK)/.test(name)) return 'gb18030';
  if (/B5|ETen|HKscs/.test(name)) return 'big5';
  if (name.startsWith('KSC')) return 'euc-kr';
  return name.startsWith('EUC-') ? 'euc-jp' : undefined;
}

function legacyLength(encoding: string, byte: number): number {
  return byte < 0x80 || (encoding === 'shift_jis' && byte >= 0xa0 && byte < 0xe0) ? 1 : 2;
}

function compositeLengths(
  file: PdfFile,
  dict: Dict,
  map: CharacterMap | undefined,
): (bytes: Buffer, at: number) => number {
  const encoding = legacyEncoding(file.name(dict.get('Encoding')) ?? '');
  if (encoding !== undefined) return (bytes, at) => legacyLength(encoding, bytes[at] ?? 0);
  const ranges = map?.ranges ?? [];
  const lengths = [...new Set(ranges.map(({ length }) => length))].sort((left, right) => left - right);
  const isIdentity = file.name(dict.get('Encoding'))?.startsWith('Identity') === true;
  if (isIdentity || lengths.length === 0) return () => 2;
  return (bytes, at) => {
    for (const length of lengths) {
      const code = codeOf(bytes.subarray(at, at + length));
      if (ranges.some(range => range.length === length && code >= range.low && code <= range.high)) return length;
    }
    return lengths[0] ?? 2;
  };
}

function compositeWidths(file: PdfFile, dict: Dict): (code: number) => number {
  const descendant = file.dict(file.array(dict.get('DescendantFonts'))[0]);
  const usual = file.number(descendant?.get('DW')) ?? 1000;
  const widths = new Map<number, number>();
  const items = file.array(descendant?.get('W'));
  for (let index = 0; index < items.length; ) {
    file.budget.step();
    const first = file.number(items[index]) ?? 0;
    const second = file.resolve(items[index + 1]);
    if (Array.isArray(second)) {
      second.forEach((width, offset) => widths.set(first + offset, file.number(width) ?? usual));
      index += 2;
      continue;
    }
    const last = Math.min(typeof second === 'number' ? second : first, first + 65_536);
    const width = file.number(items[index + 2]) ?? usual;
    for (let code = first; code <= last; code++) {
      file.budget.step();
      widths.set(code, width);
    }
    index += 3;
  }
  return code => (widths.get(code) ?? usual) / 1000;
}
