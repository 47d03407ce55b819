import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, openSession, type Session, writeFiles } from './session.ts';

const notes = {
  '01-one.md': '# One\n\n[two](02-two.md)\n',
  '02-two.md': '# Two\n',
  '03-three.md': '# Three\n',
};
const chapter = 'content/01-Notes/01-One';

interface NotesSession extends Session {
  /** Returns the path of a page in the library. */
  placeOf: (name: string) => string;
  /** Runs an import or export and returns its result and the lines that begin with a sign of a change. */
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

describe('a lesson whose text is that of the folder byte for byte', () => {
  test.each(['an import', 'an export and an import'])('gets links that are valid in the library by %s', async way => {
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
