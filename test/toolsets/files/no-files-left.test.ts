import { expect, test } from 'vitest';
import { startPoor } from '../../support/poor-program.ts';
import { openFolder } from './built.ts';

test.skipIf(process.platform === 'win32')('a search for which no file is left says so, and is no bug', async () => {
  const root = openFolder({ 'note.txt': 'needle' });
  const { ask, toggle, stderr } = startPoor(['--toolsets', 'files', '--files-engine', 'scan', '--files-root', root]);
  const search = async (): Promise<string> => await ask('search', { query: 'needle', scope: root });
  await expect.poll(stderr, { timeout: 30_000 }).toContain('files: one folder');
  toggle();
  await expect.poll(stderr, { timeout: 30_000 }).toContain('hoarded until EMFILE');
  expect(await search()).toContain('too many files are open');
  toggle();
  await expect.poll(stderr, { timeout: 30_000 }).toContain('let go');
  expect(await search()).toContain('note.txt');
  expect(stderr()).not.toContain('bug');
});
