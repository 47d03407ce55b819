import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  BufferPool,
  convertNanosecondsToDate,
  createFileWithMode,
  fileVersionOf,
  hashWholeFile,
  readFileChunks,
  readRangeInChunks,
  readWholeFile,
  statDescriptor,
  writeTemporaryFile,
} from '../../../src/toolsets/books/storage/disk/file.ts';
import { countOpenDescriptors } from '../../support/descriptors.ts';
import { sha256 } from './support/library.ts';

const mebibyte = 1 << 20;

function temporaryFile(content: string | Uint8Array): string {
  const folder = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'file');
  writeFileSync(file, content);
  return file;
}

function opened(file: string): number {
  const descriptor = openSync(file, constants.O_RDONLY);
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

/** Returns bytes with a period that divides no block size, so that exchanged blocks differ. */
const bytesOf = (length: number): Buffer => Buffer.alloc(length, Buffer.from(Array.from({ length: 251 }, (_, n) => n)));

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const sizes = [0, 1, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, mebibyte, mebibyte + 1, 2 * mebibyte + 3];

test.each(sizes)('a file of %i bytes is read, hashed and streamed completely', async size => {
  const bytes = bytesOf(size);
  const file = temporaryFile(bytes);
  const descriptor = opened(file);
  expect((await readWholeFile(descriptor, 'key')).equals(bytes)).toBe(true);
  const { hash, stat } = await hashWholeFile(descriptor, 'key');
  expect([hash, stat.size]).toEqual([sha256(bytes), BigInt(size)]);
  const before = countOpenDescriptors();
  const pieces: Buffer[] = [];
  for await (const piece of readFileChunks(openSync(file, constants.O_RDONLY), size, 'key', new BufferPool()))
    pieces.push(Buffer.from(piece));
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(countOpenDescriptors()).toBe(before);
});

test('a file that is longer than the requested size is streamed up to it', async () => {
  const bytes = bytesOf((1 << 18) + 100);
  const file = temporaryFile(bytes);
  const size = (1 << 18) + 5;
  const pieces = await listOf(readFileChunks(openSync(file, constants.O_RDONLY), size, 'key', new BufferPool()));
  expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(size);
});

test('only the requested size of a file is streamed, and a shorter file is an error', async () => {
  const file = temporaryFile('0123456789');
  const take = async (size: number): Promise<string> => {
    let text = '';
    const pieces = readFileChunks(openSync(file, constants.O_RDONLY), size, 'key', new BufferPool());
    for await (const piece of pieces) text += Buffer.from(piece).toString();
    return text;
  };
  const before = countOpenDescriptors();
  expect([await take(0), await take(4), await take(10)]).toEqual(['', '0123', '0123456789']);
  await expect(take(11)).rejects.toThrow('key is being written by another program.');
  expect(countOpenDescriptors()).toBe(before);
});

test('a file that changes between two chunks is an error', async () => {
  const file = temporaryFile(bytesOf(mebibyte));
  for (const change of [() => appendFileSync(file, 'x'), () => utimesSync(file, 1, 1)]) {
    const pieces = readFileChunks(openSync(file, constants.O_RDONLY), mebibyte, 'key', new BufferPool());
    await pieces.next();
    change();
    await expect(listOf(pieces)).rejects.toThrow('key is being written by another program.');
  }
});

test('a file that changes while it is read is read again', async () => {
  const file = temporaryFile(bytesOf(2 * mebibyte));
  for (const length of [mebibyte + 1, 3 * mebibyte, 5]) {
    const [read, hashed] = [readWholeFile(opened(file), 'key'), hashWholeFile(opened(file), 'key')];
    // The first attempt has already read the size of the file, and waits for its first chunk.
    const bytes = bytesOf(length);
    writeFileSync(file, bytes);
    truncateSync(file, length);
    expect([(await read).equals(bytes), (await hashed).hash]).toEqual([true, sha256(bytes)]);
    writeFileSync(file, bytesOf(2 * mebibyte));
  }
});

test.skipIf(!existsSync('/proc/version'))('a file that is always longer than its size is an error', async () => {
  // Linux gives these files the size 0.
  expect(readFileSync('/proc/version').length).toBeGreaterThan(0);
  await expect(hashWholeFile(opened('/proc/version'), 'key')).rejects.toThrow('key is being written');
});

test('the hash of a file is not computed after the call was cancelled', async () => {
  const file = temporaryFile('x');
  await expect(hashWholeFile(opened(file), 'key', AbortSignal.abort(new Error('cancelled')))).rejects.toThrow(
    'cancelled',
  );
});

test.each([
  [0, 0, []],
  [3, 10, [7]],
  [0, 2 * mebibyte + 5, [mebibyte, mebibyte, 5]],
  [7, mebibyte + 8, [mebibyte, 1]],
  [2 * mebibyte, 3 * mebibyte, [5]],
  [3 * mebibyte, 4 * mebibyte, []],
])('the range from %i to %i of a file is read in chunks of one mebibyte up to its end', async (from, to, lengths) => {
  const bytes = bytesOf(2 * mebibyte + 5);
  const pieces = await listOf(readRangeInChunks(opened(temporaryFile(bytes)), from, to));
  expect(pieces.map(({ length }) => length)).toEqual(lengths);
  expect(Buffer.concat(pieces).equals(bytes.subarray(from, to))).toBe(true);
});

test.skipIf(process.platform === 'win32')(
  'a temporary file has its mode or that of the umask, and replaces no file',
  async () => {
    const reference = temporaryFile('x');
    const folder = path.dirname(reference);
    const bytes = bytesOf(100_000);
    const before = countOpenDescriptors();
    const modes: (number | undefined)[] = [undefined, 0o600, 0o100_666, 0o7777];
    for (const [index, mode] of modes.entries()) {
      const file = path.join(folder, `${index}`);
      await writeTemporaryFile(file, bytes, mode);
      expect(readFileSync(file).equals(bytes)).toBe(true);
      const expected = mode === undefined ? statSync(reference).mode : 0o100_000 | (mode & 0o777);
      expect(statSync(file).mode.toString(8)).toBe(expected.toString(8));
    }
    await expect(writeTemporaryFile(reference, bytes, undefined)).rejects.toThrow('EEXIST');
    expect(() => createFileWithMode(reference, constants.O_RDWR, 0o600)).toThrow('EEXIST');
    expect(readFileSync(reference, 'utf8')).toBe('x');
    expect(countOpenDescriptors()).toBe(before);
  },
);

test('the version of a file depends on its inode, its size and both times', () => {
  const stat = { ino: 1n, size: 2n, mtimeNs: 3n, ctimeNs: 4n };
  const changed = Object.keys(stat).map(name => fileVersionOf({ ...stat, [name]: 9n }));
  expect([fileVersionOf(stat), ...changed]).toEqual(['1 2 3 4', '9 2 3 4', '1 9 3 4', '1 2 9 4', '1 2 3 9']);
  expect(typeof statDescriptor(opened(temporaryFile('x'))).mtimeNs).toBe('bigint');
});

test('a time in nanoseconds is truncated to milliseconds', () => {
  expect([0n, 999_999n, 1_000_000n, 1_999_999n].map(ns => convertNanosecondsToDate(ns).getTime())).toEqual([
    0, 0, 1, 1,
  ]);
});
