import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { book, chapter, introText, lesson, openSample } from './sample.ts';
import { errorOf, listOf, objectOf } from './support/answer.ts';
import { segmentOf, sha256, type TemporaryLibrary } from './support/library.ts';

const fresh = `${chapter}/40-fresh.md`;

/** Functions that create an entry that is not a regular file. */
const inTheWay: Record<string, (file: string) => void> = {
  'a dangling link': file => symlinkSync('/nonexistent/x', file),
  'a link to a file': file => symlinkSync('/etc/hostname', file),
  'a pipe': file => void execFileSync('mkfifo', [file]),
  'a folder': file => mkdirSync(file),
};

const places = ['lock', 'journal/000000000001.jsonl'].flatMap(name =>
  Object.keys(inTheWay).map(kind => ({ name, kind })),
);

describe('a metadata file of the library', () => {
  test.each(places)(
    'does not prevent reads if it is not a plain file, and the error of a change names it: $kind in place of $name',
    async ({ name, kind }) => {
      await using sample = await openSample();
      const folder = path.join(sample.library.root, '.oj-books', book);
      mkdirSync(path.join(folder, 'journal'), { recursive: true });
      inTheWay[kind]?.(path.join(folder, name));
      expect(objectOf(await sample.call('read_content', { book_id: book, path: lesson }))['content']).toBe(introText);
      const refused = {
        error: 'StorageError',
        code: 'UNAVAILABLE',
        message: expect.stringContaining(`.oj-books/${book}/${name} `),
        suggestion: expect.stringContaining('remove'),
      };
      const write = { book_id: book, path: fresh, content: 'x' };
      expect(errorOf(await sample.call('write_content', write))).toMatchObject(refused);
      const { warnings } = objectOf(await sample.call('validate_book', { book_id: book }));
      // Tools that only read report the damage too, because they also read the journal, without the lock.
      const damage = { issue: 'Damaged audit trail', message: refused.message };
      const damages = Array.isArray(warnings) ? warnings.filter(({ issue }) => issue === damage.issue) : [];
      expect(damages).toMatchObject(name === 'lock' ? [] : [damage]);
      expect(listOf(await sample.call('list_assets', { book_id: book }))).toHaveLength(3);
      const since = { book_id: book, since: '2025-01-01T00:00:00Z', target_manifest_hash: sha256('') };
      expect(objectOf(await sample.call('delta_build', since))).toMatchObject({
        changed_count: 11,
        manifest_delta: { status: 'unknown' },
      });
      expect(sample.library.read(`books/${book}/${fresh}`)).toBeUndefined();
      rmSync(path.join(folder, name), { recursive: true });
      expect((await sample.call('write_content', { book_id: book, path: fresh, content: 'x' })).isError).toBe(false);
    },
  );
});

describe('an unfinished change whose file is missing or replaced', () => {
  const begin = (library: TemporaryLibrary, file: string): void => {
    const record = { kind: 'intent', seq: 1, time: '2025-01-01T00:00:00.000Z', book, agent: 'dead', path: file };
    const more = { operation: 'write_content', user: '__base__', prev: null, new: sha256('x'), status: 'pending' };
    library.put(segmentOf(book), `${JSON.stringify({ ...record, ...more, chain: '0'.repeat(64) })}\n`);
  };

  test.each([
    ['a link', `${chapter}/30-other.md`, (file: string) => symlinkSync('/etc/hostname', file)],
    ['a folder', `${chapter}/30-other.md`, (file: string) => mkdirSync(file)],
    ['no path', '', () => {}],
    ['a path outside of the library', '../../x', () => {}],
  ])('does not block other changes of the book: %s', async (_, file, put) => {
    await using sample = await openSample();
    put(path.join(sample.library.root, 'books', book, file));
    begin(sample.library, file);
    expect((await sample.call('write_content', { book_id: book, path: fresh, content: 'x' })).isError).toBe(false);
    const [, end] = sample.library.journal(book);
    expect(end).toMatchObject({ kind: 'abort', path: file, status: 'unknown', error: 'INVALID_PATH' });
    expect((await sample.call('delta_build', { book_id: book, since: '2025-01-01T00:00:00Z' })).isError).toBe(false);
  });

  test('is recorded with the status "unknown" if the file has neither the old nor the new content', async () => {
    await using sample = await openSample();
    const file = `${chapter}/30-other.md`;
    sample.library.put(`books/${book}/${file}`, 'by an editor, later');
    begin(sample.library, file);
    await sample.call('write_content', { book_id: book, path: fresh, content: 'x' });
    expect(sample.library.journal(book)[1]).toMatchObject({ kind: 'abort', path: file, status: 'unknown' });
  });
});
