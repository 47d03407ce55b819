import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { book, chapter, introText, lesson, lessonKey, openSample, type Sample } from './sample.ts';
import { errorOf, listOf, objectOf } from './support/answer.ts';
import { sha256 } from './support/library.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
  sample.library.put(`books/${book}/book.yaml`, 'title: x\n');
  sample.library.put('books/other-book/content/01-P/01-C/01-a.md', 'other\n');
});
afterAll(async () => await sample[Symbol.asyncDispose]());

const call = async (tool: string, args: Record<string, unknown>) => await sample.call(tool, { book_id: book, ...args });

describe('a file that is addressed by its full key, as search results return it,', () => {
  test('can be read', async () => {
    const found: unknown = objectOf(await call('glob_search', { pattern: '**/*.md' }))['result'];
    const lines = listOf(await call('grep_search', { pattern: '.' })).map(hit => hit['file_path']);
    const names = [...(Array.isArray(found) ? found : []), ...lines].map(String);
    expect(names.length).toBeGreaterThan(8);
    for (const path of names) expect(objectOf(await call('read_content', { path }))).toHaveProperty('content');
  });

  test('is found by a glob pattern for full keys', async () => {
    const glob = async (args: Record<string, unknown>) => objectOf(await call('glob_search', args))['result'];
    expect(await glob({ pattern: lessonKey })).toEqual([lessonKey]);
    expect(await glob({ pattern: `books/${book}/content/*.md` })).toEqual([`books/${book}/content/README.md`]);
    const others = await glob({ pattern: 'books/*/content/01-P/**', all_books: true });
    expect(others).toEqual(['books/other-book/content/01-P/01-C/01-a.md']);
    const other = await call('glob_search', { pattern: 'books/other-book/**' });
    expect(errorOf(other)).toMatchObject({ code: 'VALIDATION', suggestion: expect.stringContaining('book_id') });
  });

  test('can be written and deleted, with the key of a book file and with the key of a user file', async () => {
    const key = `books/${book}/${chapter}/50-new.md`;
    expect(objectOf(await call('write_content', { path: key, content: 'x' }))['path']).toBe(key);
    expect(objectOf(await call('delete_content', { path: key }))).toMatchObject({ path: key, existed: true });
    const own = `books/${book}/users/eve/${chapter}/50-new.md`;
    expect(objectOf(await call('write_content', { path: own, content: 'x', user_id: 'eve' }))['path']).toBe(own);
    expect(objectOf(await call('read_content', { path: own, user_id: 'eve' }))['source']).toBe('overlay');
    expect(objectOf(await call('delete_content', { path: own, user_id: 'eve' }))['existed']).toBe(true);
    expect(sample.library.read(lessonKey)?.toString()).toBe(introText);
  });

  test('can be read if it is in a chapter or a part, or is an asset', async () => {
    expect(listOf(await call('read_content', { path: `books/${book}/${chapter}`, scope: 'chapter' }))).toHaveLength(4);
    const assets = listOf(await call('list_assets', {}));
    for (const { path, asset_type, filename } of assets) {
      expect(objectOf(await call('get_asset', { asset_type, filename: path }))['filename']).toBe(filename);
      expect(objectOf(await call('read_content', { path }))['exists']).toBe(true);
    }
  });

  test.each([
    ['another book', 'books/other-book/content/01-P/01-C/01-a.md', undefined],
    ['the overlay of a user, and user_id is missing', `books/${book}/users/ada/${lesson}`, undefined],
    ['the overlay of another user', `books/${book}/users/ada/${lesson}`, 'bob'],
  ])('is rejected if the key belongs to %s', async (_, path, user_id) => {
    for (const [tool, more] of Object.entries({
      read_content: {},
      write_content: { content: 'x' },
      delete_content: {},
    })) {
      const error = errorOf(await call(tool, { path, ...(user_id && { user_id }), ...more }));
      expect({ tool, ...error }).toMatchObject({ tool, code: 'SCHEMA_VIOLATION', suggestion: expect.any(String) });
    }
  });
});

