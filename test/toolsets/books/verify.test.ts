import { describe, expect, test } from 'vitest';
import { runProgram, unwrapLines } from '../../support/program.ts';
import { book, chapter, lessonKey, sampleLibrary } from './sample.ts';
import { connect } from './support/client.ts';
import { segmentOf, type TemporaryLibrary } from './support/library.ts';
import { storeVariables } from './support/place.ts';

const fresh = `${chapter}/50-fresh.md`;

/** Creates a library whose journal contains all of its files. */
async function scannedLibrary(): Promise<TemporaryLibrary> {
  const library = sampleLibrary();
  const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root] });
  await connection.call('write_content', { book_id: book, path: fresh, content: 'fresh\n' });
  await connection.call('delta_build', { book_id: book, since: '2020-01-01T00:00:00Z' });
  await connection.close();
  return library;
}

/** Runs the verification and returns its lines and the exit code. */
async function verify({ root }: TemporaryLibrary, name = book): Promise<{ code: number | null; lines: string[] }> {
  const args = ['--check', '--toolsets', 'books', '--books-root', root, '--books-verify'];
  const { code, stdout } = await runProgram(args, { env: storeVariables });
  const lines = unwrapLines(stdout)
    .split('\n')
    .filter(line => line.includes(` books: ${name}: `));
  return { code, lines: lines.map(line => line.replace(` books: ${name}:`, '')) };
}

describe('--check --books-verify', () => {
  test('reports how many files and journal records match each other, and changes nothing', async () => {
    using library = await scannedLibrary();
    const before = library.read(segmentOf(book));
    const { code, lines } = await verify(library);
    expect(lines).toEqual([expect.stringMatching(/^✓ 15 files and \d+ journal records match$/)]);
    expect(code).toBe(0);
    expect(library.read(segmentOf(book))).toEqual(before);
  });

  test('counts files that are not yet in the journal', async () => {
    using library = sampleLibrary();
    expect((await verify(library)).lines).toEqual([
      '✓ 0 files and 0 journal records match; 14 files are not in the journal yet',
    ]);
  });

  test('includes a book with the name of the folder for temporary test objects', async () => {
    using library = sampleLibrary();
    library.put('books/probe/content/01-Start/01-First/01-one.md', 'one');
    expect((await verify(library, 'probe')).lines).toEqual([
      '✓ 0 files and 0 journal records match; 1 files are not in the journal yet',
    ]);
  });

  test('reports files that were changed or removed without a record', async () => {
    using library = await scannedLibrary();
    library.put(lessonKey, 'other bytes\n');
    library.remove(`books/${book}/${fresh}`);
    const { code, lines } = await verify(library);
    expect(lines).toEqual([
      expect.stringMatching(/^✗ 2 differences; 13 files/),
      `✗ ${chapter}/01-intro.md differs from the journal`,
      `✗ ${fresh} is in the journal and does not exist`,
    ]);
    expect(code).toBe(1);
    expect(library.read(lessonKey)?.toString()).toBe('other bytes\n');
  });

  test('reports a journal whose lines were changed', async () => {
    using library = await scannedLibrary();
    const journal = library.read(segmentOf(book))?.toString() ?? '';
    library.put(segmentOf(book), journal.replace('test-author', 'other-author'));
    const { code, lines } = await verify(library);
    expect(lines[0]).toMatch(/^✗ 1 differences/);
    expect(lines[1]).toMatch(/^✗ journal: line \d+ does not follow the line before$/);
    expect(code).toBe(1);
  });

  test('counts an unfinished change and repairs nothing', async () => {
    using library = await scannedLibrary();
    const journal = library.read(segmentOf(book))?.toString() ?? '';
    const commit = journal
      .trimEnd()
      .split('\n')
      .findIndex(line => line.startsWith('{"kind":"commit"'));
    const cut = `${journal.split('\n').slice(0, commit).join('\n')}\n`;
    library.put(segmentOf(book), cut);
    const { lines } = await verify(library);
    expect(lines[0]).toContain('1 unfinished changes wait for the next writer');
    expect(library.read(segmentOf(book))?.toString()).toBe(cut);
  });
});
