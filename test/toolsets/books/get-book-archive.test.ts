import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { book, openSample, type Sample, sampleLibrary } from './sample.ts';
import { errorOf, objectOf } from './support/answer.ts';
import { connect } from './support/client.ts';
import { disk } from './support/disk.ts';
import { unzip } from './support/zip.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
});
afterAll(async () => await sample[Symbol.asyncDispose]());

const fileOf = (answer: Record<string, unknown>): string => fileURLToPath(String(answer['archive_url']));
const archive = async (args: Record<string, unknown> = {}, on: Sample = sample) =>
  objectOf(await on.call('get_book_archive', { book_id: book, ...args }));
const names = (answer: Record<string, unknown>): string[] =>
  unzip(readFileSync(fileOf(answer))).map(({ name }) => name);

const inContent = [
  'content/01-Basics/01-Start/01-intro.md',
  'content/01-Basics/01-Start/01-intro.summary.md',
  'content/01-Basics/01-Start/02-more.md',
  'content/01-Basics/01-Start/README.md',
  'content/01-Basics/02-End/01-bye.md',
  'content/01-Basics/README.md',
  'content/02-Extra/01-Only/01-one.md',
  'content/README.md',
];
const inAssets = ['static/images/two.png', 'static/img/one.png', 'static/slides/deck/a.pdf'];

describe('get_book_archive', () => {
  test.each([
    [undefined, inContent],
    ['content', inContent],
    ['assets', inAssets],
    ['all', [...inContent, ...inAssets]],
  ])(
    'contains for the scope %s exactly the expected files, sorted and without overlays (FR-013)',
    async (scope, expected) => {
      const answer = await archive(scope === undefined ? {} : { scope });
      const entries = unzip(readFileSync(fileOf(answer)));
      expect(entries.map(({ name }) => name)).toEqual(expected);
      for (const { name, bytes } of entries) expect(bytes).toEqual(sample.library.read(`books/${book}/${name}`));
      expect(answer).toMatchObject({
        status: 'success',
        file_count: expected.length,
        files_failed: 0,
        scope: scope ?? 'content',
        format: 'zip',
        total_size_bytes: entries.reduce((sum, { bytes }) => sum + bytes.length, 0),
        archive_size_bytes: readFileSync(fileOf(answer)).length,
        valid_for_seconds: 3600,
      });
      expect(answer).not.toHaveProperty('error_manifest');
    },
  );

  test('compresses text files and stores files that are already compressed as they are', async () => {
    const entries = unzip(readFileSync(fileOf(await archive({ scope: 'all' }))));
    const methodOf = (end: string) =>
      new Set(entries.filter(({ name }) => name.endsWith(end)).map(({ method }) => method));
    expect([methodOf('.md'), methodOf('.png'), methodOf('.pdf')]).toEqual([new Set([8]), new Set([0]), new Set([0])]);
  });

  test('creates equal bytes for an unchanged book, and a new file name for each call', async () => {
    const [one, two] = await Promise.all([archive({ scope: 'all' }), archive({ scope: 'all' })]);
    expect(fileOf(one)).not.toBe(fileOf(two));
    expect(readFileSync(fileOf(one)).equals(readFileSync(fileOf(two)))).toBe(true);
    expect(path.basename(fileOf(one))).toMatch(/^sample-book-\d{4}-\d\d-\d\d-[0-9a-f]{16}-\d{13}\.zip$/);
    expect(path.basename(fileOf(await archive()))).toMatch(/^sample-book-content-/);
    expect(path.dirname(fileOf(one))).toBe(path.join(sample.library.root, 'archives'));
  });

  test('returns a resource link to the archive file', async () => {
    const result = await sample.call('get_book_archive', { book_id: book });
    const uri = objectOf(result)['archive_url'];
    expect(result.content[1]).toEqual({
      type: 'resource_link',
      uri,
      name: path.basename(fileURLToPath(String(uri))),
      mimeType: 'application/zip',
    });
  });

  test('reports progress in bytes and files', async () => {
    sample.library.put(`books/${book}/static/audio/empty.mp3`, '');
    const seen: Progress[] = [];
    const args = { book_id: book, scope: 'all' };
    const answer = objectOf(await sample.call('get_book_archive', args, progress => seen.push(progress)));
    const steps = seen.map(({ progress }) => progress);
    expect(steps.length).toBeGreaterThan(1);
    expect(steps).toEqual([...new Set(steps)].toSorted((one, other) => one - other));
    const all = Number(answer['total_size_bytes']) + Number(answer['file_count']);
    expect(seen.at(-1)).toMatchObject({ progress: all, total: all, message: 'static/slides/deck/a.pdf' });
    rmSync(path.join(sample.library.root, `books/${book}/static/audio`), { recursive: true });
  });

  test('returns an empty archive for a book without files', async () => {
    mkdirSync(path.join(sample.library.root, 'books/empty-book/content'), { recursive: true });
    const answer = await archive({ book_id: 'empty-book' });
    expect(answer).toMatchObject({ status: 'success', file_count: 0, archive_size_bytes: 22 });
    expect(names(answer)).toEqual([]);
  });

  test('lists the files that it could not read, and includes all others (FR-014)', async () => {
    const { library } = sample;
    library.put('books/odd-book/content/01-P/01-C/01-a.md', 'a');
    library.put('books/odd-book/content/01-P/01-C/03-c.md', 'c');
    symlinkSync('/etc/hostname', path.join(library.root, 'books/odd-book/content/01-P/01-C/02-b.md'));
    const answer = await archive({ book_id: 'odd-book' });
    expect(answer).toMatchObject({ status: 'partial', file_count: 2, files_failed: 1, total_errors: 1 });
    expect(answer['error_manifest']).toEqual([
      { path: 'content/01-P/01-C/02-b.md', error: expect.stringContaining('link') },
    ]);
    expect(names(answer)).toEqual(['content/01-P/01-C/01-a.md', 'content/01-P/01-C/03-c.md']);
  });

  test('lists at most a hundred of the files that it could not read', async () => {
    const { library } = sample;
    library.put('books/links-book/content/a.md', 'a');
    for (let n = 0; n < 101; n++)
      symlinkSync('/etc/hostname', path.join(library.root, `books/links-book/content/${n}.md`));
    const answer = await archive({ book_id: 'links-book' });
    expect(answer).toMatchObject({ files_failed: 101, total_errors: 101, error_manifest_truncated: true });
    expect(answer['error_manifest']).toHaveLength(100);
  });

  test('rejects an archive folder that is a symbolic link', async () => {
    await using other = await openSample();
    symlinkSync('/tmp', path.join(other.library.root, 'archives'));
    const result = await other.call('get_book_archive', { book_id: book });
    expect(errorOf(result)['code']).toBe('INVALID_PATH');
  });
});

