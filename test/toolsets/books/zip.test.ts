import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compressFile, computeCrc32WithoutZlib, ZipWriter } from '../../../src/toolsets/books/archive/zip-writer.ts';
import { BufferPool } from '../../../src/toolsets/books/storage/disk/file.ts';
import { isFullRun } from '../../support/repetitions.ts';
import { unzip } from './support/zip.ts';

async function* pieces(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

/** Writes a ZIP file, passes it to the function `look`, and removes it. */
async function withZip(write: (zip: ZipWriter) => Promise<void>, look: (file: string) => void): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  const file = path.join(folder, 'test.zip');
  const descriptor = openSync(file, 'w+');
  try {
    const zip = new ZipWriter(descriptor, 5);
    await write(zip);
    await zip.finish();
    ftruncateSync(descriptor, zip.bytes);
    look(file);
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
}

/** Runs Python code that reads a ZIP file. */
const python = (file: string, code: string): string =>
  execFileSync('python3', ['-c', `import zipfile,sys\nz=zipfile.ZipFile(sys.argv[1])\n${code}`, file], {
    encoding: 'utf8',
  });

const go = (): void => {};

describe('the ZIP writer', () => {
  test("writes ZIP files that Python's reader accepts", async () => {
    await withZip(
      async zip => {
        await zip.addPacked('content/a.md', await compressFile(Buffer.from('packed '.repeat(100)), 5));
        await zip.addPieces('ünï.png', 'store', 6, pieces('one', 'two'), go);
        await zip.addPieces('b.txt', 'deflate', 8, pieces('four', 'more'), go);
        await zip.addPacked('empty', await compressFile(Buffer.alloc(0), 5));
      },
      file => {
        const code = 'print(z.testzip(), [(i.filename, i.file_size, i.compress_type) for i in z.infolist()])';
        expect(python(file, code).trim()).toBe(
          "None [('content/a.md', 700, 8), ('ünï.png', 6, 0), ('b.txt', 8, 8), ('empty', 0, 8)]",
        );
        expect(unzip(readFileSync(file)).map(({ bytes }) => bytes.toString().length)).toEqual([700, 6, 8, 0]);
      },
    );
  });

  test('writes each entry directly after the data of the previous one', async () => {
    await withZip(
      async zip => {
        await zip.addPacked('a', await compressFile(Buffer.from('packed '.repeat(100)), 5));
        await zip.addPacked('b', await compressFile(Buffer.alloc(0), 5));
        await zip.addPieces('c', 'deflate', 8, pieces('four', 'more'), go);
        await zip.addPieces('d', 'store', 6, pieces('one', 'two'), go);
      },
      file => {
        const code =
          'end=0\nfor i in z.infolist():\n print(i.header_offset-end, end=" ")\n end=i.header_offset+31+i.compress_size\nprint(z.start_dir-end)';
        expect(python(file, code).trim()).toBe('0 0 0 0 0');
      },
    );
  });

  test('frees the memory of each compressed chunk as soon as the chunk is written', async () => {
    const hashes = Array.from({ length: 9400 }, (_, index) => createHash('sha256').update(String(index)).digest());
    const packed = await compressFile(Buffer.concat(hashes), 5); // hashes cannot be compressed
    const sizes = (): number[] => packed.data.map(({ buffer }) => buffer.byteLength);
    expect(sizes()).toEqual(packed.data.map(() => 65_536));
    expect(packed.data.length).toBeGreaterThan(4);
    await withZip(
      async zip => await zip.addPacked('random', packed),
      () => {},
    );
    expect(sizes()).toEqual(packed.data.map(() => 0));
  });

  test('removes an entry if reading its file fails', async () => {
    await withZip(
      async zip => {
        await zip.addPacked('a', await compressFile(Buffer.from('a'), 5));
        const long = async function* (): AsyncGenerator<Uint8Array> {
          yield Buffer.alloc(100_000, 1);
          throw new Error('the disk');
        };
        await expect(zip.addPieces('bad', 'store', 200_000, long(), go)).rejects.toThrow('the disk');
        await expect(zip.addPieces('short', 'store', 10, pieces('x'), go)).rejects.toThrow('changed');
        await zip.addPieces('b', 'store', 1, pieces('b'), go);
      },
      file => {
        expect(python(file, 'print(z.testzip(), z.namelist())').trim()).toBe("None ['a', 'b']");
      },
    );
  });

  test('writes ZIP files with more than 65,535 entries', async () => {
    await withZip(
      async zip => {
        for (let n = 0; n < 66_000; n++) await zip.addPieces(`f${n}`, 'store', 1, pieces('x'), go);
      },
      file => expect(python(file, 'print(len(z.namelist()), z.read("f65999"))').trim()).toBe("66000 b'x'"),
    );
  });

  test('writes ZIP files with more than 4 GiB, in one entry and in total', async ({ skip }) => {
    skip(!isFullRun, 'writes 9 GiB: runs when FULL_TESTS is set');
    const piece = Buffer.alloc(1 << 24);
    const size = 4.2 * 2 ** 30 - ((4.2 * 2 ** 30) % piece.length);
    const big = async function* (): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < size; at += piece.length) yield piece;
    };
    await withZip(
      async zip => {
        await zip.addPieces('big', 'store', size, big(), go);
        await zip.addPieces('big-too', 'deflate', size, big(), go);
        await zip.addPieces('last', 'store', 1, pieces('x'), go);
      },
      file =>
        expect(python(file, 'print([i.file_size for i in z.infolist()], z.read("last"))').trim()).toBe(
          `[${size}, ${size}, 1] b'x'`,
        ),
    );
  });

  test('computes correct checksums in versions of Node without zlib.crc32', () => {
    const bytes = Buffer.from('The quick brown fox');
    expect(computeCrc32WithoutZlib(bytes, 0)).toBe(crc32(bytes));
    expect(computeCrc32WithoutZlib(bytes.subarray(7), computeCrc32WithoutZlib(bytes.subarray(0, 7), 0))).toBe(
      crc32(bytes),
    );
  });
});

test('a pool of buffers keeps at most four for the next files', () => {
  const pool = new BufferPool();
  const taken = Array.from({ length: 5 }, () => pool.take());
  expect(new Set(taken).size).toBe(5);
  for (const piece of taken) pool.giveBack(piece);
  const again = Array.from({ length: 5 }, () => pool.take());
  expect(again.filter(piece => taken.includes(piece))).toHaveLength(4);
  expect(new Set(again).size).toBe(5);
});
