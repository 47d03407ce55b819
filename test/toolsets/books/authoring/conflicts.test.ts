import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, openSession, type Session, temporaryFolder, writeFiles } from './session.ts';

const notes = {
  '01-one.md': '# One\n\n[two](02-two.md)\n',
  '02-two.md': '# Two\n',
  '03-three.md': '# Three\n',
};
const chapter = 'content/01-Notes/01-One';

interface NotesSession extends Session {
  /** Returns the path of a page in the library. */
  placeOf: (name: string) => string;
  /** Runs an import or export. Returns its result and the lines that describe a change. */
  changesOf: (run: () => Promise<boolean>) => Promise<{ isComplete: boolean; changes: string[] }>;
}

/** Imports three pages. */
async function importNotes(): Promise<NotesSession> {
  const session = openSession({ 'README.md': '# Notes\n', ...notes });
  expect(await session.runImport()).toBe(true);
  const { files } = JSON.parse(readFileSync(path.join(session.library, 'import.json'), 'utf8'));
  const places = Object.entries<{ from: string }>(files).map(([to, { from }]) => [from, to] as const);
  return {
    ...session,
    placeOf: name => new Map(places).get(name) ?? chapter,
    changesOf: async run => {
      const start = session.lines.length;
      const isComplete = await run();
      return { isComplete, changes: session.lines.slice(start).filter(line => /^[-+~<>!] /.test(line)) };
    },
  };
}

/**
 * Edits one page in the library and in the folder. Deletes another page in the library and a third page in the folder,
 * and edits both in the other place.
 */
async function createConflicts({ source, library, remove, placeOf }: NotesSession): Promise<void> {
  writeFiles(source, { '01-one.md': '# One\n\nIn the folder: [two](02-two.md)\n', '02-two.md': '# Two\n\nMore.\n' });
  rmSync(path.join(source, '03-three.md'));
  writeFiles(library, { [placeOf('01-one.md')]: '# One\n\nMine.\n', [placeOf('03-three.md')]: '# Three\n\nMine.\n' });
  await remove(placeOf('02-two.md'));
}

describe('a file that was edited both in the library and in the imported folder', () => {
  test('is reported as a conflict by each import and export, with and without --yes, until both versions are equal', async () => {
    const session = await importNotes();
    const { library, source, lines, runImport, runExport, changesOf } = session;
    await createConflicts(session);
    const before = filesIn(source);
    expect(await runImport(false)).toBe(false);
    expect(lines.at(-1)).toContain('Left as in the library: 3 files. For each "!": an import with --books-overwrite');
    const first = await changesOf(runImport);
    expect(first).toMatchObject({
      isComplete: false,
      changes: [/^! /, /^! /, /^! /].map(sign => expect.stringMatching(sign)),
    });
    expect(await changesOf(runImport)).toEqual(first);
    expect(await runExport(source, false)).toBe(false);
    expect(filesIn(source)).toEqual(before);
    expect(filesIn(library)).not.toHaveProperty([session.placeOf('02-two.md')]);
  });

  test('is replaced in the library by an import with --books-overwrite', async () => {
    const session = await importNotes();
    const { library, source, runImport, changesOf, placeOf } = session;
    await createConflicts(session);
    const before = filesIn(library);
    const shown = await changesOf(async () => await runImport(false, source, true));
    const [one, two, three] = [placeOf('01-one.md'), placeOf('02-two.md'), placeOf('03-three.md')];
    expect(shown).toEqual({
      isComplete: true,
      changes: [
        `! 01-one.md → ${one}  (1 link changed)  (overwritten)`,
        `! 02-two.md → ${two}  (deleted in the library)  (overwritten)`,
        `! ${three} is no longer in the folder  (deleted)`,
      ],
    });
    expect(filesIn(library)).toEqual(before);
    expect(await changesOf(async () => await runImport(true, source, true))).toEqual(shown);
    const after = filesIn(library);
    expect(after).toMatchObject({
      [one]: `# One\n\nIn the folder: [two](${path.posix.basename(two)})\n`,
      [two]: '# Two\n\nMore.\n',
    });
    expect(after).not.toHaveProperty([three]);
    expect(await changesOf(runImport)).toEqual({ isComplete: true, changes: [] });
    writeFiles(source, { '01-one.md': '# One\n\nAgain.\n' });
    expect(await changesOf(runImport)).toEqual({ isComplete: true, changes: [`~ 01-one.md → ${one}`] });
  });

  test('is replaced in the folder by an export with --books-overwrite', async () => {
    const session = await importNotes();
    const { library, source, runImport, runExport, changesOf, placeOf } = session;
    await createConflicts(session);
    const before = filesIn(source);
    const one = placeOf('01-one.md');
    const line = `! ${one} → 01-one.md (edited in the folder and in the library; overwritten)`;
    expect((await changesOf(async () => await runExport(source, false, true))).changes).toContain(line);
    expect(filesIn(source)).toEqual(before);
    expect(await runExport(source, true, true)).toBe(true);
    expect(filesIn(source)).toMatchObject({ '01-one.md': '# One\n\nMine.\n', '03-three.md': '# Three\n\nMine.\n' });
    rmSync(path.join(source, '02-two.md'));
    expect(await changesOf(runImport)).toEqual({ isComplete: true, changes: [] });
    writeFiles(source, { '01-one.md': '# One\n\nAgain.\n' });
    expect(await changesOf(runImport)).toEqual({ isComplete: true, changes: [`~ 01-one.md → ${one}`] });
    expect(filesIn(library)[one]).toBe('# One\n\nAgain.\n');
  });
});

