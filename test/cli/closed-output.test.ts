import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { bundle, emptyFolder } from '../support/program.ts';
import { has } from '../support/toolsets.ts';

/** Runs the program, closes its standard output before it writes, and returns the exit code and standard error. */
async function runWithClosedOutput(home: string, ...args: string[]) {
  const env = { HOME: home, USERPROFILE: home, APPDATA: home };
  const child = spawn(process.execPath, [bundle, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stderr };
}

describe.runIf(has('oj'))('a closed standard output', () => {
  test.each([
    [0, ['--check', '--demo']],
    [1, ['--check', '--base-url', 'http://127.0.0.1:1']],
    [0, ['--help']],
    [0, ['--print-config', 'cursor', '--demo']],
  ])('does not change the exit code %i of %j and causes no message about it', async (code, args) => {
    const result = await runWithClosedOutput(emptyFolder(), ...args);
    expect([result.code, result.stderr]).toEqual([code, expect.not.stringContaining('EPIPE')]);
  });

  test('does not end an installation before its last step', async () => {
    const home = emptyFolder();
    const args = ['--install', 'cursor', '--base-url', 'http://127.0.0.1:1', '--yes'];
    expect(await runWithClosedOutput(home, ...args)).toEqual({ code: 1, stderr: '' });
    expect(existsSync(path.join(home, '.cursor/mcp.json'))).toBe(true);
  });

  test('ends the server without a message', async () => {
    const result = await runWithClosedOutput(emptyFolder(), '--demo');
    expect([result.code, result.stderr]).toEqual([0, expect.not.stringContaining('Error')]);
  });
});
