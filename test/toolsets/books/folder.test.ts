import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import { openDiskBackend } from '../../../src/toolsets/books/library/library.ts';
import type { FileLocation } from '../../../src/toolsets/books/model/key.ts';
import { OpenFolder } from '../../../src/toolsets/books/storage/disk/folder.ts';
import { type LibraryRoot, openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import type { StorageBackend } from '../../../src/toolsets/books/storage/storage-backend.ts';
import { book, lesson, openSample } from './sample.ts';
import { errorOf } from './support/answer.ts';
import { sha256, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';

const place: FileLocation = { book, path: lesson, user: undefined };
const author = { agent: 'test', operation: 'write_content' };
const key = `books/${book}/${lesson}`;
const chapterKey = path.dirname(key);

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { done: await work };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.report?.['code'];
  }
}

const roots: { name: string; change: Partial<LibraryRoot> }[] = [
  { name: 'directory descriptors', change: {} },
  { name: 'checked paths', change: { hasDescriptors: false } },
];

const open = (library: TemporaryLibrary, change: Partial<LibraryRoot> = {}, now = () => Date.now()): StorageBackend =>
  openDiskBackend({ ...openLibraryRoot(library.root), ...change }, now);
const put = async (backend: StorageBackend, text: string, at: FileLocation = place): Promise<unknown> =>
  await backend.journal(book).change({ place: at, bytes: Buffer.from(text), decide: () => undefined, author });

describe.each(roots)('the disk backend that uses $name', ({ change }) => {
  const write = async (backend: StorageBackend): Promise<unknown> => await codeOf(put(backend, 'new'));

  test('reads, writes, lists and deletes files', async () => {
    using library = temporaryLibrary('memory');
    const backend = open(library, change);
    const { storage } = backend;
    await put(backend, 'one');
    expect((await storage.read(key, 100))?.bytes.toString()).toBe('one');
    expect((await storage.list(`books/${book}`))?.map(entry => entry.key)).toEqual([key]);
    const removal = { place, bytes: undefined, decide: () => 'decided', author };
    expect(await backend.journal(book).change(removal)).toMatchObject({ decision: 'decided', previous: sha256('one') });
    expect(await storage.read(key, 100)).toBeUndefined();
    expect(await storage.list('books/no-such-book')).toBeUndefined();
    expect(library.audit(book)).toEqual([]);
  });

  test.each([
    ['the folder of the book', `books/${book}`],
    ['the folder "books"', 'books'],
    ['the folder of a part', `books/${book}/content/01-Basics`],
    ['the folder of the chapter', chapterKey],
    ['the lesson', key],
    ['the metadata folder', '.oj-books'],
    ['the metadata folder of the book', `.oj-books/${book}`],
    ['the folder of temporary files', `.oj-books/${book}/tmp`],
    ['the folder of the journal', `.oj-books/${book}/journal`],
    ['a segment of the journal', `.oj-books/${book}/journal/000000000001.jsonl`],
  ])('does not write through a symbolic link in place of %s', async (_, linked) => {
    using library = temporaryLibrary('memory');
    using outside = temporaryLibrary('memory');
    const isFile = /\.(?:md|jsonl)$/.test(linked);
    const target = path.join(outside.root, 'target');
    if (isFile) writeFileSync(target, 'untouched');
    else mkdirSync(target);
    mkdirSync(path.dirname(path.join(library.root, linked)), { recursive: true });
    symlinkSync(target, path.join(library.root, linked));
    const before = contentsOf(target);
    expect(await write(open(library, change))).not.toHaveProperty('done');
    expect(contentsOf(target)).toEqual(before);
  });

  test('does not create a file through a symbolic link whose target is missing', async () => {
    using library = temporaryLibrary('memory');
    mkdirSync(path.join(library.root, chapterKey), { recursive: true });
    const target = path.join(library.root, '..', `oj-mcp-test-escaped-${process.pid}`);
    symlinkSync(target, path.join(library.root, key));
    expect(await write(open(library, change))).toBe('INVALID_PATH');
    expect(existsSync(target)).toBe(false);
  });

  test.each(['a folder', 'a pipe'])('rejects a lesson path at which there is %s, without blocking', async kind => {
    using library = temporaryLibrary('memory');
    mkdirSync(path.join(library.root, chapterKey), { recursive: true });
    if (kind === 'a folder') mkdirSync(path.join(library.root, key));
    else execFileSync('mkfifo', [path.join(library.root, key)]);
    const backend = open(library, change);
    expect(await codeOf(backend.storage.read(key, 100))).toBe('INVALID_PATH');
    expect(await write(backend)).toBe('INVALID_PATH');
  });

  test.each(['../x', 'books/../../x', '/etc/passwd', 'books//x', 'books/./x', '', 'books/x\0', 'books\\..\\x', '..'])(
    'rejects the key %j',
    async bad => {
      using library = temporaryLibrary('memory');
      const backend = open(library, change);
      const { storage } = backend;
      expect(await codeOf(storage.read(bad, 100))).toBe('INVALID_PATH');
      expect(await codeOf(storage.list(bad))).toBe('INVALID_PATH');
      expect(await codeOf(storage.stat(bad))).toBe('INVALID_PATH');
      expect(await codeOf(put(backend, 'x', { ...place, path: bad }))).toBe('INVALID_PATH');
    },
  );

  test('rejects the use of an open folder that was moved', () => {
    using library = temporaryLibrary('memory');
    using outside = temporaryLibrary('memory');
    mkdirSync(path.join(library.root, 'books', book), { recursive: true });
    const libraryRoot = { ...openLibraryRoot(library.root), ...change };
    const folder = OpenFolder.open(libraryRoot, ['books', book]);
    folder?.checkPlace();
    renameSync(path.join(library.root, 'books'), path.join(outside.root, 'books'));
    symlinkSync(path.join(outside.root, 'books'), path.join(library.root, 'books'));
    expect(() => folder?.checkPlace()).toThrow('was moved or is outside');
    folder?.close();
  });

  // Without descriptors, only the path can be checked.
  test.runIf(process.platform === 'linux' && change.hasDescriptors !== false)(
    'rejects the use of an open folder that was replaced by another folder at the same path',
    () => {
      using library = temporaryLibrary('memory');
      const folderOfBook = path.join(library.root, 'books', book);
      mkdirSync(folderOfBook, { recursive: true });
      const folder = OpenFolder.open(openLibraryRoot(library.root), ['books', book]);
      renameSync(folderOfBook, path.join(library.root, 'books', 'moved'));
      mkdirSync(folderOfBook);
      expect(() => folder?.checkPlace()).toThrow('was moved or is outside');
      folder?.close();
    },
  );
});

