import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allToolsets } from '../../src/cli/enabled-toolsets.ts';
import { emptyFolder, runProgram, unwrapLines } from '../support/program.ts';
import { has } from '../support/toolsets.ts';

const gone = path.resolve('/no-such-folder/at-all');

/** The flags of the server whose value is a folder that must exist. */
const folderFlags = allToolsets.flatMap(({ name, flags }) =>
  Object.entries(flags).flatMap(([flag, { valueHint, isCreated, isTask }]) =>
    valueHint === 'folder' && isCreated !== true && isTask !== true ? [[flag, name] as const] : [],
  ),
);

describe.each(folderFlags)('the folder in --%s', (flag, toolset) => {
  const args = ['--toolsets', toolset];

  test('may be missing: the server starts, and its warning names the flag or variable, the reason and the toolset', async () => {
    const { code, stderr } = await runProgram([...args, `--${flag}`, gone]);
    expect(code).toBe(0);
    expect(stderr).toContain(`--${flag} ${gone} cannot be read: it does not exist (ENOENT): the tools of "${toolset}"`);
    const variable = `OJ_MCP_${flag.replaceAll('-', '_').toUpperCase()}`;
    expect((await runProgram(args, { env: { [variable]: gone } })).stderr).toContain(`${variable} ${gone} cannot`);
  });

  test('causes a warning at start if it is a file, and no warning if it is a readable folder', async () => {
    const folder = emptyFolder();
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect((await runProgram([...args, `--${flag}`, file])).stderr).toContain(
      `--${flag} ${file} cannot be read: it is`,
    );
    expect((await runProgram([...args, `--${flag}`, folder])).stderr).not.toContain('WARN');
  });

  test('is reported by --check together with an existing folder whose name differs only in upper and lower case', async () => {
    const folder = emptyFolder();
    mkdirSync(path.join(folder, 'Documents'));
    const { code, stdout } = await runProgram(['--check', ...args, `--${flag}`, path.join(folder, 'documnets')]);
    expect([code, unwrapLines(stdout)]).toEqual([
      1,
      expect.stringContaining(`Did you mean ${path.join(folder, 'Documents')}?`),
    ]);
  });
});

test.runIf(has('files'))(
  'the toolset files without a folder does not start, and the message names the flag',
  async () => {
    const { code, stderr } = await runProgram(['--toolsets', 'files']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('The toolset "files" needs --files-root')]);
  },
);

test.runIf(has('files') && process.platform !== 'win32').each([
  ['a path that begins with ~', ['--toolsets', 'files', '--files-root', '~/notes']],
  ['the file of a host', ['--install', 'cursor', '--demo', '--yes']],
])('an empty HOME is an error, and not the working directory, for %s', async (_, args) => {
  const { code, stderr } = await runProgram(args, { env: { HOME: '' } });
  expect([code, stderr]).toEqual([1, expect.stringContaining('the home folder is not known: HOME is ""')]);
});
