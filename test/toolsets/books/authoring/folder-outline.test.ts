import { expect, test } from 'vitest';
import { createFolderOutline } from '../../../../src/toolsets/books/authoring/folder-outline.ts';
import type { OutlineNode } from '../../../../src/toolsets/books/authoring/outline.ts';

/** Returns the files and the folders with titles in a table of contents. The children of each one are in brackets. */
function shown(nodes: readonly OutlineNode[]): string {
  return nodes
    .map(({ title, file, children }) => `${file ?? title}${children.length === 0 ? '' : `[${shown(children)}]`}`)
    .join(' ');
}

test.each([
  ['a page', ['a.md'], 'a.md'],
  ['a folder with a page', ['x/a.md'], 'x[x/a.md]'],
  ['a folder whose only page is its own', ['x/index.md'], 'x/index.md'],
  ['a folder with only pages that others include', ['a.md', 'x/_b.md'], 'a.md'],
  ['a folder with only such folders', ['a.md', 'x/y/_b.md', 'x/_z/c.md'], 'a.md'],
  ['a folder whose name starts with an underscore', ['a.md', '_x/b.md'], 'a.md'],
  ['numbers at the start of names', ['10-c.md', '2-b.md', '1-x/a.md'], 'x[1-x/a.md] 2-b.md 10-c.md'],
])('createFolderOutline returns the pages and the folders that contain pages: %s', (_, paths, expected) => {
  const tree = { paths, has: (path: string) => paths.includes(path), text: () => '' };
  expect(shown(createFolderOutline(tree, ''))).toBe(expected);
});
