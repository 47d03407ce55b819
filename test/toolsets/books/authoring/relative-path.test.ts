import { expect, test } from 'vitest';
import { computeRelativePath } from '../../../../src/toolsets/books/authoring/links.ts';

test.each([
  ['', 'a.md', 'a.md'],
  ['a', 'a/b.md', 'b.md'],
  ['a', 'b/c.md', '../b/c.md'],
  ['a/b', 'a/c/d.md', '../c/d.md'],
  ['a/b', 'c.md', '../../c.md'],
  ['a/b', 'a/b', '../b'],
  ['a/b/c', 'a/b', '../../b'],
])('computeRelativePath returns the path from the folder %j to the file %j: %j', (folder, target, expected) => {
  expect(computeRelativePath(folder, target)).toBe(expected);
});
