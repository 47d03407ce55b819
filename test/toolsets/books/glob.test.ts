import { expect, test } from 'vitest';
import { createGlobMatcher } from '../../../src/toolsets/books/model/glob.ts';

const keys = [
  'books/abc/content/01-a/02-b/03-c.md',
  'books/abc/content/README.md',
  'books/abc/content/.keep',
  'books/abc/content/#1.md',
  'books/abc/content/!1.md',
  'books/abc/content/+(a).md',
  'books/abc/import.json',
  'books/abd/content/README.md',
];

test.each<[pattern: string, book: string | undefined, matched: number[]]>([
  ['content/*', undefined, [1, 2, 3, 4, 5, 7]],
  ['./././content/*.md', 'abc', [1, 3, 4, 5, 7]],
  ['content/**', undefined, [0, 1, 2, 3, 4, 5, 7]],
  ['**', undefined, [0, 1, 2, 3, 4, 5, 6, 7]],
  ['*', undefined, [6]],
  ['content/?1.md', undefined, [3, 4]],
  ['content/[!a-z]*.md', undefined, [1, 3, 4, 5, 7]],
  ['content/{README,#1}.md', undefined, [1, 3, 7]],
  ['#1.md', undefined, []],
  ['!content/*', undefined, []],
  ['content/!1.md', undefined, [4]],
  ['content/+(a).md', undefined, [5]],
  ['content/..md', undefined, []],
  ['books/abc/*', 'abc', [6]],
  ['books/ab?/*', 'abc', [6]],
  ['books/{abc,x}/import.json', 'abc', [6]],
  ['books/[a]bd/content/*', 'abc', [7]],
  ['books/abd/content/*', undefined, [7]],
  ['books/*/content/*.md', undefined, [1, 3, 4, 5, 7]],
  ['import.{1..999}', undefined, []],
  ['{import,{1..999}}.json', undefined, [6]],
])('the pattern %j with book_id %j matches the right keys', async (pattern, book, matched) => {
  const matches = await createGlobMatcher(pattern, book);
  expect(keys.flatMap((key, index) => (matches(key) ? [index] : []))).toEqual(matched);
});

test.each([
  ['/content/*', 'leads outside of the book'],
  ['.//content', 'leads outside of the book'],
  ['content/../x', 'leads outside of the book'],
  ['a\0b', 'leads outside of the book'],
  ['books/abd/*', 'names another book than books/abc'],
  ['books/', 'names another book than books/abc'],
  ['{1..1001}', 'expand to more than 1000 alternatives'],
  ['{a,b}{1..501}', 'expand to more than 1000 alternatives'],
])('the pattern %j is rejected, because it %s', async (pattern, reason) => {
  await expect(createGlobMatcher(pattern, 'abc')).rejects.toThrow(reason);
});
