import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolder, openFiles, rowsOf, write } from './open-files.ts';

describe('the tool search', () => {
  const content = {
    'notes/plain.txt': 'the needle',
    'name-needle.txt': 'nothing here',
    '.hidden/deep.txt': 'the needle',
    '.hidden.txt': 'the needle',
    'node_modules/package/index.js': 'the needle',
    'cache.noindex/page.txt': 'the needle',
    'build/report.txt': 'the needle',
    '.gitignore': 'build\n',
    'binary.dat': Buffer.from('\0the needle'),
    'late.dat': Buffer.concat([Buffer.alloc(8192, 'x'), Buffer.from('\0 the needle')]),
    'wide.txt': Buffer.from('\ufeffthe needle', 'utf16le'),
    'old.txt': Buffer.from('caf\xe9: the needle', 'latin1'),
    'wrapped.md': 'the\n   > no\nthe\r\n\tneedle',
    'photo.png': 'the needle',
    'drawing.svg': '<svg><text>the needle</text></svg>',
    README: 'the needle',
  };

  test('searches the contents of files in all encodings, but not their names, hidden files, generated files or media', async () => {
    const root = createFolder(content);
    const opened = await openFiles({ 'files-root': [root] });
    const outcome = await opened.call('search', { query: 'The Needle', scope: root });
    const found = rowsOf(outcome).map(row => path.relative(root, String(row['_path'])));
    expect(found.sort()).toEqual([
      'README',
      'build/report.txt',
      'drawing.svg',
      'late.dat',
      'notes/plain.txt',
      'old.txt',
      'wide.txt',
      'wrapped.md',
    ]);
    expect(outcome.structured?.['skipped']).toEqual({ hidden: 3, generated: 2 });
  });

  test.each([
    ['.hidden', ['deep.txt']],
    ['node_modules', ['package/index.js']],
    ['node_modules/package', ['index.js']],
    ['cache.noindex', ['page.txt']],
  ])('searches a hidden or generated folder if it is the scope: %s', async (scope, expected) => {
    const root = createFolder(content);
    const opened = await openFiles({ 'files-root': [root] });
    const outcome = await opened.call('search', { query: 'needle', scope: path.join(root, scope) });
    expect(rowsOf(outcome).map(row => path.relative(path.join(root, scope), String(row['_path'])))).toEqual(expected);
  });

  test('returns no files that are reached through symbolic links only', async () => {
    const root = createFolder({ 'a/note.txt': 'the needle' });
    symlinkSync('a/note.txt', path.join(root, 'link.txt'));
    symlinkSync('..', path.join(root, 'a/up'));
    const opened = await openFiles({ 'files-root': [root] });
    expect(await opened.paths('search', { query: 'needle' })).toEqual(['a/note.txt']);
    expect(await opened.paths('recent_files', {})).toEqual(['a/note.txt']);
    const { structured } = await opened.call('search', { query: 'needle', scope: root });
    expect(structured?.['skipped']).toEqual({ links: 2 });
  });

  test('counts texts over 50 MB as too large and does not read them', async () => {
    const root = createFolder({ 'small.txt': 'the needle', 'huge.txt': 'the needle' });
    truncateSync(write(root, 'sparse.bin', 'x\0'), 51 * 1024 * 1024);
    writeFileSync(path.join(root, 'huge.txt'), Buffer.alloc(50 * 1024 * 1024 + 1, 'the needle '));
    const opened = await openFiles({ 'files-root': [root] });
    const outcome = await opened.call('search', { query: 'needle', scope: root });
    expect(rowsOf(outcome)).toHaveLength(1);
    expect(outcome.structured?.['skipped']).toEqual({ tooLarge: 1 });
  });

  test('treats operators of other search engines as text of the query', async () => {
    const query = 'x" || kMDItemFSName == "*';
    const root = createFolder({ 'a.txt': `he wrote ${query}`, 'b.txt': 'x and y' });
    const opened = await openFiles({ 'files-root': [root] });
    for (const text of [query, '"', '"*', 'x" ||'])
      expect(await opened.paths('search', { query: text })).toEqual(['a.txt']);
    expect(await opened.paths('search', { query: '(.+)' })).toEqual([]);
  });

  test('finds a text of one byte, and does not return an empty file', async () => {
    const root = createFolder({ 'one.txt': 'q', 'none.txt': '' });
    const opened = await openFiles({ 'files-root': [root] });
    expect(await opened.paths('search', { query: 'Q' })).toEqual(['one.txt']);
  });

  test('returns each hard link of a file as a separate result', async () => {
    const root = createFolder({ 'a.txt': 'the needle' });
    linkSync(path.join(root, 'a.txt'), path.join(root, 'b.txt'));
    const opened = await openFiles({ 'files-root': [root] });
    expect((await opened.paths('search', { query: 'needle' })).sort()).toEqual(['a.txt', 'b.txt']);
  });
});