test('the disk backend caches the hash of a file only while the file is unchanged', async () => {
  using library = temporaryLibrary('memory');
  // The clock is one minute ahead, so that all files count as old and their hashes can be cached.
  const { storage } = open(library, {}, () => Date.now() + 60_000);
  for (const text of ['one', 'two', 'three']) {
    library.put(key, text);
    expect([await storage.hash(key), await storage.hash(key)]).toEqual([sha256(text), sha256(text)]);
  }
});

test('the disk backend rejects a file that changes while it is streamed to the caller', async () => {
  using library = temporaryLibrary('memory');
  const { storage } = open(library);
  library.put(key, Buffer.alloc(1_000_000, 'a'));
  const take = async (): Promise<void> => {
    for await (const _ of (await storage.stream(key))?.pieces ?? []) library.put(key, Buffer.alloc(1_000_000, 'b'));
  };
  expect(await codeOf(take())).toBe('BUSY');
});

test('the disk backend rejects a file above the size limit without reading it', async () => {
  using library = temporaryLibrary('memory');
  library.put(key, 'four');
  const { storage } = open(library);
  expect([await codeOf(storage.read(key, 3)), (await storage.read(key, 4))?.bytes.length]).toEqual(['TOO_LARGE', 4]);
});

test('the disk backend gives a replaced file the permissions of the former one', async () => {
  using library = temporaryLibrary('memory');
  const backend = open(library);
  library.put(key, 'old');
  chmodSync(path.join(library.root, key), 0o640);
  await put(backend, 'new');
  expect(statSync(path.join(library.root, key)).mode & 0o777).toBe(0o640);
});

test('the disk backend returns one complete version of a file that is replaced during the read', async () => {
  using library = temporaryLibrary('memory');
  const backend = open(library);
  const versions = ['a', 'b'].map(letter => letter.repeat(300_000));
  library.put(key, versions[0] ?? '');
  const progress = { isDone: false };
  const writer = (async () => {
    for (let n = 0; n < 100; n++) {
      await put(backend, versions[n % 2] ?? '');
    }
    progress.isDone = true;
  })();
  let reads = 0;
  for (; !progress.isDone; reads++) {
    const read = await backend.storage.read(key, 1_000_000);
    expect(versions).toContain(read?.bytes.toString());
    await new Promise(resolve => setImmediate(resolve));
  }
  await writer;
  expect(reads).toBeGreaterThan(10);
});

/** Returns the text of a file, or the names in a folder. */
function contentsOf(target: string): string | string[] {
  return statSync(target).isDirectory() ? readdirSync(target) : readFileSync(target, 'utf8');
}

test('each tool treats a book whose folder is a symbolic link as missing', async () => {
  await using sample = await openSample();
  symlinkSync(path.join(sample.library.root, 'books', book), path.join(sample.library.root, 'books', 'linked-book'));
  const calls: [string, Record<string, unknown>][] = [
    ['read_content', { scope: 'book' }],
    ['write_content', { path: lesson, content: 'x' }],
    ['delete_content', { path: lesson }],
    ['delta_build', { since: '2025-01-01T00:00:00Z' }],
    ['upload_asset', { asset_type: 'img', filename: 'a.png', binary_data: btoa('x') }],
    ['get_asset', { asset_type: 'img', filename: 'one.png' }],
    ['list_assets', {}],
    ['glob_search', { pattern: '**' }],
    ['grep_search', { pattern: '.' }],
    ['get_book_archive', {}],
    ['validate_book', {}],
  ];
  for (const [tool, args] of calls) {
    const result = await sample.call(tool, { book_id: 'linked-book', ...args });
    expect({ tool, code: errorOf(result)['code'] }).toEqual({ tool, code: 'INVALID_PATH' });
  }
});

test('many parallel reads of lessons leave one audit note for each read in the journal', async () => {
  using library = temporaryLibrary('memory');
  const count = 2500;
  const textOf = (number: number): string => `# Lesson ${number}\n`;
  const pathOf = (number: number): string => `content/01-A/01-B/${number}.md`;
  for (let number = 0; number < count; number++) library.put(`books/${book}/${pathOf(number)}`, textOf(number));
  const backend = open(library);
  let next = 0;
  const read = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      const facts = { agent: 'test', operation: 'read_content', user: undefined, status: 'success', ms: 1 };
      await backend.journal(book).note({ ...facts, path: pathOf(number), seen: sha256(textOf(number)) });
    }
  };
  await Promise.all(Array.from({ length: 16 }, read));
  await backend.close();
  expect(library.journal(book).filter(({ kind }) => kind === 'note')).toHaveLength(count);
});