describe('an import that overwrites files edited in the library', () => {
  test('keeps the version in the library if the folder contains an exported copy of this version', async () => {
    const session = await importNotes();
    const { library, source, runImport, runExport, placeOf } = session;
    await createConflicts(session);
    const target = path.join(temporaryFolder(), 'new');
    await runExport(target);
    cpSync(path.join(target, '01-one.md'), path.join(source, '01-one.md'));
    expect(await runImport(true, source, true)).toBe(true);
    expect(filesIn(library)).toMatchObject({
      [placeOf('01-one.md')]: '# One\n\nMine.\n',
      [placeOf('02-two.md')]: '# Two\n\nMore.\n',
    });
  });
});

describe('a lesson whose bytes equal those of the file in the imported folder', () => {
  test.each(['an import', 'an export and an import'])('has links that are valid in the library after %s', async way => {
    const { library, source, runImport, runExport, changesOf, placeOf } = await importNotes();
    const [one, two] = [placeOf('01-one.md'), path.posix.basename(placeOf('02-two.md'))];
    const text = '# One\n\nIn the folder: [two](02-two.md)\n';
    writeFiles(source, { '01-one.md': text });
    writeFiles(library, { [one]: text });
    if (way !== 'an import') await runExport(source);
    const changes = [`~ 01-one.md → ${one}  (1 link changed)`];
    expect(await changesOf(runImport)).toEqual({ isComplete: true, changes });
    expect(filesIn(library)[one]).toBe(text.replace('02-two.md', two));
    expect(filesIn(source)['01-one.md']).toBe(text);
    expect(await changesOf(async () => await runExport(source))).toEqual({ isComplete: true, changes: [] });
    expect(await changesOf(runImport)).toEqual({ isComplete: true, changes: [] });
  });
});

describe('an export to a folder with a file that was never imported', () => {
  const foreign = '# Written by another program\n';

  test.each([
    ['of a lesson of a book that was imported from another folder', { '02-two.md': foreign }],
    ['of a lesson, next to an equal copy of another lesson', { '01-one.md': notes['01-one.md'], '02-two.md': foreign }],
  ])('reports a conflict and leaves the file at the path %s, unless --books-overwrite is given', async (_, files) => {
    const { lines, runExport, placeOf } = await importNotes();
    const folder = temporaryFolder(files);
    const line = `! ${placeOf('02-two.md')} → 02-two.md (the folder already has another file`;
    for (const isConfirmed of [false, true]) {
      const start = lines.length;
      expect(await runExport(folder, isConfirmed)).toBe(false);
      expect(lines.slice(start)).toContain(`${line})`);
    }
    expect(filesIn(folder)).toMatchObject({ ...files, '03-three.md': notes['03-three.md'] });
    expect(await runExport(folder)).toBe(false);
    expect(await runExport(folder, true, true)).toBe(true);
    expect(lines).toContain(`${line}; overwritten)`);
    expect(filesIn(folder)).toMatchObject(notes);
  });

  test('reports a conflict for a new lesson in the folder of the book, and for a lesson of a book without an import', async () => {
    const { source, library, write, runExport, placeOf } = await importNotes();
    const lesson = `${path.posix.dirname(placeOf('02-two.md'))}/20-New.md`;
    await write(lesson, '# New\n');
    writeFiles(source, { 'New.md': foreign });
    expect(await runExport(source)).toBe(false);
    expect(filesIn(source)['New.md']).toBe(foreign);
    rmSync(path.join(library, 'import.json'));
    const folder = temporaryFolder({ [lesson]: foreign });
    expect(await runExport(folder)).toBe(false);
    expect(filesIn(folder)[lesson]).toBe(foreign);
  });
});