describe('a lesson whose file name does not follow the naming rules', () => {
  const odd = [
    `${chapter}/08_chapter_07_quiz.md`,
    'content/01-Basics/setup.md',
    `${chapter}/readme.md`,
    'notes/plan.md',
  ];

  test.each(odd)('can be read, and can be deleted only with its hash: %s', async path => {
    sample.library.put(`books/${book}/${path}`, 'odd\n');
    expect(objectOf(await call('read_content', { path }))).toMatchObject({ content: 'odd\n', source: 'base' });
    expect(errorOf(await call('delete_content', { path }))).toMatchObject({
      code: 'HASH_REQUIRED',
      current_hash: sha256('odd\n'),
    });
    const wrong = await call('delete_content', { path, expected_hash: sha256('x') });
    expect(errorOf(wrong)['code']).toBe('CONFLICT');
    expect(objectOf(await call('delete_content', { path, expected_hash: sha256('odd\n') }))['existed']).toBe(true);
    expect(errorOf(await call('delete_content', { path }))['code']).toBe('SCHEMA_VIOLATION');
    expect(errorOf(await call('read_content', { path }))['code']).toBe('SCHEMA_VIOLATION');
  });

  test.each([
    [`${chapter}/08_chapter_07_quiz.md`, `${chapter}/08-chapter-07-quiz.md`],
    [`${chapter}/setup.md`, `${chapter}/03-setup.md`],
    ['content/1 Basics/2_Start/deep/01-a.md', 'content/01-Basics/02-Start/01-a.md'],
    [`${chapter}/3. Más & más.MDX`, `${chapter}/03-Mas-mas.md`],
    ['content/1 Basics/2_Start/01-a.md', 'content/01-Basics/02-Start/01-a.md'],
  ])('cannot be written, and the error suggests a valid name: %s', async (path, proposed) => {
    sample.library.put(`books/${book}/${path}`, 'old\n');
    const error = errorOf(await call('write_content', { path, content: 'x', expected_hash: sha256('old\n') }));
    expect(error['code']).toBe('SCHEMA_VIOLATION');
    expect(error['suggestion']).toContain(`: use ${proposed}`);
  });

  test.each(['lessons/1 Basics/2_Start/01-a.md', `${chapter}/picture.png`])(
    'cannot be written, and the error suggests no name if none is possible: %s',
    async path => {
      const error = errorOf(await call('write_content', { path, content: 'x' }));
      expect(error['code']).toBe('SCHEMA_VIOLATION');
      expect(error['suggestion']).not.toContain(': use ');
    },
  );

  test.each([
    ['08_chapter_07_quiz.md', '08-chapter-07-quiz.md'],
    ['setup.mdx', '01-setup.md'],
    ['readme.md', 'README.md'],
  ])('is reported by validate_book with the name that it should have: %s', async (name, proposed) => {
    sample.library.put(`books/odd-${name.replace(/\W/g, '').replace(/_/g, '')}/content/01-P/01-C/${name}`, 'x');
    const { warnings } = objectOf(
      await sample.call('validate_book', { book_id: `odd-${name.replace(/\W/g, '').replace(/_/g, '')}` }),
    );
    expect(warnings).toMatchObject([{ suggestion: expect.stringContaining(`Rename it to ${proposed}`) }]);
  });

  test('cannot be read if it is in a hidden .git folder', async () => {
    sample.library.put(`books/${book}/.git/config.md`, 'secret');
    expect(errorOf(await call('read_content', { path: '.git/config.md' }))['code']).toBe('SCHEMA_VIOLATION');
  });
});

test('delete_content with expected_hash deletes the file only if it has this hash', async () => {
  const path = `${chapter}/60-gone.md`;
  await call('write_content', { path, content: 'one' });
  expect(errorOf(await call('delete_content', { path, expected_hash: sha256('two') }))).toMatchObject({
    code: 'CONFLICT',
    current_hash: sha256('one'),
  });
  const args = { path, expected_hash: sha256('one').toUpperCase() };
  expect(objectOf(await call('delete_content', args))['existed']).toBe(true);
  expect(objectOf(await call('delete_content', args))['existed']).toBe(false);
});

describe('a book that does not exist', () => {
  test.each([
    ['read_content', { path: lesson }],
    ['read_content', { scope: 'book' }],
    ['read_content', { path: 'static/img/one.png' }],
    ['get_asset', { asset_type: 'img', filename: 'a.png' }],
    ['list_assets', {}],
    ['glob_search', { pattern: '**' }],
    ['grep_search', { pattern: '.' }],
    ['list_books', {}],
    ['get_book_archive', {}],
    ['delta_build', { since: '2025-01-01T00:00:00Z' }],
  ])('causes NOT_FOUND for %s %j', async (tool, args) => {
    const error = errorOf(await sample.call(tool, { book_id: 'no-such-book', ...args }));
    expect(error).toMatchObject({ code: 'NOT_FOUND', suggestion: expect.stringContaining('list_books') });
    expect(sample.library.journal('no-such-book')).toEqual([]);
  });

  test('causes no error in a search of all books and in a deletion', async () => {
    const all = { book_id: 'no-such-book', all_books: true };
    expect(objectOf(await sample.call('glob_search', { ...all, pattern: '**' }))['total']).toBeGreaterThan(8);
    expect(listOf(await sample.call('grep_search', { ...all, pattern: 'Hello' }))).toHaveLength(1);
    const gone = await sample.call('delete_content', { book_id: 'no-such-book', path: lesson });
    expect(objectOf(gone)).toMatchObject({ existed: false, message: expect.stringContaining('there is no book') });
  });
});

test.each(['Hello\\n', 'a\nb', '(?i)x\\r'])(
  'grep_search rejects the pattern %j, which needs a line break',
  async pattern => {
    expect(errorOf(await call('grep_search', { pattern }))['message']).toContain('one by one');
  },
);

test('read_content with the scope "book" ignores the argument "path"', async () => {
  for (const args of [{ path: '' }, { path: 'content' }, {}]) {
    expect(listOf(await call('read_content', { scope: 'book', ...args })).length).toBeGreaterThan(7);
  }
  expect(errorOf(await call('read_content', { path: '' }))['code']).toBe('VALIDATION');
});
