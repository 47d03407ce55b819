import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ArchiveOptions, createArchive } from '../../../src/toolsets/books/archive/archive.ts';
import { BookFiles } from '../../../src/toolsets/books/library/book-files.ts';
import { openDiskBackend } from '../../../src/toolsets/books/library/library.ts';
import { openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import { countOpenDescriptors } from '../../support/descriptors.ts';
import { temporaryLibrary } from './support/library.ts';
import { unzip } from './support/zip.ts';

const mebibyte = 1 << 20;
const now = Date.UTC(2026, 1, 3, 23, 59);

function openLibrary(files: Readonly<Record<string, string | Uint8Array>>) {
  const library = temporaryLibrary('memory');
  onTestFinished(() => library[Symbol.dispose]());
  for (const [name, bytes] of Object.entries(files)) library.put(`books/graphs/${name}`, bytes);
  const backend = openDiskBackend(openLibraryRoot(library.root), () => now);
  onTestFinished(async () => await backend.close());
  const progress: [number, number, string][] = [];
  const { signal } = new AbortController();
  const make = async (options: Partial<ArchiveOptions> = {}) => {
    const tell = (done: number, total?: number, name?: string): void =>
      void progress.push([done, total ?? 0, name ?? '']);
    const order = { book: 'graphs', scope: 'all', limitMs: 600_000, ttlMs: 1000, signal, progress: tell } as const;
    const result = await createArchive(backend, new BookFiles(backend), { ...order, ...options }, () => now);
    return { ...result, entries: unzip(library.read(result.key) ?? Buffer.alloc(0)) };
  };
  return { library, make, progress };
}

const text = (size: number): Buffer => Buffer.alloc(size, 'lesson ');

test('an archive contains the files of a book in order, compressed unless they already are', async () => {
  const files = {
    'book.yaml': 'title: A',
    'content/01-a/01-b/01-c.md': '# C\n',
    'content/01-a/01-b/02-empty.md': '',
    'content/01-a/01-b/03-small.md': text(mebibyte),
    'content/01-a/01-b/04-large.md': text(mebibyte + 1),
    'static/img/a.png': randomBytes(300_000),
    'static/img/b.svg': randomBytes(2 * mebibyte),
  };
  const { make, progress, library } = openLibrary({ ...files, 'users/ada/content/x.md': 'of ada' });
  const before = countOpenDescriptors();
  const { entries, ...result } = await make();
  const expected = Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  expect(entries.map(({ name, bytes }) => [name, bytes.toString('base64')])).toEqual(expected);
  expect(entries.map(({ method }) => method)).toEqual([8, 8, 8, 8, 8, 0, 8]);
  const contentBytes = Object.values(files).reduce((sum, bytes) => sum + bytes.length, 0);
  expect(result).toMatchObject({ fileCount: 7, contentBytes, failures: [], isTimedOut: false, expiresMs: now + 1000 });
  expect(result.key).toMatch(new RegExp(`^archives/graphs-2026-02-03-[0-9a-f]{16}-${now + 1000}\\.zip$`));
  expect(library.read(result.key)?.length).toBe(result.archiveBytes);
  expect([result.elapsedMs > 0, result.peakMemoryBytes >= 0]).toEqual([true, true]);
  const steps = contentBytes + 7;
  expect(progress[0]).toEqual(['title: A'.length + 1, steps, 'book.yaml']);
  expect(progress.at(-1)).toEqual([steps, steps, 'static/img/b.svg']);
  expect(progress.every(([done], index) => done > (progress[index - 1]?.[0] ?? 0))).toBe(true);
  expect(countOpenDescriptors()).toBe(before);
});

test.each([
  ['content', ['content/a.md'], '-content'],
  ['assets', ['static/img/a.png'], '-assets'],
  ['all', ['book.yaml', 'content/a.md', 'static/img/a.png'], ''],
] as const)('an archive with the scope %s contains %j', async (scope, names, part) => {
  const { make } = openLibrary({
    'book.yaml': 'x',
    'content/a.md': 'x',
    'static/img/a.png': 'x',
    'users/a/content/b.md': 'x',
  });
  const { entries, key } = await make({ scope });
  expect(entries.map(({ name }) => name)).toEqual(names);
  expect(key).toContain(`archives/graphs${part}-2026-02-03-`);
});

test('an archive of a missing folder is empty, and one of a missing book is an error', async () => {
  const { make } = openLibrary({ 'content/a.md': 'x' });
  expect(await make({ scope: 'assets' })).toMatchObject({ entries: [], fileCount: 0, archiveBytes: 22 });
  await expect(make({ book: 'missing' })).rejects.toMatchObject({ report: { code: 'NOT_FOUND' } });
});

test('files that cannot be in an archive are listed with the reason, sorted by name', async () => {
  const { make, library } = openLibrary({
    'content/a.md': 'x',
    'content/b.md': 'x',
    'content/c.md': 'x',
    'content/d.md': 'x',
    'content/con.md': 'x',
    'content/e:f.md': 'x',
  });
  symlinkSync('a.md', path.join(library.root, 'books/graphs/content/z.md'));
  const { entries, failures, fileCount } = await make({
    progress: done => {
      if (done === 2) library.remove('books/graphs/content/d.md');
    },
  });
  expect([entries.map(({ name }) => name), fileCount]).toEqual([['content/a.md', 'content/b.md', 'content/c.md'], 3]);
  expect(failures).toEqual([
    { path: 'content/con.md', error: 'Left out: the name is that of a device on Windows.' },
    { path: 'content/d.md', error: 'The file was deleted.' },
    { path: 'content/e:f.md', error: expect.stringContaining('Left out: Windows reads ":"') },
    { path: 'content/z.md', error: 'A symbolic link, not followed.' },
  ]);
});

test('an archive without time contains no files, and says so', async () => {
  const { make } = openLibrary({ 'content/a.md': 'x', 'static/img/a.png': 'x' });
  const { entries, failures, isTimedOut, fileCount, contentBytes } = await make({ limitMs: 0 });
  const error = 'Left out: the time limit was reached.';
  expect({ entries, failures, isTimedOut, fileCount, contentBytes }).toEqual({
    entries: [],
    failures: [
      { path: 'content/a.md', error },
      { path: 'static/img/a.png', error },
    ],
    isTimedOut: true,
    fileCount: 0,
    contentBytes: 0,
  });
});

test.each([
  ['before the first file', 0],
  ['after the first file', 1],
])('a cancelled archive leaves no file and no open descriptor: %s', async (_, after) => {
  const { make, library } = openLibrary({
    'content/a.md': 'x',
    'content/b.md': 'x',
    'content/c.md': text(2 * mebibyte),
  });
  const controller = new AbortController();
  const before = countOpenDescriptors();
  if (after === 0) controller.abort(new Error('cancelled'));
  const progress = (): void => controller.abort(new Error('cancelled'));
  await expect(make({ signal: controller.signal, progress })).rejects.toThrow('cancelled');
  const folder = path.join(library.root, 'archives');
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  expect(countOpenDescriptors()).toBe(before);
});