describe('get_book_archive', () => {
  test.each([
    { how: 'cancelled', give: (cancel: AbortController) => cancel.abort() },
    {
      how: 'interrupted because the host ends',
      give: (_: AbortController, pid: number) => process.kill(pid, 'SIGTERM'),
    },
  ])('leaves no file if the call is $how', async ({ give }) => {
    await using other = await openSample('--books-archive-timeout', '600');
    other.library.put(`books/${book}/content/07-Big/01-C/01-big.txt`, '');
    // The sparse file takes no space on the disk, but it is too large for an archive within the time of the test.
    truncateSync(path.join(other.library.root, `books/${book}/content/07-Big/01-C/01-big.txt`), 100_000_000_000);
    const folder = path.join(other.library.root, 'archives');
    const files = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);
    const cancel = new AbortController();
    const { client, pid } = other.connection;
    const args = { name: 'get_book_archive', arguments: { book_id: book } };
    const pending = client.callTool(args, undefined, { signal: cancel.signal }).catch(String);
    await expect.poll(() => files().some(name => name.endsWith('.part'))).toBe(true);
    give(cancel, pid);
    await pending;
    await expect.poll(files).toEqual([]);
  });
});

describe('get_book_archive at its time limit', () => {
  const missing = (answer: Record<string, unknown>): string[] =>
    Object.values({ ...Object(answer['error_manifest']) }).map(item => String(Object(item).path));

  test('returns a valid archive and lists the files that are missing in it (FR-014)', async () => {
    await using hurried = await openSample('--books-archive-timeout', '0');
    const answer = await archive({}, hurried);
    expect(answer).toMatchObject({
      status: 'partial',
      file_count: 0,
      files_failed: inContent.length,
      timeout: { limit_seconds: 0, message: expect.any(String) },
    });
    expect(names(answer)).toEqual([]);
    expect(missing(answer)).toEqual(inContent);
  });

  test('stops inside a large file (FR-014)', async () => {
    using library = sampleLibrary();
    // The clock of this server advances by 5 ms each time it is read.
    const hurried = await connect({
      args: ['--toolsets', 'books', '--books-root', library.root, '--books-archive-timeout', '1'],
      preload: [disk],
      env: { DISK_PLAN: JSON.stringify({ ticks: 5 }) },
    });
    library.put('books/slow-book/content/01-P/01-C/01-a.md', 'small');
    const file = path.join(library.root, 'books/slow-book/content/01-P/01-C/02-b.txt');
    writeFileSync(file, 'x');
    // The sparse file takes no space on the disk.
    truncateSync(file, 8_000_000_000);
    const seen: Progress[] = [];
    const args = { book_id: 'slow-book' };
    const answer = objectOf(await hurried.call('get_book_archive', args, progress => seen.push(progress)));
    // Progress must also be reported inside a file, if the file is large.
    const inside = seen.filter(({ progress, total = 0 }) => progress > 6 && progress < total);
    expect(inside.length).toBeGreaterThan(1);
    expect(answer).toMatchObject({ status: 'partial', file_count: 1, files_failed: 1 });
    expect(names(answer)).toEqual(['content/01-P/01-C/01-a.md']);
    expect(missing(answer)).toEqual(['content/01-P/01-C/02-b.txt']);
    expect(Number(answer['elapsed_seconds'])).toBeLessThan(1.5);
    await hurried.close();
  });
});
