import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAssetPath, isLessonPath, isReadmePath } from '../../../src/toolsets/books/model/path.ts';
import { book, openSample, type Sample } from './sample.ts';
import { errorOf, objectOf } from './support/answer.ts';

const unit = '01-Part/01-Chapter';
const valid = [
  'content/01-Part/01-Chapter/01-intro.md',
  'content/00-P/99-C/00-0.md',
  `content/${unit}/01-a.summary.md`,
  `content/${unit}/01-summary.md`,
  `content/${unit}/01-a-.md`,
  'content/01-P-/01-C/01-a.md',
  'content/01-1/02-2/03-3.md',
  `content/${unit}/01-${'a'.repeat(255 - `content/${unit}/01-.md`.length)}.md`,
];

const wrong: [path: string, code: 'SCHEMA_VIOLATION' | 'INVALID_PATH' | 'VALIDATION'][] = [
  ['lessons/01-P/01-C/01-a.md', 'SCHEMA_VIOLATION'],
  [`Content/${unit}/01-a.md`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/01-a.MD`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/01-a.SUMMARY.md`, 'SCHEMA_VIOLATION'],
  ['content/1-P/01-C/01-a.md', 'SCHEMA_VIOLATION'],
  [`content/${unit}/001-a.md`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/01-a.summary.summary.md`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/01-.summary.md`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/lesson.summary.md`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/01--a.md`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/01-.md`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/06_quiz.md`, 'SCHEMA_VIOLATION'],
  ['content/01-P/01-a.md', 'SCHEMA_VIOLATION'],
  [`content/${unit}/01-Deep/01-a.md`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/01-a.txt`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/01-a.md/`, 'SCHEMA_VIOLATION'],
  [`content//${unit}/01-a.md`, 'SCHEMA_VIOLATION'],
  [`content/./${unit}/01-a.md`, 'INVALID_PATH'],
  [`content/${unit}/01-é.md`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/01-a b.md`, 'SCHEMA_VIOLATION'],
  [`content/${unit}/01-a%20b.md`, 'SCHEMA_VIOLATION'],
  [`content/..%2F${unit}/01-a.md`, 'SCHEMA_VIOLATION'],
  ['content\\01-P\\01-C\\01-a.md', 'INVALID_PATH'],
  [`content/${unit}/01-a.md?x`, 'SCHEMA_VIOLATION'],
  ['content/٠١-Part/01-C/01-a.md', 'SCHEMA_VIOLATION'],
  [`../other-book/content/${unit}/01-a.md`, 'INVALID_PATH'],
  [`content/../content/${unit}/01-a.md`, 'INVALID_PATH'],
  [`/content/${unit}/01-a.md`, 'INVALID_PATH'],
  [`~/content/${unit}/01-a.md`, 'INVALID_PATH'],
  ['C:/content/01-P/01-C/01-a.md', 'INVALID_PATH'],
  [`content/${unit}/01-a.md\0`, 'INVALID_PATH'],
  [`content/${unit}/01-a.md\n`, 'INVALID_PATH'],
  [`content/${unit}/01-a.md\r`, 'INVALID_PATH'],
  [`content/${unit}/01-a.md\u2028`, 'INVALID_PATH'],
  [` content/${unit}/01-a.md`, 'INVALID_PATH'],
  [`content/${unit}/01-a.md `, 'INVALID_PATH'],
  [`users/ada/content/${unit}/01-a.md`, 'SCHEMA_VIOLATION'],
  ['users/ada', 'SCHEMA_VIOLATION'],
  ['.', 'INVALID_PATH'],
  ['', 'VALIDATION'],
  [`content/${unit}/01-${'a'.repeat(256 - `content/${unit}/01-.md`.length)}.md`, 'VALIDATION'],
];

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
});
afterAll(async () => await sample[Symbol.asyncDispose]());

describe('a lesson path (FR-007)', () => {
  test.each(valid)('is accepted by each tool: %s', async path => {
    expect(isLessonPath(path)).toBe(true);
    const args = { book_id: book, path };
    for (const user of [{}, { user_id: 'eve' }]) {
      expect((await sample.call('write_content', { ...args, ...user, content: 'x' })).isError).toBe(false);
      expect((await sample.call('read_content', { ...args, ...user })).isError).toBe(false);
      expect((await sample.call('delete_content', { ...args, ...user })).isError).toBe(false);
    }
  });

  test.each(wrong)('is rejected by each tool, with and without a user: %j', async (path, code) => {
    expect(isLessonPath(path)).toBe(false);
    const args = { book_id: book, path };
    for (const user of [{}, { user_id: 'eve' }]) {
      for (const tool of ['read_content', 'write_content', 'delete_content']) {
        const more = tool === 'write_content' ? { content: 'x' } : {};
        const error = errorOf(await sample.call(tool, { ...args, ...user, ...more }));
        expect({ tool, code: error['code'] }).toEqual({ tool, code });
      }
    }
  });

  test.each(['content/README.md', 'content/01-Basics/README.md', 'content/01-Basics/01-Start/README.md'])(
    'can only be read, not written, moved or deleted, if it is the README %s',
    async path => {
      expect(isReadmePath(path)).toBe(true);
      expect((await sample.call('read_content', { book_id: book, path })).isError).toBe(false);
      const written = await sample.call('write_content', { book_id: book, path, content: 'x' });
      const expected_hash = objectOf(await sample.call('read_content', { book_id: book, path }))['file_hash_sha256'];
      for (const hash of [{}, { expected_hash }]) {
        const deleted = await sample.call('delete_content', { book_id: book, path, ...hash });
        expect(errorOf(deleted)).toEqual(errorOf(written));
      }
      expect(errorOf(written)['code']).toBe('SCHEMA_VIOLATION');
      expect(errorOf(written)['suggestion']).toContain('Edit it in the folder that was imported and import that again');
    },
  );
});

test.each([
  ['a README', isReadmePath, (length: number) => `content/01-${'P'.repeat(length - 21)}/README.md`, 255],
  ['a lesson', isLessonPath, (length: number) => `content/${unit}/01-${'a'.repeat(length - 33)}.md`, 255],
  [
    'an asset',
    isAssetPath,
    (length: number) => `static/img/${'a/'.repeat(400)}${'b/'.repeat(100)}${'c'.repeat(length - 1011)}`,
    1024,
  ],
  ['a name of an asset', isAssetPath, (length: number) => `static/img/${'c'.repeat(length)}`, 255],
])('the path of %s is valid up to its maximum length', (_, isValid, make, limit) => {
  expect([limit - 1, limit, limit + 1].map(length => isValid(make(length)))).toEqual([true, true, false]);
});

describe('an asset path (FR-008)', () => {
  test.each([
    'static/img/a.png',
    'static/images/a.png',
    'static/slides/x/y/z.pdf',
    'static/audio/_a-1.mp3',
    'static/videos/a..b.mp4',
  ])('is accepted: %s', path => {
    expect(isAssetPath(path)).toBe(true);
  });

  test.each([
    'static/img',
    'static/img/',
    'static/IMG/a.png',
    'static/other/a.png',
    'static/img/a b (1).png',
    'static/img/日本.png',
    'static/img/a\\b.png',
    'static/img//x',
    'static/img/./x',
    'static/img/../x',
    'static/img/x/',
    'static/img/\t.png',
    'static/img/\u202ex.png',
    'static/img/%2e%2e/x',
    'static/img/.hidden',
    'static/img/dot.',
    'static/img/con.png',
    'static/img/COM1',
    'static/img/nul',
    'static/img/a\0.png',
    'static/img/a.png\n',
    `static/img/${'a'.repeat(256)}`,
  ])('is rejected: %j', async path => {
    expect(isAssetPath(path)).toBe(false);
    const code = errorOf(await sample.call('read_content', { book_id: book, path }))['code'];
    expect(['SCHEMA_VIOLATION', 'INVALID_PATH', 'VALIDATION']).toContain(code);
  });
});

describe('names of books and users', () => {
  test.each(['ab', 'a'.repeat(51), 'Book', 'my_book', 'a/b', '..', '../x', 'bóok', 'book\n', ''])(
    'are validated: the book name %j is rejected',
    async book_id => {
      const error = errorOf(await sample.call('list_assets', { book_id }));
      expect(error).toMatchObject({ error: 'ValidationError', code: 'VALIDATION' });
      expect(error['message']).toContain('"book_id"');
    },
  );

  test.each(['---', 'con', 'a'.repeat(50), '123'])('are validated: the book name %j is accepted', async book_id => {
    expect(errorOf(await sample.call('list_assets', { book_id }))['code']).toBe('NOT_FOUND');
  });

  test.each(['__base__', '', 'a b', '../ada', 'ada/content', 'é', 'a'.repeat(101), 'ada\n', '.'])(
    'are validated: every tool with a user rejects the user name %j',
    async user_id => {
      for (const [tool, more] of [
        ['read_content', {}],
        ['write_content', { content: 'x' }],
        ['delete_content', {}],
      ] as const) {
        const result = await sample.call(tool, { book_id: book, path: 'content/01-P/01-C/01-a.md', user_id, ...more });
        expect(errorOf(result)['code']).toBe('VALIDATION');
      }
      const delta = await sample.call('delta_build', { book_id: book, since: '2025-01-01T00:00:00Z', user_id });
      expect(errorOf(delta)['code']).toBe('VALIDATION');
    },
  );
});