describe('the result pages of a search', () => {
  async function openMany(): Promise<{
    opened: Awaited<ReturnType<typeof openFiles>>;
    root: string;
    expected: string[];
  }> {
    const root = createFolder();
    const expected: string[] = [];
    for (let number = 0; number < 250; number++) {
      const name = `note-${String(number).padStart(3, '0')}.txt`;
      write(root, name, 'a note', new Date(Date.UTC(2026, 0, 1, 0, 0, 300 - number)).toISOString());
      expected.push(name);
    }
    return { opened: await openFiles({ 'files-root': [root] }), root, expected };
  }

  test.each(['search', 'search_by_kind', 'recent_files'])(
    'contain all results of %s together, from newest to oldest',
    async tool => {
      const { opened, root, expected } = await openMany();
      const args = {
        scope: root,
        ...(tool === 'search'
          ? { query: 'note' }
          : tool === 'recent_files'
            ? { since: '2025-12-31' }
            : { kind: 'document' }),
      };
      const seen: string[] = [];
      const more: unknown[] = [];
      for (let offset = 0; offset < 300; offset += 100) {
        const outcome = await opened.call(tool, { ...args, offset });
        seen.push(...rowsOf(outcome).map(row => path.relative(root, String(row['_path']))));
        more.push(outcome.structured?.['truncated']);
      }
      expect(seen).toEqual(expected);
      expect(more).toEqual([true, true, false]);
    },
  );

  test.each([
    [undefined, 100, true],
    [null, 100, true],
    [0, 1, true],
    [-5, 1, true],
    [7, 7, true],
    [249, 249, true],
    [250, 250, false],
    [1000, 250, false],
    [5000, 250, false],
    [Number.MAX_SAFE_INTEGER, 250, false],
  ])('contain for the limit %j %d results', async (limit, count, isMore) => {
    const { opened, root } = await openMany();
    const outcome = await opened.call('search', { query: 'note', scope: root, limit });
    expect(rowsOf(outcome)).toHaveLength(count);
    expect(outcome.structured).toMatchObject({
      truncated: isMore,
      offset: 0,
      limit: limit === undefined || limit === null ? 100 : Math.min(1000, Math.max(1, limit)),
    });
  });

  test('are empty for an offset beyond the end, and start at the first result for a negative offset', async () => {
    const { opened, root } = await openMany();
    const beyond = await opened.call('recent_files', { scope: root, since: '2025-12-31', offset: 9999 });
    expect(beyond.text).toBe('[]');
    const before = await opened.call('recent_files', { scope: root, since: '2025-12-31', offset: -3, limit: 1 });
    expect(before.structured).toMatchObject({ offset: 0, limit: 1 });
  });

  test('sort files with equal times by path', async () => {
    const root = createFolder();
    for (const name of ['b.txt', 'a/z.txt', 'a.txt', 'C.txt', 'ä.txt'])
      write(root, name, 'same', '2026-01-01T00:00:00Z');
    const opened = await openFiles({ 'files-root': [root] });
    expect(await opened.paths('recent_files', { since: '2025-01-01' })).toEqual([
      'C.txt',
      'a.txt',
      'a/z.txt',
      'b.txt',
      'ä.txt',
    ]);
  });
});

describe('the tool recent_files', () => {
  test('returns by default the files of the last seven days, including the first instant, and no folders', async () => {
    const root = createFolder();
    const now = Date.UTC(2026, 10, 18, 12);
    const at = (milliseconds: number): string => new Date(milliseconds).toISOString();
    write(root, 'today.txt', '', at(now));
    write(root, 'just.txt', '', at(now - 7 * 86_400_000));
    write(root, 'before.txt', '', at(now - 7 * 86_400_000 - 1000));
    mkdirSync(path.join(root, 'folder'));
    const opened = await openFiles({ 'files-root': [root] }, { now: () => now });
    expect(await opened.paths('recent_files', {})).toEqual(['today.txt', 'just.txt']);
    expect(await opened.paths('recent_files', { since: at(now) })).toEqual(['today.txt']);
    expect(await opened.paths('recent_files', { since: '2026-11-18T13:00:00+01:00' })).toEqual(['today.txt']);
    expect(await opened.paths('recent_files', { since: '2026-11-12' })).toEqual(['today.txt']);
    expect(await opened.paths('recent_files', { since: '2026-11-19' })).toEqual([]);
  });
});
