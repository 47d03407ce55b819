import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EndlessPipe, readWholeFile } from '../../../src/toolsets/oj/io/token-file.ts';
import { startProgram } from '../../support/program.ts';
import { has } from '../../support/toolsets.ts';

function place(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'file');
}

test.each([
  ['', ''],
  ['a-token\n', 'a-token\n'],
  ['x'.repeat(100), 'x'.repeat(50)],
])('a file of %j is read as %j', (content, read) => {
  const file = place();
  writeFileSync(file, content);
  expect(readWholeFile(file, 50).toString()).toBe(read);
});

test('an empty device has an end', () => {
  expect(readWholeFile(process.platform === 'win32' ? '\\\\.\\NUL' : '/dev/null', 50)).toHaveLength(0);
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  function pipe(): string {
    const file = place();
    execFileSync('mkfifo', [file]);
    return file;
  }

  test('whose writer comes late, pauses in the middle and goes is read to its end', async () => {
    const file = pipe();
    const writer = spawn('sh', ['-c', 'sleep 0.1; (printf first-; sleep 0.2; printf second) > "$0"', file]);
    const ended = once(writer, 'exit');
    expect(readWholeFile(file, 50, 300_000).toString()).toBe('first-second');
    await ended;
  });

  test('that does not end is given up, and its half is not taken for the whole', () => {
    const file = pipe();
    const descriptor = openSync(file, 'r+');
    onTestFinished(() => closeSync(descriptor));
    writeSync(descriptor, 'first-');
    expect(() => readWholeFile(file, 50, 60)).toThrow(EndlessPipe);
  });

  test('that nobody writes to is given up', () => {
    expect(() => readWholeFile(pipe(), 50, 60)).toThrow('it did not end within 0.06 seconds');
  });

  test.runIf(has('oj'))('can hold the token of the program', async () => {
    const file = pipe();
    const writer = spawn('sh', ['-c', '(printf hunter2-; sleep 0.2; printf "hunter3 x") > "$0"', file]);
    const ended = once(writer, 'exit');
    const program = startProgram(['--base-url', 'http://127.0.0.1:1', '--token-file', file]);
    program.child.stdin.end();
    expect(await program.exit).toMatchObject({ code: 1 });
    // The blank stands in the second half: it has been seen, so nothing less than the whole was taken.
    expect(program.stderr()).toContain('must consist of visible ASCII characters, without blanks');
    await ended;
  });
});
