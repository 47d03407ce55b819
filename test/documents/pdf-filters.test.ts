import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodePdfStream } from '../../src/documents/pdf/filters.ts';
import { PdfName, type PdfValue } from '../../src/documents/pdf/syntax.ts';
import { DocumentBudget } from '../../src/documents/unreadable.ts';
import * as fc from '../support/property.ts';

function decode(filter: string, encoded: Buffer, parameters: Record<string, PdfValue> = {}): Buffer | undefined {
  const budget = new DocumentBudget(1000, 1 << 20);
  return decodePdfStream(encoded, [new PdfName(filter)], [new Map(Object.entries(parameters))], budget);
}

/**
 * The Paeth predictor of the PNG specification, 9.4: the nearest of three neighbouring values, and at equal distance
 * the first of them.
 */
function paeth(left: number, up: number, corner: number): number {
  const target = left + up - corner;
  const distances = [left, up, corner].map(value => Math.abs(target - value));
  return [left, up, corner][distances.indexOf(Math.min(...distances))] ?? 0;
}

/** Stores rows of bytes as differences. `kinds` names the filter of each row by its number in the PNG specification. */
function predict(rows: readonly (readonly number[])[], kinds: readonly number[], step: number): Buffer {
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  return Buffer.from(
    rows.flatMap((values, row) => {
      const kind = kinds[row] ?? 0;
      const stored = values.map((value, column) => {
        const [left, up, corner] = [at(row, column - step), at(row - 1, column), at(row - 1, column - step)];
        return value - ([0, left, up, Math.floor((left + up) / 2), paeth(left, up, corner)][kind] ?? 0);
      });
      return [kind, ...stored];
    }),
  );
}

test('decodePdfStream reverts each row filter of PNG for pixels of any size', () => {
  const size = fc.record({
    colors: fc.integer({ min: 1, max: 4 }),
    bits: fc.constantFrom(1, 2, 4, 8, 16),
    columns: fc.integer({ min: 1, max: 9 }),
  });
  // Values that differ by a little are generated, because they have equal distances to the prediction much more often
  // than random bytes.
  const value = fc.oneof(fc.integer({ min: 98, max: 102 }), fc.nat(255));
  const image = size.chain(({ colors, bits, columns }) => {
    const rowBytes = Math.ceil((colors * bits * columns) / 8);
    const row = fc.array(value, { minLength: rowBytes, maxLength: rowBytes });
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), row), { minLength: 1, maxLength: 6 });
    return fc.record({ colors: fc.constant(colors), bits: fc.constant(bits), columns: fc.constant(columns), rows });
  });
  fc.assert(
    fc.property(image, ({ colors, bits, columns, rows }) => {
      const values = rows.map(([, row]) => row);
      const step = Math.max(1, Math.floor((colors * bits) / 8));
      const stored = predict(
        values,
        rows.map(([kind]) => kind),
        step,
      );
      const parameters = { Predictor: 15, Colors: colors, BitsPerComponent: bits, Columns: columns };
      expect(decode('FlateDecode', deflateSync(stored), parameters)).toEqual(Buffer.from(values.flat()));
    }),
    { numRuns: 500 },
  );
});

test.each([
  { left: 8, up: 11, corner: 10, nearest: 8 },
  { left: 11, up: 8, corner: 10, nearest: 8 },
  { left: 12, up: 9, corner: 10, nearest: 12 },
  { left: 9, up: 12, corner: 10, nearest: 12 },
  { left: 10, up: 13, corner: 10, nearest: 13 },
  { left: 13, up: 10, corner: 10, nearest: 13 },
  { left: 12, up: 12, corner: 10, nearest: 12 },
  { left: 9, up: 11, corner: 10, nearest: 10 },
])('decodePdfStream predicts a byte by the Paeth filter as $nearest from $left, $up and $corner', around => {
  const stored = Buffer.of(0, around.corner, around.up, 4, around.left - around.corner, 0);
  const decoded = decode('FlateDecode', deflateSync(stored), { Predictor: 15, Columns: 2 });
  expect(decoded).toEqual(Buffer.of(around.corner, around.up, around.left, around.nearest));
});

test('decodePdfStream omits the incomplete last row of a stream with a predictor', () => {
  const parameters = { Predictor: 12, Columns: 3 };
  expect(decode('FlateDecode', deflateSync(Buffer.of(0, 1, 2, 3, 2, 1, 1)), parameters)).toEqual(Buffer.of(1, 2, 3));
});

/** Compresses runs of 2 to 128 equal bytes. All other bytes are stored unchanged (PDF 32000, 7.4.5). */
function runLength(runs: readonly (readonly [value: number, count: number])[]): Buffer {
  return Buffer.from([...runs.flatMap(([value, count]) => (count === 1 ? [0, value] : [257 - count, value])), 128, 7]);
}

