import { convertBytesToCharacterCode, decodeTextString, decodeUtf16, type ToUnicodeMap } from './characters.ts';
import { readEmbeddedCmap } from './cid/cmap.ts';
import { type CidCollection, findCidCollection } from './cid/collection.ts';
import { type CidEncoding, findPredefinedCidEncoding, identityCidEncoding } from './cid/encoding.ts';
import type { PdfFile } from './file.ts';
import type { GlyphDecoder } from './glyphs.ts';
import type { PdfDictionary } from './syntax.ts';

/** The properties of the character codes in a composite PDF font (Type0), except its ToUnicode map. */
export interface CompositeFont {
  lengthAt: CidEncoding['lengthAt'];
  decode: GlyphDecoder;
  widthOf(code: number, bytes: Buffer): number;
}

export function readCompositeFont(file: PdfFile, dict: PdfDictionary, map: ToUnicodeMap | undefined): CompositeFont {
  const descendant = file.dict(file.array(dict.get('DescendantFonts'))[0]);
  const toUnicode = file.name(dict.get('ToUnicode')) ?? '';
  const encoding = readEncoding(file, dict, map);
  const collection = findCidCollection(orderingOf(file, descendant) ?? /^Adobe-(\w+)-UCS2$/.exec(toUnicode)?.[1] ?? '');
  const widths = readWidths(file, descendant);
  const decode = toUnicode.startsWith('Identity')
    ? (_: number, bytes: Buffer) => decodeUtf16(bytes)
    : decoder(encoding, collection);
  return {
    lengthAt: encoding.lengthAt,
    decode,
    widthOf(code, bytes) {
      const cid = encoding.cid?.(bytes) ?? collection?.cidOf(decode(code, bytes));
      // If a font defines no width for a character, a code of one byte is half as wide as a Chinese character.
      return widths(cid) ?? (bytes.length === 1 ? 0.5 : 1);
    },
  };
}

function readEncoding(file: PdfFile, dict: PdfDictionary, map: ToUnicodeMap | undefined): CidEncoding {
  const name = file.name(dict.get('Encoding'));
  if (name !== undefined) return findPredefinedCidEncoding(name) ?? mappedEncoding(map);
  const content = file.content(dict.get('Encoding'));
  if (content === undefined) return mappedEncoding(map);
  return readEmbeddedCmap(content, file.budget, file.name(file.dict(dict.get('Encoding'))?.get('UseCMap')));
}

/** Returns an encoding for a font with an unknown CMap. The lengths of its codes are those of the ToUnicode map. */
function mappedEncoding(map: ToUnicodeMap | undefined): CidEncoding {
  const ranges = map?.ranges ?? [];
  const lengths = [...new Set(ranges.map(({ length }) => length))].sort((left, right) => left - right);
  if (lengths.length === 0) return identityCidEncoding;
  return {
    lengthAt(bytes, at) {
      const length = lengths.find(each => {
        const code = convertBytesToCharacterCode(bytes.subarray(at, at + each));
        return ranges.some(range => range.length === each && code >= range.low && code <= range.high);
      });
      return length ?? lengths[0] ?? 2;
    },
    cid: convertBytesToCharacterCode,
  };
}

function orderingOf(file: PdfFile, descendant: PdfDictionary | undefined): string | undefined {
  const ordering = file.resolve(file.dict(descendant?.get('CIDSystemInfo'))?.get('Ordering'));
  return Buffer.isBuffer(ordering) ? decodeTextString(ordering) : undefined;
}

function decoder(encoding: CidEncoding, collection: CidCollection | undefined): GlyphDecoder {
  return (_, bytes) => {
    const text = encoding.text?.(bytes) ?? '';
    if (text !== '') return text;
    const cid = encoding.cid?.(bytes);
    return cid === undefined ? '' : (collection?.text(cid) ?? '');
  };
}

/** Returns a function that maps a CID (character identifier) to its width in units of 1/1000 of the font size. */
function readWidths(
  file: PdfFile,
  descendant: PdfDictionary | undefined,
): (cid: number | undefined) => number | undefined {
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
  return cid => (cid === undefined ? undefined : (widths.get(cid) ?? usual) / 1000);
}
