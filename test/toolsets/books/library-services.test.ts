import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BookFiles } from '../../../src/toolsets/books/library/book-files.ts';
import { BookHistory } from '../../../src/toolsets/books/library/history.ts';
import { openDiskBackend } from '../../../src/toolsets/books/library/library.ts';
import { verifyLibrary } from '../../../src/toolsets/books/library/verify.ts';
import { VersionHistory } from '../../../src/toolsets/books/library/version-history.ts';
import type { RetentionPolicy } from '../../../src/toolsets/books/model/retention.ts';
import { openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import type { StorageBackend } from '../../../src/toolsets/books/storage/storage-backend.ts';
import { segmentOf, sha256, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';

const book = 'graphs';
const author = { agent: 'ada', operation: 'write_content' };
const { signal } = new AbortController();
const lesson = (number: number): string => `content/01-a/01-b/${String(number).padStart(2, '0')}-c.md`;
const placeOf = (file: string, user?: string) => ({ book, path: file, user });

interface Opened {
  library: TemporaryLibrary;
  backend: StorageBackend;
  files: BookFiles;
  history: BookHistory;
  put: (file: string, text: string, user?: string) => Promise<void>;
}

function openLibrary(now: () => number = Date.now): Opened {
  const library = temporaryLibrary('memory');
  const backend = openDiskBackend(openLibraryRoot(library.root), now);
  onTestFinished(async () => {
    await backend.close();
    library[Symbol.dispose]();
  });
  const files = new BookFiles(backend);
  const put = async (file: string, text: string, user?: string): Promise<void> =>
    await files.put(placeOf(file, user), Buffer.from(text), author);
  return { library, backend, files, history: new BookHistory(backend, now), put };
}

describe('verifyLibrary', () => {
  const verify = async (backend: StorageBackend): Promise<string[]> => {
    const lines: string[] = [];
    for await (const { isGood, line } of verifyLibrary(backend, signal)) lines.push(`${isGood ? '✓' : '✗'} ${line}`);
    return lines;
  };

  test.each([
    [0, []],
    [20, Array.from({ length: 20 }, (_, n) => `✗ graphs: ${lesson(n)} differs from the journal`)],
    [
      21,
      [
        ...Array.from({ length: 20 }, (_, n) => `✗ graphs: ${lesson(n)} differs from the journal`),
        '✗ graphs: 1 more differences',
      ],
    ],
  ])('lists at most 20 of %i differences', async (count, lines) => {
    const { library, backend, put } = openLibrary();
    for (let number = 0; number < 21; number++) await put(lesson(number), 'one');
    for (let number = 0; number < count; number++) library.put(`books/${book}/${lesson(number)}`, 'two');
    const sign = count === 0 ? '✓ graphs: ' : `✗ graphs: ${count} differences; `;
    expect(await verify(backend)).toEqual([`${sign}${21 - count} files and 42 journal records match`, ...lines]);
  });

  test('compares files of all kinds with the journal, and ignores other files and invalid book names', async () => {
    const { library, backend, put } = openLibrary();
    for (const file of [lesson(1), lesson(2), 'static/img/a.png', 'import.json']) await put(file, 'one');
    await put(lesson(1), 'of ada', 'ada');
    await put(lesson(3), 'gone');
    library.put(`books/${book}/book.yaml`, 'x');
    library.put(`books/${book}/${lesson(9)}`, 'new');
    library.put('books/Not A Book/content/x.md', 'x');
    library.put('books/empty-book/book.yaml', 'x');
    library.remove(`books/${book}/${lesson(3)}`);
    expect(await verify(backend)).toEqual([
      '✓ empty-book: 0 files and 0 journal records match',
      '✗ graphs: 1 differences; 5 files and 12 journal records match; 1 files are not in the journal yet',
      `✗ graphs: ${lesson(3)} is in the journal and does not exist`,
    ]);
    // The journal of a deleted book is verified too.
    library.remove(`books/${book}`);
    expect((await verify(backend))[1]).toBe('✗ graphs: 6 differences; 0 files and 12 journal records match');
  });

  test('reports a checkpoint that is damaged or belongs to other records', async () => {
    const { library, backend, put } = openLibrary();
    await put(lesson(1), 'one');
    const checkpoint = `.oj-books/${book}/state/000000000001.jsonl.gz`;
    library.put(checkpoint, 'x');
    expect((await verify(backend))[1]).toBe('✗ graphs: journal: checkpoint 1 is damaged');
    const { checkpoints } = await backend.journal(book).readSegments(async segments => segments);
    const state = await backend.journal(book).peek();
    const chain = sha256(library.read(segmentOf(book))?.toString().trimEnd().split('\n').at(-1) ?? '');
    await checkpoints.save(1, { state, chain });
    expect(await verify(backend)).toEqual(['✓ graphs: 1 files and 2 journal records match']);
    state.setFile({ place: placeOf(lesson(1)), hash: 'other', changedMs: 1, agent: 'ada' });
    await checkpoints.save(1, { state, chain });
    expect((await verify(backend))[1]).toBe(
      '✗ graphs: journal: checkpoint 1 does not say the same as the records before it',
    );
  });
});

describe('BookHistory', () => {
  test('names the author of a file while the file is as the tool wrote it', async () => {
    const { library, files, history, put } = openLibrary();
    await put(lesson(1), 'one');
    await put(lesson(1), 'of ada', 'ada');
    library.put(`books/${book}/${lesson(2)}`, 'by an editor');
    await put(lesson(3), 'three');
    const authorsOf = async (): Promise<(string | undefined)[]> => {
      const authorOf = await history.authors(book);
      const places = [placeOf(lesson(1)), placeOf(lesson(1), 'ada'), placeOf(lesson(2)), placeOf(lesson(3))];
      return await Promise.all(
        places.map(async place => {
          const entry = await files.stat(place);
          return entry && (await authorOf(place, entry));
        }),
      );
    };
    expect(await authorsOf()).toEqual(['ada', 'ada', undefined, 'ada']);
    library.put(`books/${book}/${lesson(3)}`, 'changed');
    expect(await authorsOf()).toEqual(['ada', 'ada', undefined, undefined]);
    await history.scanFiles(book, signal);
    library.put(`books/${book}/${lesson(3)}`, 'three');
    expect(await authorsOf()).toEqual(['ada', 'ada', undefined, undefined]);
  });

  test('lists the files that differ from the journal', async () => {
    const { library, files, history, put } = openLibrary();
    for (const number of [1, 2, 3, 4]) await put(lesson(number), 'one');
    await files.remove(placeOf(lesson(4)), undefined, author);
    await put(lesson(2), 'of ada', 'ada');
    const changed = async (): Promise<string[]> =>
      await history.changedOutside(book, (await files.list(book, '')) ?? [], signal);
    expect(await changed()).toEqual([]);
    library.put(`books/${book}/${lesson(3)}`, 'two');
    library.remove(`books/${book}/${lesson(1)}`);
    library.put(`books/${book}/users/ada/${lesson(2)}`, 'two');
    library.put(`books/${book}/${lesson(4)}`, 'again');
    library.put(`books/${book}/${lesson(5)}`, 'not in the journal');
    expect(await changed()).toEqual([
      ...[1, 3, 4].map(number => `books/${book}/${lesson(number)}`),
      `books/${book}/users/ada/${lesson(2)}`,
    ]);
  });

  test('finds the files of a manifest by its hash', async () => {
    const { library, history, put } = openLibrary();
    await expect(history.scanFiles(book, signal)).rejects.toMatchObject({ report: { code: 'NOT_FOUND' } });
    await put(lesson(1), 'one');
    await put(lesson(1), 'of ada', 'ada');
    const first = await history.scanFiles(book, signal);
    library.put(`books/${book}/${lesson(2)}`, 'two');
    const second = await history.scanFiles(book, signal);
    expect([...((await history.manifestFiles(book, first.manifestHash)) ?? [])]).toEqual([[lesson(1), sha256('one')]]);
    expect([...((await history.manifestFiles(book, second.manifestHash)) ?? [])]).toEqual([
      [lesson(1), sha256('one')],
      [lesson(2), sha256('two')],
    ]);
    expect(await history.manifestFiles(book, sha256('none'))).toBeUndefined();
    expect(first.files.map(({ place }) => place.user)).toEqual([undefined, 'ada']);
    // A file of one byte is a new file, although its last change was a deletion.
    library.remove(`books/${book}/${lesson(2)}`);
    await history.scanFiles(book, signal);
    library.put(`books/${book}/${lesson(2)}`, '2');
    expect((await history.scanFiles(book, signal)).files.map(({ hash }) => hash)).toContain(sha256('2'));
    // A book whose folder was deleted is still known by its journal.
    library.remove(`books/${book}`);
    const third = await history.scanFiles(book, signal);
    expect(third.files.map(({ hash }) => hash)).toEqual([null, null, null]);
    expect([third.manifestHash, third.journalError]).toEqual([sha256(''), undefined]);
  });

  test('verifies new lines, and all lines again after verified ones were changed', async () => {
    const { library, history, put } = openLibrary();
    const audit = async (): Promise<number> => (await history.audit(book, signal)).length;
    const text = (): string => library.read(segmentOf(book))?.toString() ?? '';
    expect(await audit()).toBe(0);
    await put(lesson(1), 'one');
    expect(await audit()).toBe(0);
    await put(lesson(1), 'two');
    expect([await audit(), await audit()]).toEqual([0, 0]);
    const good = text();
    library.put(segmentOf(book), good.replace('"agent":"ada"', '"agent":"bob"'));
    expect([await audit(), await audit()]).toEqual([1, 1]);
    library.put(segmentOf(book), good);
    expect(await audit()).toBe(0);
    library.put(segmentOf(book), good.split('\n').slice(0, -2).join('\n').concat('\n'));
    expect(await audit()).toBe(0);
    library.put(segmentOf(book), `${good}x\n`);
    expect(await audit()).toBe(1);
    library.put(segmentOf(book), `${good}x\ny\n`);
    expect(await audit()).toBe(2);
    library.remove(segmentOf(book));
    expect(await audit()).toBe(0);
  });

  test('writes an audit note about an unknown book to the journal of the library', async () => {
    const { library, history, put } = openLibrary();
    await put(lesson(1), 'one');
    const note = { agent: 'ada', operation: 'read_content', path: 'p', user: undefined, status: 'success', ms: 1 };
    await history.note(book, note);
    await history.note('unknown', { ...note, seen: 'x' });
    await history.note(undefined, note);
    const notesIn = (name: string): string[] =>
      library.journal(name).flatMap(({ kind, path: file }) => (kind === 'note' ? [file] : []));
    expect([notesIn(book), notesIn('_library')]).toEqual([['p'], ['books/unknown/p', 'p']]);
    expect(readdirSync(path.join(library.root, 'books'))).toEqual([book]);
  });
});

describe('VersionHistory', () => {
  const day = 86_400_000;

  function openVersions(retention: RetentionPolicy) {
    const clock = { ms: Date.now() };
    const opened = openLibrary(() => clock.ms);
    const versions = new VersionHistory(opened.backend, retention, () => clock.ms);
    const folder = `.oj-books/${book}/versions`;
    const kept = async (): Promise<string[]> => [...(await versions.keptHashes(book))].sort();
    const keep = async (text: string): Promise<void> => await versions.keep(book, Buffer.from(text));
    return { ...opened, clock, versions, folder, kept, keep };
  }

  test.each([
    [{ maxAgeMs: 0, maxBytes: 100 }, 0],
    [{ maxAgeMs: day, maxBytes: 0 }, 0],
    [{ maxAgeMs: day, maxBytes: 1 }, 1],
  ])('with the limits %j keeps %i of 1 contents', async (retention, count) => {
    const { keep, kept } = openVersions(retention);
    await keep('one');
    expect(await kept()).toHaveLength(count);
  });

  test.each([
    [16 << 20, 1],
    [(16 << 20) + 1, 0],
  ])('a content of %i bytes is kept %i times', async (size, count) => {
    const { versions, kept } = openVersions({ maxAgeMs: day, maxBytes: 1 << 30 });
    await versions.keep(book, Buffer.alloc(size));
    expect(await kept()).toHaveLength(count);
  });

  test('returns a kept content by its hash unless it is damaged', async () => {
    const { library, versions, folder, keep, kept } = openVersions({ maxAgeMs: day, maxBytes: 100 });
    await keep('one');
    await keep('two');
    library.put(`${folder}/${sha256('two')}`, 'damaged');
    library.put(`${folder}/notes.txt`, 'x');
    expect((await versions.read(book, sha256('one')))?.toString()).toBe('one');
    expect([await versions.read(book, sha256('two')), await versions.read(book, sha256('three'))]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await kept()).toEqual([sha256('one'), sha256('two')].sort());
  });

  test('deletes contents above the size limit at most once a minute', async () => {
    const { clock, versions, keep, kept } = openVersions({ maxAgeMs: day, maxBytes: 3 });
    await versions.deleteExpired(book);
    await keep('one');
    await keep('two');
    clock.ms += 59_999;
    await versions.deleteExpired(book);
    expect(await kept()).toHaveLength(2);
    clock.ms += 1;
    await versions.deleteExpired(book);
    expect(await kept()).toHaveLength(1);
  });

  test('deletes contents at the end of their retention time, at most once a minute', async () => {
    const { clock, library, versions, folder, keep, kept } = openVersions({ maxAgeMs: day, maxBytes: 100 });
    const start = Math.floor(clock.ms / 1000) * 1000;
    clock.ms = start;
    for (const name of [sha256('one'), `${sha256('one')}.1.tmp`]) library.put(`${folder}/${name}`, 'one', start);
    await versions.deleteExpired(book);
    clock.ms = start + day - 60_000;
    await keep('two');
    await versions.deleteExpired(book);
    expect(await kept()).toHaveLength(3);
    clock.ms = start + day - 1;
    await versions.deleteExpired(book);
    expect(await kept()).toHaveLength(3);
    clock.ms = start + day;
    await versions.deleteExpired(book);
    expect(await kept()).toEqual([sha256('two')]);
    // The age of a content starts again when it is kept again. A clock that is set back ends the pause too.
    clock.ms = start + 2 * day - 60_000;
    await keep('two');
    await versions.deleteExpired(book);
    expect(await kept()).toEqual([sha256('two')]);
    clock.ms = start + 3 * day;
    await versions.deleteExpired(book);
    expect(await kept()).toEqual([]);
  });
});
