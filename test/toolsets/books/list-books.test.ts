import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { book, openSample, type Sample } from './sample.ts';
import { listOf } from './support/answer.ts';
import { backendName, isFolder } from './support/place.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
});
afterAll(async () => await sample[Symbol.asyncDispose]());

describe('list_books', () => {
  const list = async (args: Record<string, unknown> = {}) => listOf(await sample.call('list_books', args));

  test('returns the sorted ids of all folders whose names are valid book ids', async () => {
    sample.library.put('books/Bad_Book/content/x.md', 'x');
    sample.library.put('books/zz', 'a file');
    const ids = (await list()).map(item => item['book_id']);
    expect(ids).toContain(book);
    expect(ids).not.toContain('Bad_Book');
    expect(ids).not.toContain('zz');
    expect(ids).toEqual(ids.toSorted((one, other) => (String(one) < String(other) ? -1 : 1)));
    expect((await list())[0]).toEqual({ book_id: ids[0], storage_backend: backendName });
  });

  test.runIf(isFolder)('does not list symbolic links to folders', async () => {
    symlinkSync(path.join(sample.library.root, 'books', book), path.join(sample.library.root, 'books', 'a-link'));
    expect((await list()).map(item => item['book_id'])).not.toContain('a-link');
  });

  test('returns the structure of a single book if book_id names it', async () => {
    expect(await list({ book_id: book, include_structure: 'all' })).toEqual([
      {
        book_id: book,
        storage_backend: backendName,
        content: {
          parts: [
            {
              id: '01-Basics',
              files: ['README.md'],
              chapters: [
                { id: '01-Start', lessons: ['01-intro.md', '01-intro.summary.md', '02-more.md', 'README.md'] },
                { id: '02-End', lessons: ['01-bye.md'] },
              ],
            },
            { id: '02-Extra', chapters: [{ id: '01-Only', lessons: ['01-one.md'] }] },
          ],
        },
        assets: { images: ['one.png', 'two.png'], slides: ['deck/a.pdf'], videos: [], audio: [] },
      },
    ]);
    const [content] = await list({ book_id: book, include_structure: 'content' });
    expect(Object.keys(content ?? {})).toEqual(['book_id', 'storage_backend', 'content']);
    const [assets] = await list({ book_id: book, include_structure: 'assets' });
    expect(Object.keys(assets ?? {})).toEqual(['book_id', 'storage_backend', 'assets']);
  });
});

test('list_books returns an empty list for a library without books', async () => {
  await using empty = await openSample();
  empty.library.remove('books');
  expect(listOf(await empty.call('list_books', {}))).toEqual([]);
});
