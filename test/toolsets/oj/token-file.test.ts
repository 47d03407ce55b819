import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PipeTimeoutError, readSmallFile } from '../../../src/toolsets/oj/io/token-file.ts';
import { runProgram, startProgram, unwrapLines } from '../../support/program.ts';
import { has } from '../../support/toolsets.ts';

function tempFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'file');
}

test.each([
  ['', ''],
  ['a-token\n', 'a-token\n'],
  ['x'.repeat(100), 'x'.repeat(50)],
])('readSmallFile returns at most 50 bytes of %j: %j', (content, read) => {
  const file = tempFile();
  writeFileSync(file, content);
  expect(readSmallFile(file, 50).toString()).toBe(read);
});

test('readSmallFile returns an empty buffer for the empty device /dev/null', () => {
  expect(readSmallFile(process.platform === 'win32' ? '\\\\.\\NUL' : '/dev/null', 50)).toHaveLength(0);
});

describe.skipIf(process.platform === 'win32')('readSmallFile with a named pipe', () => {
  function pipe(): string {
    const file = tempFile();
    execFileSync('mkfifo', [file]);
    return file;
  }

  test('reads the pipe completely when its writer starts late and pauses', async () => {
    const file = pipe();
    const writer = spawn('sh', ['-c', 'sleep 0.1; (printf first-; sleep 0.2; printf second) > "$0"', file]);
    const ended = once(writer, 'exit');
    expect(readSmallFile(file, 50, 300_000).toString()).toBe('first-second');
    await ended;
  });

  test('reads a pipe with one byte whose writer has closed it', async () => {
    const file = pipe();
    const writer = spawn('sh', ['-c', 'printf x > "$0"', file]);
    const ended = once(writer, 'exit');
    expect(readSmallFile(file, 50, 300_000).toString()).toBe('x');
    await ended;
  });

  test('rejects the pipe after a timeout when its writer stops with partial content', () => {
    const file = pipe();
    const descriptor = openSync(file, 'r+');
    onTestFinished(() => closeSync(descriptor));
    writeSync(descriptor, 'first-');
    expect(() => readSmallFile(file, 50, 60)).toThrow(PipeTimeoutError);
  });

  test('rejects the pipe after a timeout when it has no writer', () => {
    expect(() => readSmallFile(pipe(), 50, 60)).toThrow('the writer of the pipe did not close it within 0.06 seconds');
  });

  test.runIf(has('oj'))('lets --token-file of the program be a pipe', async () => {
    const file = pipe();
    const writer = spawn('sh', ['-c', '(printf hunter2-; sleep 0.2; printf "hunter3 x") > "$0"', file]);
    const ended = once(writer, 'exit');
    const program = startProgram(['--base-url', 'http://127.0.0.1:1', '--token-file', file]);
    program.child.stdin.end();
    expect(await program.exit).toMatchObject({ code: 1 });
    // The second part of the token contains an invalid space. The error about this space proves that the program has
    // read both parts.
    expect(program.stderr()).toContain('contains white space.');
    await ended;
  });
});

describe.runIf(has('oj') && process.platform !== 'win32')('--token-file', () => {
  const backend = ['--base-url', 'http://127.0.0.1:1'];

  test.each(['/9sQ2k7LmZ0aB4xYw==', '/aB3dE5fG/hI7jK9lM/nO1pQ3rS+t=='])(
    'does not repeat a token in base64 that begins with a slash: %s',
    async token => {
      for (const mode of [[], ['--check'], ['--print-config', 'cursor'], ['--install', 'cursor', '--yes']]) {
        const { code, stdout, stderr } = await runProgram([...mode, ...backend, '--token-file', token]);
        expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('it may be a token')]);
        expect(stdout + stderr).not.toContain(token);
      }
    },
  );

  test.each([
    [0o644, true],
    [0o604, true],
    [0o640, false],
    [0o600, false],
  ])('with mode %i of the file: --check warns that others can read it: %s', async (mode, isWarned) => {
    const file = tempFile();
    writeFileSync(file, 'a-token');
    chmodSync(file, mode);
    const { stdout } = await runProgram(['--check', ...backend, '--token-file', file]);
    expect(unwrapLines(stdout).includes(`can be read by other users of this machine\n  → Give access only to`)).toBe(
      isWarned,
    );
  });
});
