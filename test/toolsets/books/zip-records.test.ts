import { describe, expect, test } from 'vitest';
import {
  computeLocalHeaderLength,
  createCentralHeader,
  createEndRecords,
  createLocalHeader,
  type ZipEntry,
} from '../../../src/toolsets/books/model/zip-records.ts';

const giant = 5 * 2 ** 32;
const all32 = 0xffff_ffff;
const entry = (facts: Partial<ZipEntry>): ZipEntry => ({
  name: Buffer.from('a.md'),
  method: 'deflate',
  crc: 7,
  size: 100,
  packedSize: 90,
  offset: 30,
  ...facts,
});

/** Returns the numbers in the ZIP64 extension at the end of a header (APPNOTE 4.5.3). */
function wideNumbers(header: Buffer, extraLength: number): number[] {
  const extra = header.subarray(header.length - extraLength);
  expect([extra.readUInt16LE(0), extra.readUInt16LE(2)]).toEqual([1, extraLength - 4]);
  return Array.from({ length: (extraLength - 4) / 8 }, (_, index) => Number(extra.readBigUInt64LE(4 + index * 8)));
}

describe('a ZIP entry larger than 4 GiB', () => {
  test('has its sizes in the ZIP64 extension of its local header, and the header states the length of the extension', () => {
    const large = entry({ size: giant, packedSize: giant + 5 });
    const header = createLocalHeader(large);
    expect(header.length).toBe(computeLocalHeaderLength(large));
    expect([header.readUInt16LE(4), header.readUInt32LE(18), header.readUInt32LE(22)]).toEqual([45, all32, all32]);
    expect(header.readUInt16LE(28)).toBe(20);
    expect(wideNumbers(header, 20)).toEqual([giant, giant + 5]);
  });

  test.each([
    ['both sizes', { size: giant, packedSize: giant }, [giant, giant]],
    ['the offset', { offset: giant }, [giant]],
    ['sizes and offset', { size: giant, packedSize: giant, offset: giant + 1 }, [giant, giant, giant + 1]],
    ['both sizes if only the compressed size is too large', { size: 100, packedSize: all32 }, [100, all32]],
  ])('has in its central directory header a ZIP64 extension with only the large values: %s', (_, facts, expected) => {
    const header = createCentralHeader(entry(facts));
    expect(header.readUInt16LE(6)).toBe(45);
    expect(wideNumbers(header, header.readUInt16LE(30))).toEqual(expected);
  });
});

test('a small ZIP entry has no ZIP64 extension', () => {
  const header = createCentralHeader(entry({}));
  expect([header.length, header.readUInt16LE(30), header.readUInt16LE(6)]).toEqual([50, 0, 20]);
  expect([header.readUInt32LE(20), header.readUInt32LE(24), header.readUInt32LE(42)]).toEqual([90, 100, 30]);
  expect(createLocalHeader(entry({})).length).toBe(34);
});

test.each([
  ['more than 65,535 entries', 70_000, 1000, 2000],
  ['a central directory after 4 GiB', 3, 1000, giant],
])('the end of a large ZIP archive contains the ZIP64 records: %s', (_, count, size, offset) => {
  const end = createEndRecords(count, size, offset);
  expect(end.length).toBe(98);
  expect([end.readUInt32LE(0), end.readUInt32LE(56), end.readUInt32LE(76)]).toEqual([
    0x06064b50, 0x07064b50, 0x06054b50,
  ]);
  const wide = [24, 32, 40, 48, 64].map(at => Number(end.readBigUInt64LE(at)));
  expect(wide).toEqual([count, count, size, offset, offset + size]);
  expect(end.readUInt16LE(86)).toBe(Math.min(count, 0xffff));
});

/** Encodes fields of two, four or eight bytes in little-endian order. */
function record(...fields: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([length, value]) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(value));
      return bytes.subarray(0, length);
    }),
  );
}

describe('the records of a ZIP archive have the fields of the specification', () => {
  const name = Buffer.from('a.md');
  // The flags, the method, the time, the date 1980-01-01, the checksum, both sizes, and the lengths of name and
  // extension.
  const small = [
    [2, 0x0800],
    [2, 8],
    [2, 0],
    [2, 0x21],
    [4, 7],
    [4, 90],
    [4, 100],
    [2, 4],
    [2, 0],
  ] as const;
  const large = [
    [2, 0x0800],
    [2, 0],
    [2, 0],
    [2, 0x21],
    [4, 7],
    [4, all32],
    [4, all32],
    [2, 4],
  ] as const;

  test('local header (APPNOTE 4.3.7)', () => {
    expect(createLocalHeader(entry({}))).toEqual(Buffer.concat([record([4, 0x04034b50], [2, 20], ...small), name]));
    const extra = record([2, 1], [2, 16], [8, giant], [8, giant]);
    expect(createLocalHeader(entry({ method: 'store', size: giant, packedSize: giant }))).toEqual(
      Buffer.concat([record([4, 0x04034b50], [2, 45], ...large, [2, 20]), name, extra]),
    );
  });

  test('central directory header (APPNOTE 4.3.12)', () => {
    // The comment, the disk number and the internal attributes are zero. The external attributes are those of a Unix
    // file.
    const attributes = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0o100_644 * 65_536],
    ] as const;
    expect(createCentralHeader(entry({}))).toEqual(
      Buffer.concat([record([4, 0x02014b50], [2, 0x032d], [2, 20], ...small, ...attributes, [4, 30]), name]),
    );
    const extra = record([2, 1], [2, 24], [8, giant], [8, giant], [8, giant]);
    const facts = { method: 'store', size: giant, packedSize: giant, offset: giant } as const;
    expect(createCentralHeader(entry(facts))).toEqual(
      Buffer.concat([
        record([4, 0x02014b50], [2, 0x032d], [2, 45], ...large, [2, 28], ...attributes, [4, all32]),
        name,
        extra,
      ]),
    );
  });

  test('end of the central directory, without and with ZIP64 (APPNOTE 4.3.14 to 4.3.16)', () => {
    const end = (count: number, size: number, offset: number): Buffer =>
      record([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);
    expect(createEndRecords(3, 200, 1000)).toEqual(end(3, 200, 1000));
    expect(createEndRecords(65_534, 200, 1000)).toEqual(end(65_534, 200, 1000));
    const wide = (count: number, size: number, offset: number): Buffer =>
      Buffer.concat([
        record([4, 0x06064b50], [8, 44], [2, 0x032d], [2, 45], [4, 0], [4, 0]),
        record([8, count], [8, count], [8, size], [8, offset]),
        record([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]),
      ]);
    expect(createEndRecords(65_535, 200, 1000)).toEqual(
      Buffer.concat([wide(65_535, 200, 1000), end(65_535, 200, 1000)]),
    );
    expect(createEndRecords(3, all32, 5)).toEqual(Buffer.concat([wide(3, all32, 5), end(3, all32, 5)]));
    expect(createEndRecords(3, 5, giant)).toEqual(Buffer.concat([wide(3, 5, giant), end(3, 5, all32)]));
  });
});
