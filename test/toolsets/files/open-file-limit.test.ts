import { describe, expect, test } from 'vitest';
import { startWithFileLimit } from '../../support/file-limit-program.ts';
import { openFolder } from './built.ts';

describe.skipIf(process.platform === 'win32')('a search when the process cannot open more files', () => {
  test('reports the limit of open files, logs no bug, and succeeds when descriptors are free again', async () => {
    const root = openFolder({ 'note.txt': 'needle' });
    const { ask, openAll, closeAll, stderr } = await startIn(root);
    const search = async (): Promise<string> => await ask('search', { query: 'needle', scope: root });
    await openAll();
    expect(await search()).toContain('too many files are open');
    await closeAll();
    expect(await search()).toContain('note.txt');
    expect(stderr()).not.toContain('bug');
  });

  test('reports the number of unread files, marks no file as unreadable, and is completed when descriptors are free again', async () => {
    const root = openFolder({ 'note.txt': 'needle', 'page.html': 'needle', 'other.txt': 'x' });
    const { ask, openAll, closeAll, stderr } = await startIn(root, 2);
    const search = async (): Promise<string> => await ask('search', { query: 'needle', scope: root });
    expect(await ask('search', { query: 'note', scope: root, match: 'name' })).toContain('note.txt');
    await openAll();
    // If the background index has started the readers before, the spare descriptors suffice for some or all files.
    const incomplete = /Not complete: [123] files? w(?:as|ere) not read, because too many files are open/;
    for (let time = 0; time < 2; time++) {
      const found = await search();
      const isComplete = found.includes('note.txt') && found.includes('page.html');
      expect(isComplete || incomplete.test(found), found).toBe(true);
    }
    await closeAll();
    await expect.poll(search, { timeout: 30_000 }).toContain('note.txt');
    await expect.poll(search, { timeout: 30_000 }).toContain('page.html');
    expect(await search()).not.toContain('Not looked at');
    expect(stderr()).not.toContain('bug');
  });
});

async function startIn(root: string, spare = 0) {
  const args = ['--toolsets', 'files', '--files-engine', 'scan', '--files-root', root];
  const { ask, toggle, stderr } = startWithFileLimit(args, spare);
  const said = async (words: string): Promise<void> => await expect.poll(stderr, { timeout: 30_000 }).toContain(words);
  const turn = async (words: string): Promise<void> => {
    toggle();
    await said(words);
  };
  await said('files: one folder');
  return { ask, stderr, openAll: () => turn('opened files until EMFILE'), closeAll: () => turn('closed the files') };
}
