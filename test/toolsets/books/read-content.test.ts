import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { book, chapter, introText, lesson, openSample, part, type Sample } from './sample.ts';
import { errorOf, listOf, objectOf } from './support/answer.ts';
import { sha256 } from './support/library.ts';
import { backendName, isFolder } from './support/place.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
});
afterAll(async () => await sample[Symbol.asyncDispose]());

const read = async (args: Record<string, unknown>) => await sample.call('read_content', { book_id: book, ...args });

describe('read_content of a file', () => {
  test('returns the complete content of a lesson and its metadata', async () => {
    expect(objectOf(await read({ path: lesson }))).toEqual({
      content: introText,
      file_size: introText.length,
      last_modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      storage_backend: backendName,
      file_hash_sha256: sha256(introText),
      source: 'base',
    });
  });

  test('returns no content if metadata_only is true', async () => {
    const { content: _, ...facts } = objectOf(await read({ path: lesson }));
    expect(objectOf(await read({ path: lesson, metadata_only: true }))).toEqual(facts);
  });

  test.each([
    ['ada', lesson, '# Intro, for Ada\n', 'overlay'],
    ['bob', lesson, '# Intro, for Bob\n', 'overlay'],
    ['cyd', lesson, introText, 'base'],
    ['ada', `${chapter}/02-more.md`, '# More\n\nTODO: tell more\n', 'base'],
    ['bob', `${chapter}/02-more.md`, '# More\n\nTODO: tell more\n', 'base'],
    ['ada', `${chapter}/09-own.md`, "# Ada's own\n", 'overlay'],
  ])(
    'returns for the user %s and the file %s the overlay if there is one, else the base version (R5)',
    async (user_id, file, content, source) => {
      expect(objectOf(await read({ path: file, user_id }))).toMatchObject({ content, source });
    },
  );

  test("returns a user's version of a lesson only to this user", async () => {
    for (const user of [{}, { user_id: 'bob' }]) {
      const error = errorOf(await read({ path: `${chapter}/09-own.md`, ...user }));
      expect(error).toMatchObject({ error: 'ContentNotFoundError', code: 'NOT_FOUND', path: `${chapter}/09-own.md` });
    }
  });

  test.each([
    ['a file', { path: `${chapter}/77-none.md` }],
    ['a folder', { path: `content/77-None/01-C/01-a.md` }],
    ['a book', { path: lesson, book_id: 'no-such-book' }],
  ])('returns NOT_FOUND if %s is missing', async (_, args) => {
    expect(errorOf(await read(args))['code']).toBe('NOT_FOUND');
  });

  test('returns a byte order mark and carriage returns unchanged', async () => {
    const content = '\ufeff# Windows\r\nline\r\n';
    sample.library.put(`books/${book}/${chapter}/20-bom.md`, content);
    expect(objectOf(await read({ path: `${chapter}/20-bom.md` }))['content']).toBe(content);
  });

  test('rejects a file that is not UTF-8 text', async () => {
    sample.library.put(`books/${book}/content/08-Odd/01-C/01-latin.md`, Buffer.from([0x63, 0xe9]));
    expect(errorOf(await read({ path: 'content/08-Odd/01-C/01-latin.md' }))['code']).toBe('NOT_TEXT');
  });

  test.runIf(isFolder)('never follows a symbolic link in any path segment', async () => {
    const { library } = sample;
    library.put('secret.md', 'secret');
    const at = (name: string) => path.join(library.root, 'books', book, name);
    library.put(`books/${book}/content/09-Links/01-C/01-real.md`, 'real');
    symlinkSync(path.join(library.root, 'secret.md'), at('content/09-Links/01-C/02-leak.md'));
    symlinkSync(at(chapter), at('content/09-Links/02-Linked'));
    symlinkSync(path.join(library.root, 'books', book), path.join(library.root, 'books', 'linked-book'));
    for (const file of ['content/09-Links/01-C/02-leak.md', 'content/09-Links/02-Linked/01-intro.md']) {
      expect(errorOf(await read({ path: file }))['code']).toBe('INVALID_PATH');
    }
    expect(errorOf(await read({ path: lesson, book_id: 'linked-book' }))['code']).toBe('INVALID_PATH');
    const items = listOf(await read({ path: 'content/09-Links', scope: 'part' }));
    expect(items).toEqual([
      expect.objectContaining({ content: 'real' }),
      { path: 'content/09-Links/01-C/02-leak.md', error: expect.stringContaining('symbolic link') },
    ]);
  });
});

