import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bundle, emptyFolder } from '../support/program.ts';
import { has } from '../support/toolsets.ts';

/** Runs the program in a terminal of the program `script` until the end of its input, and returns the output. */
function runInTerminal(...args: string[]): string {
  const env = { HOME: emptyFolder(), PATH: process.env['PATH'] };
  const command = [process.execPath, bundle, ...args].join(' ');
  return execFileSync('/usr/bin/script', ['-qec', command, '/dev/null'], { env, input: '', encoding: 'utf8' });
}

test.runIf(process.platform === 'linux' && existsSync('/usr/bin/script') && has('files', 'oj'))(
  'the hint of a server in a terminal is the command for Claude Code with the flags of the server',
  () => {
    const root = emptyFolder();
    expect(runInTerminal('--toolsets=files', `--files-root=${root}`)).toContain(
      `claude mcp add oj --scope user -- ${process.execPath} ${path.resolve(bundle)} --files-root ${root} --toolsets files\r\n`,
    );
    const unused = runInTerminal('--toolsets=files', `--files-root=${root}`, '--oj-extras');
    expect(unused).toContain('on standard input.\r\n--print-config prints');
  },
);
