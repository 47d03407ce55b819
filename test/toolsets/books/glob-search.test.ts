import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { book, chapter, lessonKey, openSample, part, type Sample } from './sample.ts';
import { errorOf, objectOf } from './support/answer.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
  const put = (name: string, text: string): void => sample.library.put(`books/${book}/${name}`, text);
  put('book.yaml', 'title: Sample\n');
  put('.keep', '');
  put('.git/config', 'secret');
  sample.library.put('books/other-book/content/01-P/01-C/01-a.md', 'TODO other\n');
});
afterAll(async () => await sample[Symbol.asyncDispose]());

const base = `books/${book}`;

describe('glob_search', () => {
  const glob = async (pattern: string, args: Record<string, unknown> = {}) =>
    objectOf(await sample.call('glob_search', { book_id: book, pattern, ...args }))['result'];

  test.each([
    ['content/**/*.summary.md', [`${base}/${chapter}/01-intro.summary.md`]],
    ['*.md', []],
    ['*', [`${base}/.keep`, `${base}/book.yaml`]],
    ['book.yaml', [`${base}/book.yaml`]],
    ['./book.yaml', [`${base}/book.yaml`]],
    ['content/*', [`${base}/content/README.md`]],
    ['content/*/README.md', [`${base}/${part}/README.md`]],
    ['**/0[12]-{bye,one}.md', [`${base}/${part}/02-End/01-bye.md`, `${base}/content/02-Extra/01-Only/01-one.md`]],
    ['static/{img,images}/*.pn?', [`${base}/static/images/two.png`, `${base}/static/img/one.png`]],
    ['static/**/{1..3}*.png', []],
    ['CONTENT/**', []],
    ['!content/**', []],
    ['#content', []],
    ['users/**', []],
    ['**/users/**', []],
    ['**/*ada*/**', []],
    ['.git/**', []],
    ['[', []],
    ['nothing/**', []],
  ])('returns the files that match %s', async (pattern, found) => {
    expect(await glob(pattern)).toEqual(found);
  });

  test('returns all files of the book itself, sorted', async () => {
    const all = await glob('**');
    if (!Array.isArray(all)) throw new Error('not a list');
    expect(all).toEqual(all.map(String).sort((one, other) => (one < other ? -1 : 1)));
    expect(all).toContain(lessonKey);
    expect(all.some(key => String(key).includes('/users/'))).toBe(false);
  });

  test('matches paths inside each book in a search of all books', async () => {
    const found = await glob('content/**/01-*.md', { all_books: true });
    expect(found).toContain('books/other-book/content/01-P/01-C/01-a.md');
    expect(found).toContain(lessonKey);
  });

  test.each(['../**', 'content/../../**', '/etc/*', '/**', '..', 'a/..', './../x'])(
    'rejects the pattern %s',
    async pattern => {
      expect(errorOf(await sample.call('glob_search', { book_id: book, pattern }))['code']).toBe('INVALID_PATH');
    },
  );

  test.each(['', 'x'.repeat(256)])('rejects the empty or too long pattern %j', async pattern => {
    expect(errorOf(await sample.call('glob_search', { book_id: book, pattern }))['code']).toBe('VALIDATION');
  });

  test.each(['a*'.repeat(127), '*a'.repeat(127), '+(a|aa)'.repeat(20), '**/'.repeat(80), '['.repeat(255)])(
    'ends quickly for the pattern %s',
    async pattern => {
      sample.library.put(`${base}/static/audio/${'a'.repeat(200)}`, 'x');
      expect(await glob(pattern)).toBeInstanceOf(Array);
    },
    3000,
  );

  test('accepts a pattern with a thousand alternatives', async () => {
    expect(await glob('{book,{1..999}}.yaml')).toEqual([`${base}/book.yaml`]);
  });

  test.each(['{1..1001}', '{a,b}'.repeat(10), '{1..999999999}', '{a,b}'.repeat(51), 'x{1..1000}{a,b}'])(
    'rejects %s because it has more than 1,000 alternatives',
    async pattern => {
      expect(errorOf(await sample.call('glob_search', { book_id: book, pattern }))).toMatchObject({
        code: 'VALIDATION',
        message: expect.stringContaining('more than 1000 alternatives'),
      });
    },
    3000,
  );
});
