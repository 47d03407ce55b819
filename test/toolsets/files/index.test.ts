import { expect, onTestFinished, test } from 'vitest';
import { type OpenedToolset, openToolset } from '../../../src/toolset/toolset.ts';
import { files } from '../../../src/toolsets/files/index.ts';
import { createFolder } from './open-files.ts';

async function openWith(rootCount: number, isDemo = false): Promise<OpenedToolset & { roots: readonly string[] }> {
  const base = createFolder(Object.fromEntries(Array.from({ length: rootCount }, (_, index) => [`${index}/a`, ''])));
  const roots = Array.from({ length: rootCount }, (_, index) => `${base}/${index}`);
  const opened = await openToolset(files, rootCount === 0 ? {} : { 'files-root': roots }, { isDemo });
  onTestFinished(() => opened.close());
  return Object.assign(opened, { roots });
}

test.each([
  [1, 'files: one folder'],
  [2, 'files: 2 folders'],
  [11, 'files: 11 folders'],
])('the files toolset logs the number of its %i root folders', async (count, note) => {
  expect((await openWith(count)).notes).toEqual([note]);
});

test('the files toolset logs that it has a sample folder', async () => {
  expect((await openWith(0, true)).notes).toEqual(['files: a sample folder']);
});

test.each([
  [1, ''],
  [10, ''],
  [11, ' and 1 more'],
  [12, ' and 2 more'],
])('the files toolset publishes at most ten root folders: %i', async (count, more) => {
  const { published, roots } = await openWith(count);
  const list = `${roots.slice(0, 10).join(', ')}${more}`;
  expect(published).toMatchObject({
    instructions: `Folders that can be searched: ${list}.`,
    arguments: { scope: `Must be inside ${list}` },
    hints: { scope: `Folders that can be searched: ${list}.`, kind: expect.any(String), query: expect.any(String) },
  });
});
