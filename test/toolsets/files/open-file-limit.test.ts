import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startWithFileLimit } from '../../support/file-limit-program.ts';
import { openFolder } from './built.ts';

describe.skipIf(process.platform === 'win32')('a search when the process cannot open more files', () => {
  test('reports the limit of open files instead of an internal error, and succeeds when descriptors are free again', async () => {
    const root = openFolder({ 'note.txt': 'needle' });
    const { ask, openAll, closeAll, stderr } = await startIn(root);
    const search = async (): Promise<string> => await ask('search', { query: 'needle', scope: root });
    await openAll();
    expect(await search()).toContain('too many files are open');
    await closeAll();
    expect(await search()).toContain('note.txt');
    expect(stderr()).not.toContain('bug');
  });

  test('reports the number of files that were not read, marks none as unreadable, and is completed when descriptors are free again', async () => {
    const root = openFolder({ 'note.txt': 'needle', 'page.html': 'needle', 'other.txt': 'x' });
    mkdirSync(path.join(root, 'empty'));
    const { ask, openAll, closeAll, stderr } = await startIn(root, 2);
    const search = async (): Promise<string> => await ask('search', { query: 'needle', scope: root });
    // This call starts the catalogue thread. Its folder is empty, so that the background index does not read files
    // before the descriptors are used up.
    await ask('recent_files', { scope: path.join(root, 'empty') });
    await openAll();
    for (let time = 0; time < 2; time++)
      expect(await search()).toContain('Not complete: 3 files were not read, because too many files are open');
    await closeAll();
    await expect.poll(search).toContain('note.txt');
    await expect.poll(search).toContain('page.html');
    expect(await search()).not.toMatch(/Not searched|Text not readable/);
    expect(stderr()).not.toContain('bug');
  });
});

async function startIn(root: string, spare = 0) {
  const args = ['--toolsets', 'files', '--files-engine', 'scan', '--files-root', root];
  const { ask, toggle, stderr } = startWithFileLimit(args, spare);
  const said = async (words: string): Promise<void> => await expect.poll(stderr).toContain(words);
  const turn = async (words: string): Promise<void> => {
    toggle();
    await said(words);
  };
  await said('files: one folder');
  return { ask, stderr, openAll: () => turn('opened files until EMFILE'), closeAll: () => turn('closed the files') };
}
