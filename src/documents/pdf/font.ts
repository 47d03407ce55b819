import { byteAt } from '../bytes.ts';
import { convertBytesToCharacterCode, readToUnicodeMap } from './characters.ts';
import { readCompositeFont } from './composite-font.ts';
import type { PdfFile } from './file.ts';
import type { GlyphDecoder, GlyphNames } from './glyphs.ts';
import { isRightToLeft, reverseText } from './page-text.ts';
import { createSimpleFontDecoder, createSimpleFontWidths, estimateType3FontScale } from './simple-font.ts';
import type { PdfDictionary } from './syntax.ts';

/** The text of a string of character codes in a font, with its width. */
interface ShownText {
  text: string;
  /** The width of the text in units of the font size. */
  width: number;
  codes: number;
  /** The number of codes for the space character, because the PDF property for word spacing makes them wider. */
  blanks: number;
  /** The number of codes without a known character. */
  unreadable: number;
}

export interface PdfFont {
  isVertical: boolean;
  /** The height of the letters in units of the font size. */
  scale: number;
  show(bytes: Buffer): ShownText;
}

interface CodeReader {
  lengthAt(bytes: Buffer, at: number): number;
  decode: GlyphDecoder;
  widthOf(code: number, bytes: Buffer, text: string): number;
}

interface Glyph {
  text: string;
  width: number;
}

const maxCachedGlyphs = 10_000;

export function readPdfFont(file: PdfFile, dict: PdfDictionary, names: GlyphNames): PdfFont {
  const content = file.content(dict.get('ToUnicode'));
  const map = content && readToUnicodeMap(content, file.budget);
  const isComposite = file.name(dict.get('Subtype')) === 'Type0';
  const reader = isComposite ? readCompositeFont(file, dict, map) : readSimpleFont(file, dict, names);
  const cache = new Map<number, Glyph>();
  const readGlyph = (code: number, bytes: Buffer): Glyph => {
    const mapped = map?.texts.get(code);
    // If a font maps a code to a control character, the mapping is ignored, because some programs write it for unknown
    // codes.
    const text = mapped === undefined || /^\p{Cc}+$/u.test(mapped) ? reader.decode(code, bytes) : mapped;
    const glyph = { text: lettersOf(text), width: reader.widthOf(code, bytes, text) };
    if (cache.size < maxCachedGlyphs) cache.set(code, glyph);
    return glyph;
  };
  return {
    scale: file.name(dict.get('Subtype')) === 'Type3' ? estimateType3FontScale(file, dict) : 1,
    isVertical: isComposite && /(?:^|-)V$/.test(file.name(dict.get('Encoding')) ?? ''),
    show(bytes) {
      const shown = { text: '', width: 0, codes: 0, blanks: 0, unreadable: 0 };
      for (let at = 0; at < bytes.length; shown.codes++) {
        const length = Math.max(1, reader.lengthAt(bytes, at));
        const code = length === 1 ? byteAt(bytes, at) : convertBytesToCharacterCode(bytes.subarray(at, at + length));
        const { text, width } = cache.get(code) ?? readGlyph(code, bytes.subarray(at, at + length));
        shown.text += text;
        shown.width += width;
        if (text === '') shown.unreadable++;
        if (length === 1 && code === 32) shown.blanks++;
        at += length;
      }
      return shown;
    },
  };
}

function readSimpleFont(file: PdfFile, dict: PdfDictionary, names: GlyphNames): CodeReader {
  const widthOf = createSimpleFontWidths(file, dict);
  return {
    lengthAt: () => 1,
    decode: createSimpleFontDecoder(file, dict, names),
    widthOf: (code, _, text) => widthOf(code, text),
  };
}

/**
 * Replaces ligatures and positional forms of Arabic letters by ordinary letters. The letters of a ligature are reversed
 * like other right-to-left text.
 */
function lettersOf(text: string): string {
  const letters = /[\ufb00-\ufdff\ufe70-\ufefc]/.test(text) ? text.normalize('NFKC') : text;
  return letters.length > 1 && isRightToLeft(letters) ? reverseText(letters) : letters;
}
