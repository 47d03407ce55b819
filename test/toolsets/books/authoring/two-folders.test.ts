import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, openSession, type Session, temporaryFolder, writeFiles } from './session.ts';

const book = { 'README.md': '# Book\n', 'one/a.md': '# A\n', 'one/b.md': '# B\n', 'two/c.md': '# C\n' };

/** Opens a library with a book that was imported from one folder and exported to another one. */
async function openTwo(): Promise<Session & { other: string; textOf: (title: string) => string | undefined }> {
  const session = openSession(book);
  const other = path.join(temporaryFolder(), 'other');
  await session.runImport();
  await session.runExport(other);
  const textOf = (title: string): string | undefined =>
    Object.values(filesIn(session.library)).find(text => text.startsWith(`# ${title}\n`));
  return { ...session, other, textOf };
}

describe('an import from one of two folders', () => {
  test('reports a conflict for a page that was edited in both, and overwrites no edit', async () => {
    const { source, other, runImport, runExport, textOf } = await openTwo();
    writeFiles(source, { 'one/a.md': '# A\n\nIn the source.\n' });
    writeFiles(other, { 'one/a.md': '# A\n\nIn the other folder.\n' });
    expect(await runImport(true, other)).toBe(true);
    expect(await runImport(true, source)).toBe(false);
    expect(textOf('A')).toBe('# A\n\nIn the other folder.\n');
    expect(await runExport(source)).toBe(false);
    expect(filesIn(source)['one/a.md']).toBe('# A\n\nIn the source.\n');
  });

  test('imports each further edit of the same folder without a conflict', async () => {
    const { other, runImport, textOf } = await openTwo();
    for (const text of ['# A\n\nOne.\n', '# A\n\nTwo.\n', '# A\n\nThree.\n']) {
      writeFiles(other, { 'one/a.md': text });
      expect(await runImport(true, other)).toBe(true);
      expect(textOf('A')).toBe(text);
    }
  });

  test('does not delete a page that was edited in the other folder and deleted in this one', async () => {
    const { source, other, runImport, textOf } = await openTwo();
    writeFiles(other, { 'one/a.md': '# A\n\nIn the other folder.\n' });
    await runImport(true, other);
    const { 'one/a.md': _, ...rest } = book;
    const copy = temporaryFolder(rest);
    expect(await runImport(true, copy)).toBe(false);
    expect(textOf('A')).toBe('# A\n\nIn the other folder.\n');
    expect(filesIn(source)['one/a.md']).toBe('# A\n');
  });

  test('deletes no page that only the other folder ever contained', async () => {
    const { source, other, library, lines, write, runImport, runExport, textOf } = await openTwo();
    const lesson = Object.keys(filesIn(library)).find(file => file.endsWith('-B.md')) ?? '';
    await write(`${path.posix.dirname(lesson)}/20-New.md`, '# New\n');
    await runExport(other);
    writeFiles(other, { 'one/New.md': '# New\n\nEdited.\n' });
    expect(await runImport(true, other)).toBe(true);
    expect(await runImport(true, source)).toBe(true);
    expect(textOf('New')).toBe('# New\n\nEdited.\n');
    expect(lines.filter(line => line.startsWith('- '))).toEqual([]);
    rmSync(path.join(other, 'one/New.md'));
    expect(await runImport(true, other)).toBe(true);
    expect(textOf('New')).toBeUndefined();
  });

  test('reports a conflict if another file of this folder has the name of a page of the other folder', async () => {
    const { source, other, library, write, runImport, runExport, textOf } = await openTwo();
    const lesson = Object.keys(filesIn(library)).find(file => file.endsWith('-B.md')) ?? '';
    await write(`${path.posix.dirname(lesson)}/20-New.md`, '# New\n');
    await runExport(other);
    writeFiles(source, { 'one/New.md': '# Not the same\n' });
    expect(await runImport(true, source)).toBe(false);
    expect(textOf('New')).toBe('# New\n');
  });

  test('keeps a later edit of the library if an interrupted export has already written the page to this folder', async () => {
    const { source, other, library, write, runImport, runExport, textOf } = await openTwo();
    const lesson = Object.keys(filesIn(library)).find(file => file.endsWith('-B.md')) ?? '';
    const added = `${path.posix.dirname(lesson)}/20-New.md`;
    await write(added, '# New\n');
    await runExport(other);
    writeFiles(source, { 'one/New.md': '# New\n' });
    await runExport(source);
    await write(added, '# New\n\nEdited.\n');
    await runExport(other);
    await runImport(true, source);
    expect(textOf('New')).toBe('# New\n\nEdited.\n');
  });

  test('writes the same manifest when it is repeated after pages were deleted in the library', async () => {
    const { library, source, remove, runImport } = await openTwo();
    for (const file of Object.keys(filesIn(library)).filter(name => /-[AC]\.md$/.test(name))) await remove(file);
    writeFiles(source, { 'one/b.md': '# B\n\nEdited.\n', 'one/d.md': '# D\n' });
    await runImport();
    const before = filesIn(library);
    await runImport();
    expect(filesIn(library)).toEqual(before);
  });
});

test('an import of a new folder without the sidebar files of its site changes nothing in a book of more than 99 pages', async () => {
  const lessons = Array.from({ length: 120 }, (_, n) => [
    `docs/part/${n < 60 ? 'a' : 'b'}/page-${n}.md`,
    `# Page ${n}\n`,
  ]);
  const session = openSession({ 'docusaurus.config.js': 'module.exports = {};\n', ...Object.fromEntries(lessons) });
  await session.runImport();
  const before = filesIn(session.library);
  const folder = path.join(temporaryFolder(), 'new');
  await session.runExport(folder);
  expect(await session.runImport(true, folder)).toBe(true);
  const { 'import.json': _, ...pages } = before;
  expect(filesIn(session.library)).toMatchObject(pages);
});
