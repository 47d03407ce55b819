// @ts-check
// Generates src/documents/pdf/cid/tables.json, the characters of the CJK collections that PDF fonts number by CID:
// node build/cid-tables.mjs MAPPING-RESOURCES CMAP-RESOURCES
// with checkouts of mapping-resources-pdf and cmap-resources by Adobe (BSD licence). Run it when these change.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import * as esbuild from 'esbuild';

const output = 'src/documents/pdf/cid/tables.json';
const collections = ['Japan1', 'GB1', 'CNS1', 'Korea1'];
/** This byte is followed by a difference of three bytes, one per plane. Any other byte is itself the difference. */
const escaped = 255;
/** These variation selectors and enclosing marks are irrelevant for a search. */
const dropped = /[\ufe00-\ufe0f\u20dd-\u20e0\u{e0100}-\u{e01ef}]/gu;

const { outputFiles } = await esbuild.build({
  entryPoints: ['src/documents/pdf/cid/legacy-order.ts'],
  format: 'esm',
  write: false,
});
/** @type {{ createLegacyCharacterOrder: (collection: string) => ReadonlyMap<number, number> }} */
const { createLegacyCharacterOrder } = await import(
  `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`
);

const [mappings = '', cmaps = ''] = process.argv.slice(2);
/** @type {Record<string, string>} */
const tables = {};
for (const name of collections) {
  const texts = readTexts(readFileSync(path.join(mappings, `pdf2unicode/Adobe-${name}-UCS2`), 'latin1'));
  tables[name] = packTexts(texts, createLegacyCharacterOrder(name));
}
tables['CNS-EUC'] = packRanges(readRanges(readFileSync(path.join(cmaps, 'Adobe-CNS1-7/CMap/CNS-EUC-H'), 'latin1')));
writeFileSync(output, `${JSON.stringify(tables, undefined, 2)}\n`);

/**
 * @param {string} source a CMap from CIDs to UTF-16
 * @returns {string[]} the text of each CID
 */
function readTexts(source) {
  /** @type {string[]} */
  const texts = [];
  for (const [, kind, body = ''] of source.matchAll(/begin(bfchar|bfrange)\s([^]*?)end\1/g)) {
    const form = kind === 'bfchar' ? /<(\w+)>()\s*<(\w+)>/g : /<(\w+)>\s*<(\w+)>\s*(?:<(\w+)>|\[([^\]]*)\])/g;
    for (const [, low = '', high = '', target, list] of body.matchAll(form)) {
      const first = Number.parseInt(low, 16);
      const last = high === '' ? first : Number.parseInt(high, 16);
      const items = list?.match(/\w+/g);
      const characters = Array.from(utf16(target ?? ''));
      const end = characters.pop()?.codePointAt(0) ?? 0;
      for (let cid = first; cid <= last; cid++) {
        texts[cid] =
          items === undefined || items === null
            ? characters.join('') + String.fromCodePoint(end + cid - first)
            : utf16(items[cid - first] ?? '');
      }
    }
  }
  return Array.from(texts, text => (text ?? '').replace('\ufffd', '').replace(dropped, ''));
}

/** @param {string} hex */
function utf16(hex) {
  return Buffer.from(hex, 'hex').swap16().toString('utf16le');
}

/**
 * Encodes the first character of each CID as 0 if it follows the previous one in the older encoding, and otherwise as
 * their difference, in planes of bytes. All further characters follow.
 * @param {string[]} texts
 * @param {ReadonlyMap<number, number>} successors
 */
function packTexts(texts, successors) {
  const codes = texts.map(text => text.codePointAt(0) ?? 0);
  const deltas = codes.map((code, cid) => {
    const before = codes[cid - 1] ?? 0;
    return successors.get(before) === code ? 0 : 1 + zigzag(code - before - 1);
  });
  const large = deltas.filter(delta => delta >= escaped);
  let previous = 0;
  const more = texts.flatMap((text, cid) => {
    const rest = Array.from(text).slice(1).join('');
    if (rest === '') return [];
    const gap = cid - previous;
    previous = cid;
    return [`${gap} ${rest}`];
  });
  const counts = Buffer.alloc(8);
  counts.writeUInt32LE(texts.length, 0);
  counts.writeUInt32LE(large.length, 4);
  return pack([
    counts,
    Buffer.from(deltas.map(delta => Math.min(delta, escaped))),
    ...[0, 8, 16].map(shift => Buffer.from(large.map(delta => (delta >> shift) & 0xff))),
    Buffer.from(more.join('\n')),
  ]);
}

/** @param {number} delta */
function zigzag(delta) {
  return delta < 0 ? -2 * delta - 1 : 2 * delta;
}

/** @param {string} source a CMap from codes to CIDs */
function readRanges(source) {
  const bodies = Array.from(source.matchAll(/begincidrange\s([^]*?)endcidrange/g), ([, body = '']) => body);
  return bodies.flatMap(body =>
    Array.from(body.matchAll(/<(\w+)> *<(\w+)> *(\d+)/g), ([, low = '', high = '', cid]) => {
      const first = Number.parseInt(low, 16);
      return [first, Number.parseInt(high, 16) - first, Number(cid)];
    }),
  );
}

/** @param {readonly number[][]} ranges */
function packRanges(ranges) {
  return pack([Buffer.from(ranges.map(range => range.join(' ')).join('\n'))]);
}

/** @param {readonly Buffer[]} parts */
function pack(parts) {
  const bytes = Buffer.concat(parts);
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params }).toString('base64');
}
