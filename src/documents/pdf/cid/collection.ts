import { brotliDecompressSync } from 'node:zlib';
import { byteAt } from '../../bytes.ts';
import { createLegacyCharacterOrder } from './legacy-order.ts';
import tables from './tables.json' with { type: 'json' };

/** Contains the characters of a font collection, indexed by their CID (character identifier). */
export class CidCollection {
  readonly #texts: readonly string[];
  #cids: Map<string, number> | undefined;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  /** Returns the text of a CID (character identifier), or '' for a CID without a character. */
  text(cid: number): string {
    return this.#texts[cid] ?? '';
  }

  /**
   * Returns the lowest CID (character identifier) of a character, because widths are stored by CID. Half-width glyphs
   * of the collection Japan1 are skipped.
   */
  cidOf(text: string): number | undefined {
    if (this.#cids === undefined) {
      this.#cids = new Map();
      for (let cid = this.#texts.length - 1; cid > 0; cid--) {
        const key = this.#texts[cid] ?? '';
        const isHalfWidth = cid >= 231 && cid <= 632;
        if (!isHalfWidth || !this.#cids.has(key)) this.#cids.set(key, cid);
      }
    }
    return this.#cids.get(text);
  }
}

/**
 * A range is stored as its first code, the number of further codes, and the CID (character identifier) of the first
 * code.
 */
type CidRange = readonly [first: number, more: number, cid: number];

const collections = new Map<string, CidCollection>();
let cnsRanges: readonly CidRange[] | undefined;

/** Returns the font collection with a name such as `Japan1`. Its table is decompressed when the first font needs it. */
export function findCidCollection(ordering: string): CidCollection | undefined {
  const known = collections.get(ordering);
  if (known !== undefined) return known;
  const packed = packedTable(ordering);
  if (packed === undefined) return undefined;
  const collection = new CidCollection(unpackTexts(packed, createLegacyCharacterOrder(ordering)));
  collections.set(ordering, collection);
  return collection;
}

function packedTable(ordering: string): string | undefined {
  switch (ordering) {
    case 'Japan1':
    case 'GB1':
    case 'CNS1':
    case 'Korea1':
      return tables[ordering];
    default:
      return undefined;
  }
}

function unpack(packed: string): Buffer {
  return brotliDecompressSync(Buffer.from(packed, 'base64'));
}

/** Decompresses a table in the format that build/cid-tables.mjs writes. */
function unpackTexts(packed: string, successors: ReadonlyMap<number, number>): string[] {
  const bytes = unpack(packed);
  const [count, largeCount] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
  const largeStart = 8 + count;
  const texts: string[] = [];
  let [code, large] = [0, 0];
  for (let cid = 0; cid < count; cid++) {
    let delta = byteAt(bytes, 8 + cid);
    if (delta === 255) {
      const at = largeStart + large++;
      delta = byteAt(bytes, at) | (byteAt(bytes, at + largeCount) << 8) | (byteAt(bytes, at + 2 * largeCount) << 16);
    }
    code = delta === 0 ? (successors.get(code) ?? 0) : code + 1 + unzigzag(delta - 1);
    texts.push(code <= 0 || code > 0x10ffff ? '' : String.fromCodePoint(code));
  }
  let cid = 0;
  for (const entry of bytes.toString('utf8', largeStart + 3 * largeCount).split('\n')) {
    const blank = entry.indexOf(' ');
    cid += Number(entry.slice(0, blank));
    texts[cid] += entry.slice(blank + 1);
  }
  return texts;
}

function unzigzag(value: number): number {
  return value & 1 ? -(value + 1) / 2 : value / 2;
}

/**
 * Returns the CID (character identifier) of a code in CNS-EUC, the only predefined encoding that `TextDecoder` does not
 * support.
 */
export function convertCnsCodeToCid(code: number): number | undefined {
  cnsRanges ??= unpack(tables['CNS-EUC'])
    .toString()
    .split('\n')
    .map(line => {
      const [first = 0, more = 0, cid = 0] = line.split(' ').map(Number);
      return [first, more, cid];
    });
  const range = cnsRanges.find(([first, more]) => code >= first && code <= first + more);
  return range && range[2] + code - range[0];
}
