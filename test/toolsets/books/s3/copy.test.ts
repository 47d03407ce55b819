import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BookFiles } from '../../../../src/toolsets/books/library/book-files.ts';
import { BookHistory } from '../../../../src/toolsets/books/library/history.ts';
import { openDiskBackend } from '../../../../src/toolsets/books/library/library.ts';
import { sha256Of } from '../../../../src/toolsets/books/model/hash.ts';
import { openLibraryRoot } from '../../../../src/toolsets/books/storage/disk/root.ts';
import type { StorageBackend } from '../../../../src/toolsets/books/storage/storage-backend.ts';
import type { Bucket } from '../../../support/bucket/server.ts';
import { openStore } from './support.ts';

const book = 'a-book';
const author = { agent: 'tester', operation: 'write_content' };
const { signal } = new AbortController();

function folder(): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

async function openFolder(root: string): Promise<StorageBackend> {
  const backend = openDiskBackend(openLibraryRoot(root), Date.now);
  onTestFinished(async () => await backend.close());
  return backend;
}

async function write(backend: StorageBackend, number: number, text: string | undefined): Promise<void> {
  const place = { book, path: `content/01-A/01-B/0${number}-c.md`, user: undefined };
  const bytes = text === undefined ? undefined : Buffer.from(text);
  await backend.journal(book).change({ place, bytes, author, decide: () => undefined });
}

/** Copies the contents and names of objects without their metadata, as `aws s3 sync` does. */
function download(bucket: Bucket, root: string): void {
  for (const [key, { bytes }] of bucket.objects) {
    mkdirSync(path.dirname(path.join(root, key)), { recursive: true });
    writeFileSync(path.join(root, key), bytes);
  }
}

function upload(root: string, bucket: Bucket): void {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    const etag = `"${sha256Of(bytes).slice(0, 32)}"`;
    bucket.objects.set(path.relative(root, file), { bytes, etag, modifiedMs: Date.now(), headers: {} });
  }
}

/** Returns the listed files, their states in the journal, and the errors of the journal. */
async function stateOf(backend: StorageBackend) {
  const history = new BookHistory(backend, Date.now);
  const { files } = await history.scanFiles(book, signal);
  const listed = await new BookFiles(backend).baseFiles(book, false, signal);
  return {
    files: new Map(files.map(({ place, hash }) => [place.path, hash])),
    listed: listed?.map(({ key }) => key),
    problems: await history.audit(book, signal),
  };
}

describe('a copied library', () => {
  test('has the same files after a copy from a bucket to a folder and back, also if files were deleted in both', async () => {
    const store = await openStore();
    const inBucket = await store.open();
    await write(inBucket, 1, 'one');
    await write(inBucket, 2, 'two');
    await write(inBucket, 3, 'three');
    await write(inBucket, 2, undefined);
    const before = await stateOf(inBucket);
    expect(before.problems).toEqual([]);
    expect(before.listed).toHaveLength(2);
    await inBucket.close();

    const root = folder();
    download(store.bucket, root);
    const inFolder = await openFolder(root);
    expect(await stateOf(inFolder)).toEqual(before);
    await write(inFolder, 1, undefined);
    await write(inFolder, 2, 'two again');
    const between = await stateOf(inFolder);
    expect([between.problems, between.listed]).toEqual([
      [],
      [`books/${book}/content/01-A/01-B/02-c.md`, `books/${book}/content/01-A/01-B/03-c.md`],
    ]);
    await inFolder.close();

    const other = await openStore();
    upload(root, other.bucket);
    const again = await other.open();
    expect(await stateOf(again)).toEqual(between);
    await write(again, 3, 'three again');
    expect((await stateOf(again)).problems).toEqual([]);
  });

  test('recovers a change that was unfinished in the journal when the library was copied', async () => {
    const store = await openStore({
      mishap: (method, key) =>
        method === 'PUT' && isSilent && key.startsWith('books/') ? { kind: 'drop' } : undefined,
    });
    let isSilent = false;
    const inBucket = await store.open();
    await write(inBucket, 1, 'one');
    isSilent = true;
    await expect(write(inBucket, 1, 'two')).rejects.toThrow('Cannot reach');
    const root = folder();
    download(store.bucket, root);
    const inFolder = await openFolder(root);
    expect((await inFolder.journal(book).peek()).open.size).toBe(1);
    const { problems, files } = await stateOf(inFolder);
    expect([problems, files]).toEqual([[], new Map([['content/01-A/01-B/01-c.md', sha256Of('two')]])]);
  });
});
