import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDiskBackend } from '../../../src/toolsets/books/library/library.ts';
import { parseJournalRecord } from '../../../src/toolsets/books/model/journal.ts';
import { openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import type { StorageBackend } from '../../../src/toolsets/books/storage/storage-backend.ts';
import { openStore } from './s3/support.ts';
import { findJournalErrors, journalLines } from './support/journal.ts';
import { segmentOf, sha256, temporaryLibrary } from './support/library.ts';

const book = 'a-book';
const chapter = 'content/01-A/01-B';
const journal = readFileSync(path.join(import.meta.dirname, 'support/format-1.jsonl'), 'utf8');
/**
 * The files that the journal describes. The last record is the intent record of an unfinished change, whose lesson is
 * already written.
 */
const files: Readonly<Record<string, string>> = {
  [`books/${book}/${chapter}/01-a.md`]: '# A\n',
  [`books/${book}/${chapter}/02-b.md`]: '# B2\n',
  [`books/${book}/${chapter}/04-d.md`]: '# D\n',
  [`books/${book}/users/ada/${chapter}/01-a.md`]: '# Own\n',
  [segmentOf(book)]: journal,
};

async function openFolder(): Promise<StorageBackend> {
  const library = temporaryLibrary();
  for (const [key, text] of Object.entries(files)) library.put(key, text);
  const backend = openDiskBackend(openLibraryRoot(library.root), Date.now);
  onTestFinished(async () => {
    await backend.close();
    library[Symbol.dispose]();
  });
  return backend;
}

async function openBucket(): Promise<StorageBackend> {
  const store = await openStore();
  for (const [key, text] of Object.entries(files)) store.bucket.put(key, Buffer.from(text));
  return await store.open();
}

describe.each([
  ['a folder', openFolder],
  ['a bucket', openBucket],
])('a journal that an earlier build wrote, in %s', (_, open) => {
  const hashesOf = async (backend: StorageBackend): Promise<Record<string, string | null>> => {
    const { files: known } = await backend.journal(book).peek();
    return Object.fromEntries(
      [...known.values()].map(({ place, hash }) => [`${place.user ?? ''} ${place.path}`, hash]),
    );
  };

  test("a journal that an earlier version wrote is read completely, including users' versions and deleted files", async () => {
    const backend = await open();
    expect(await hashesOf(backend)).toEqual({
      [` ${chapter}/01-a.md`]: sha256('# A\n'),
      [` ${chapter}/02-b.md`]: sha256('# B2\n'),
      [` ${chapter}/03-c.md`]: null,
      [`ada ${chapter}/01-a.md`]: sha256('# Own\n'),
    });
    expect((await backend.journal(book).peek()).open.size).toBe(1);
  });

  test('a journal that an earlier version wrote is continued by the next change, which first commits the unfinished change', async () => {
    const backend = await open();
    const change = {
      place: { book, path: `${chapter}/02-b.md`, user: undefined },
      bytes: Buffer.from('# B3\n'),
      author: { agent: 'author', operation: 'write_content' },
      decide: () => undefined,
    };
    expect((await backend.journal(book).change(change)).previous).toBe(sha256('# B2\n'));
    const state = await backend.journal(book).append(async () => []);
    expect(state.open.size).toBe(0);
    const lines = await journalLines(backend.journal(book));
    expect(lines.slice(0, 15)).toEqual(journal.trimEnd().split('\n'));
    expect(parseJournalRecord(lines[15] ?? '')).toMatchObject({ seq: 16, chain: sha256(lines[14] ?? '') });
    expect(findJournalErrors(lines)).toEqual([]);
    expect(await hashesOf(backend)).toMatchObject({
      [` ${chapter}/02-b.md`]: sha256('# B3\n'),
      [` ${chapter}/04-d.md`]: sha256('# D\n'),
    });
  });
});
