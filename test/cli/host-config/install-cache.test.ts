import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { has } from '../../support/toolsets.ts';
import { newHome, run } from './home.ts';

const hasOj = has('oj');

describe.runIf(has('files') && hasOj)('the index of --files-cache', () => {
  const note = (folder: string) => `The index with the texts of your files stays: delete files-*.cache in ${folder}.\n`;
  const withCache = (home: string) => {
    const [notes, cache] = [path.join(home, 'notes'), path.join(home, 'cache')];
    mkdirSync(notes);
    mkdirSync(cache);
    writeFileSync(path.join(cache, 'files-1.cache'), '');
    return { cache, flags: ['--toolsets=files', `--files-root=${notes}`, `--files-cache=${cache}`] };
  };

  test.each(['cursor', 'codex', 'opencode'])(
    'is named by --uninstall %s, because its files stay, and the backup may be deleted',
    async host => {
      const home = newHome();
      const { cache, flags } = withCache(home);
      await run(home, '--install', host, ...flags, '--yes');
      expect((await run(home, '--uninstall', host)).stdout).toContain(note(cache));
      const { stdout } = await run(home, '--uninstall', host, '--yes');
      expect(stdout).toContain(note(cache));
      expect(stdout).toContain('Delete the backup when you no longer need it');
      expect((await run(home, '--uninstall', host, '--yes')).stdout).not.toContain('The index');
    },
  );

  test('is named by an installation whose entry has no or another cache folder', async () => {
    const home = newHome();
    const { cache, flags } = withCache(home);
    await run(home, '--install', 'cursor', ...flags, '--yes');
    expect((await run(home, '--install', 'cursor', ...flags)).stdout).not.toContain('The index');
    const { stdout } = await run(home, '--install', 'cursor', '--demo');
    expect(stdout).toContain('For a second server, add the entry of --print-config by hand under another name.');
    expect(stdout).toContain(note(cache));
    expect(
      (await run(home, '--install', 'cursor', ...flags.slice(0, 2), `--files-cache=${home}/new`)).stdout,
    ).toContain(note(cache));
  });

  test('is not named if the cache folder is missing or contains no index', async () => {
    const home = newHome();
    const { cache, flags } = withCache(home);
    await run(home, '--install', 'cursor', ...flags, '--yes');
    rmSync(path.join(cache, 'files-1.cache'));
    expect((await run(home, '--uninstall', 'cursor')).stdout).not.toContain('The index');
    rmSync(cache, { recursive: true });
    expect((await run(home, '--uninstall', 'cursor', '--yes')).stdout).not.toContain('The index');
  });
});
