import { expect, onTestFinished, test } from 'vitest';
import { sha256, temporaryLibrary } from './support/library.ts';
import { callBooks, openBooks } from './support/open-books.ts';

const place = { book_id: 'graphs', path: 'content/01-a/01-b/01-c.md' };
const linesOf = (size: number, name: string): string =>
  Array.from({ length: size / 10_000 }, (_, index) => `${`${name} ${index} `.padEnd(9999, '.')}\n`).join('');

test.each([
  ['500,000', 0, true],
  ['500,001', 1, false],
])('a conflict has a merged text of %s characters: %j more, %s', async (_, more, isMerged) => {
  const library = temporaryLibrary('memory');
  const opened = await openBooks(library.root, { 'books-extras': true });
  onTestFinished(async () => {
    await opened.close();
    library[Symbol.dispose]();
  });
  const base = linesOf(400_000, 'base');
  const write = async (content: string, expected?: string) =>
    await callBooks(opened, 'write_content', { ...place, content, ...(expected && { expected_hash: expected }) });
  await write(base);
  const [mine, theirs] = [linesOf(50_000, 'mine') + base, base + linesOf(40_000, 'theirs') + 'x'.repeat(10_000 + more)];
  await write(theirs, sha256(base));
  const conflict = await write(mine, sha256(base));
  expect([conflict['code'], conflict['current_hash']]).toEqual(['CONFLICT', sha256(theirs)]);
  expect(conflict['merge'] !== undefined).toBe(isMerged);
  expect(Object(conflict['merge'])['content']).toBe(isMerged ? linesOf(50_000, 'mine') + theirs : undefined);
});