test('decodePdfStream reverts RunLengthDecode for runs of every length', () => {
  const run = fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 128 }));
  fc.assert(
    fc.property(fc.array(run), runs => {
      const expected = Buffer.from(runs.flatMap(([value, count]) => Array<number>(count).fill(value)));
      expect(decode('RunLengthDecode', runLength(runs))).toEqual(expected);
    }),
  );
  const literal = Buffer.from(Array.from({ length: 128 }, (_, index) => index));
  expect(decode('RL', Buffer.concat([Buffer.of(127), literal, Buffer.of(254, 9)]))).toEqual(
    Buffer.concat([literal, Buffer.of(9, 9, 9)]),
  );
});

/** Encodes each group of four bytes as five digits of base 85. An incomplete group has one digit more than bytes. */
function ascii85(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const group = bytes.subarray(at, at + 4);
    const number = BigInt(`0x${group.toString('hex').padEnd(8, '0')}`);
    const digits = [4n, 3n, 2n, 1n, 0n].map(power => String.fromCharCode(33 + Number((number / 85n ** power) % 85n)));
    text += group.length === 4 && number === 0n ? 'z' : digits.slice(0, group.length + 1).join('');
  }
  return text;
}

test.each([
  ['4142', 'AB'],
  ['41 4\n2>43', 'AB'],
  ['415', 'AP'],
  ['5>', 'P'],
  ['>41', ''],
])('decodePdfStream reads the hexadecimal digits %j, and a missing last digit as 0', (digits, text) => {
  expect(decode('ASCIIHexDecode', Buffer.from(digits))?.toString()).toBe(text);
});

test('decodePdfStream reverts ASCII85Decode and ASCIIHexDecode for any bytes, with white space and an end mark', () => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.array(fc.constantFrom(0, 255), { maxLength: 12 }));
  fc.assert(
    fc.property(bytes, fc.nat(60), fc.constantFrom('', '<~'), (values, space, start) => {
      const content = Buffer.from(values);
      const spaced = (text: string): string => `${text.slice(0, space)}\n ${text.slice(space)}`;
      expect(decode('ASCII85Decode', Buffer.from(`${start}${spaced(ascii85(content))}~>ignored`))).toEqual(content);
      expect(decode('ASCIIHexDecode', Buffer.from(`${spaced(content.toString('hex'))}>00`))).toEqual(content);
    }),
  );
});

/**
 * Writes these LZW codes. The width of a code grows with the number of codes since the last clear code 256, one code
 * earlier if `early` is 1 (PDF 32000, 7.4.4).
 */
function lzw(codes: readonly number[], early: 0 | 1): Buffer {
  let [text, known] = ['', 0];
  for (const code of codes) {
    // The table gets an entry with each code after the first one, and it has at most 4,096 entries.
    const next = 258 + Math.min(Math.max(0, known - 1), 4096 - 258) + early;
    text += code.toString(2).padStart(next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9, '0');
    known = code === 256 ? 0 : known + 1;
  }
  return Buffer.from((text.match(/.{1,8}/g) ?? []).map(bits => Number.parseInt(bits.padEnd(8, '0'), 2)));
}

test.each([0, 1] as const)(
  'decodePdfStream reverts LZWDecode up to and after a full table with EarlyChange %d',
  early => {
    const letters = Array.from({ length: 5000 }, (_, index) => (index * 7) % 256);
    const decodeCodes = (codes: readonly number[]): Buffer | undefined =>
      decode('LZWDecode', lzw([256, ...codes, 257, 65], early), { EarlyChange: early });
    expect(decodeCodes(letters)).toEqual(Buffer.from(letters));
    expect(decodeCodes([...letters, 256, 65, 258])).toEqual(Buffer.from([...letters, 65, 65, 65]));
    // The entry n contains the letters n and n + 1. The last one is 4095, and it is not replaced.
    expect(decodeCodes([...letters, 258, 4095])).toEqual(
      Buffer.from([...letters, ...letters.slice(0, 2), ...letters.slice(4095 - 258, 4097 - 258)]),
    );
  },
);

test('decodePdfStream stops at an LZW code that the table does not contain', () => {
  expect(decode('LZW', lzw([256, 65, 66, 257], 1))?.toString()).toBe('AB');
  expect(decode('LZW', lzw([256, 300, 66, 257], 1))?.toString()).toBe('');
  // The code of the next entry repeats the last text and its first byte.
  expect(decode('LZW', lzw([256, 65, 258, 66, 257], 1))?.toString()).toBe('AAAB');
});