describe('read_content of a folder or a book', () => {
  const inChapter = ['01-intro.md', '01-intro.summary.md', '02-more.md', 'README.md'].map(name => `${chapter}/${name}`);
  const paths = (items: Record<string, unknown>[]) => items.map(item => item['path']);

  test.each([chapter, `${chapter}/`])(
    'returns the Markdown files of the chapter %s without subfolders',
    async folder => {
      sample.library.put(`books/${book}/${chapter}/deep/01-a.md`, 'deep');
      sample.library.put(`books/${book}/${chapter}/notes.txt`, 'no');
      sample.library.put(`books/${book}/${chapter}/SHOUT.MD`, 'no');
      const items = listOf(await read({ path: folder, scope: 'chapter' }));
      expect(paths(items)).toEqual(inChapter.toSpliced(3, 0, `${chapter}/20-bom.md`));
      expect(items[0]).toEqual({
        path: lesson,
        content: introText,
        file_size: introText.length,
        last_modified: expect.stringMatching(/Z$/),
        storage_backend: backendName,
        file_hash_sha256: sha256(introText),
        source: 'base',
      });
    },
  );

  test('returns all files of a part at any depth', async () => {
    const found = paths(listOf(await read({ path: part, scope: 'part' })));
    expect(found).toContain(`${part}/README.md`);
    expect(found).toContain(`${part}/02-End/01-bye.md`);
    expect(found).toContain(`${chapter}/deep/01-a.md`);
    expect(found).not.toContain('content/README.md');
  });

  test('returns all lessons of a book, without assets and overlays, if the scope is the book and the path does not exist', async () => {
    sample.library.put(`books/${book}/static/img/read.md`, 'no');
    const found = paths(listOf(await read({ path: 'whatever', scope: 'book' })));
    expect(found).toContain('content/README.md');
    expect(found).toContain('content/02-Extra/01-Only/01-one.md');
    expect(found.every(name => String(name).startsWith('content/'))).toBe(true);
  });

  test.each(['chapter', 'part', 'book'])(
    "returns the user's versions of lessons with the scope %s (FR-016)",
    async scope => {
      const folder = scope === 'part' ? part : chapter;
      const items = listOf(await read({ path: folder, scope, user_id: 'ada' }));
      const versions = new Map(items.map(item => [item['path'], [item['content'], item['source']]]));
      expect(versions.get(lesson)).toEqual(['# Intro, for Ada\n', 'overlay']);
      expect(versions.get(`${chapter}/09-own.md`)).toEqual(["# Ada's own\n", 'overlay']);
      expect(versions.get(`${chapter}/02-more.md`)).toEqual(['# More\n\nTODO: tell more\n', 'base']);
      expect(versions.size).toBe(items.length);
      expect(paths(items)).toEqual(paths(items).toSorted((one, other) => (String(one) < String(other) ? -1 : 1)));
    },
  );

  test('returns an error in place of the content of an unreadable file', async () => {
    const items = listOf(await read({ path: 'content/08-Odd', scope: 'part' }));
    expect(items).toEqual([{ path: 'content/08-Odd/01-C/01-latin.md', error: expect.stringContaining('UTF-8') }]);
  });

  test.each([
    ['chapter', 'users/ada'],
    ['part', 'users/ada'],
    ['part', '.'],
    ['part', 'content'],
    ['part', chapter],
    ['chapter', part],
    ['chapter', lesson],
    ['chapter', 'content/../users'],
    ['chapter', 'static/..'],
  ])('rejects with the scope %s the path %s', async (scope, folder) => {
    const code = errorOf(await read({ path: folder, scope }))['code'];
    expect(['SCHEMA_VIOLATION', 'INVALID_PATH']).toContain(code);
  });

  test('returns an error for a missing folder and an empty list for an empty folder', async () => {
    expect(errorOf(await read({ path: 'content/66-No', scope: 'part' }))['code']).toBe('NOT_FOUND');
    expect(errorOf(await read({ scope: 'book', book_id: 'no-such-book' }))['code']).toBe('NOT_FOUND');
    sample.library.put('books/empty-book/.keep', '');
    expect(listOf(await read({ scope: 'book', book_id: 'empty-book' }))).toEqual([]);
    sample.library.put(`books/${book}/content/65-Empty/.keep`, '');
    expect(listOf(await read({ path: 'content/65-Empty', scope: 'part' }))).toEqual([]);
  });

  test('states the number of omitted lessons if a book exceeds the response limit', async () => {
    const big = 'x'.repeat(2 * 1024 * 1024);
    for (const n of [1, 2, 3, 4]) sample.library.put(`books/big-book/content/01-P/01-C/0${n}-big.md`, big);
    const items = listOf(await read({ scope: 'book', book_id: 'big-book' }));
    expect(items.slice(0, 2).map(item => item['file_size'])).toEqual([big.length, big.length]);
    expect(items[2]).toMatchObject({ warning: 'truncated', remaining_files: 2 });
    expect(items).toHaveLength(3);
  });

  test('returns an error in place of a lesson above the response limit, and the other lessons', async () => {
    const put = (name: string, bytes: number): void =>
      sample.library.put(`books/wide-book/content/01-P/01-C/${name}`, 'x'.repeat(bytes));
    for (const name of ['01-a.md', '04-d.md']) put(name, 1);
    put('02-b.md', 6_000_000);
    put('03-c.md', 17_000_000);
    const items = listOf(await read({ scope: 'book', book_id: 'wide-book' }));
    expect(
      items.map(item => [path.basename(String(item['path'])), typeof item['content'], typeof item['error']]),
    ).toEqual([
      ['01-a.md', 'string', 'undefined'],
      ['02-b.md', 'undefined', 'string'],
      ['03-c.md', 'undefined', 'string'],
      ['04-d.md', 'string', 'undefined'],
    ]);
    const alone = { path: 'content/01-P/01-C/02-b.md', book_id: 'wide-book' };
    expect(errorOf(await read(alone))).toMatchObject({
      code: 'TOO_LARGE',
      path: alone.path,
      suggestion: expect.stringContaining('grep_search'),
    });
  });
});

test('read_content rejects a lesson above the response limit, and later calls succeed', async () => {
  sample.library.put('books/big-book/content/01-P/02-C/01-huge.md', 'x'.repeat(8 * 1024 * 1024));
  sample.library.put('books/big-book/content/01-P/02-C/02-giant.md', 'x'.repeat(20 * 1024 * 1024));
  for (const name of ['01-huge.md', '02-giant.md']) {
    const args = { book_id: 'big-book', path: `content/01-P/02-C/${name}` };
    expect(errorOf(await read(args))).toMatchObject({ error: 'StorageError', code: 'TOO_LARGE' });
  }
});

describe('read_content of an asset', () => {
  test('returns only its existence and hash, with any scope', async () => {
    for (const scope of ['file', 'chapter', 'part', 'book']) {
      const fact = objectOf(await read({ path: 'static/img/one.png', scope }));
      expect(fact).toEqual({ exists: true, file_hash_sha256: sha256('first picture') });
    }
    expect(objectOf(await read({ path: 'static/img/none.png' }))).toEqual({ exists: false });
  });
});
