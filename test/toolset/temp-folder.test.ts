import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isProcessRunning, isZombieProcess, processStartTimeOf } from '../../src/toolset/process-identity.ts';
import { createDemoFolder } from '../../src/toolset/sample-folder.ts';
import { checkTempFolder, createTempFolder } from '../../src/toolset/temp-folder.ts';

function useTempFolder(): string {
  const parent = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, parent);
  return parent;
}

test('a temporary folder is not accessible to other users', () => {
  useTempFolder();
  expect(statSync(createTempFolder('sample')).mode & 0o777).toBe(0o700);
});

test('a temporary folder of an ended process is removed by the next process', () => {
  const parent = useTempFolder();
  const own = path.basename(createTempFolder('sample'));
  const { pid } = spawnSync(process.execPath, ['--version']);
  const leftover = own.replace(/^(oj-mcp-sample-)\d+/, `$1${pid}`);
  mkdirSync(path.join(parent, leftover, 'books'), { recursive: true });
  const next = path.basename(createTempFolder('archive'));
  expect(readdirSync(parent).toSorted()).toEqual([next, own].toSorted());
});

test('files and links whose names are those of a temporary folder of an ended process are kept', () => {
  const parent = useTempFolder();
  const own = path.basename(createTempFolder('sample'));
  const { pid } = spawnSync(process.execPath, ['--version']);
  const nameWith = (end: string): string => own.replace(/^(oj-mcp-sample-)\d+/, `$1${pid}`).slice(0, -6) + end;
  writeFileSync(path.join(parent, nameWith('aaaaaa')), 'a file');
  mkdirSync(path.join(parent, 'target'));
  symlinkSync(path.join(parent, 'target'), path.join(parent, nameWith('bbbbbb')));
  mkdirSync(path.join(parent, nameWith('cccccc')));
  createTempFolder('sample');
  const left = readdirSync(parent).filter(name => name.includes(`-${pid}-`));
  expect(left.toSorted()).toEqual([nameWith('aaaaaa'), nameWith('bbbbbb')]);
});

test('a temporary folder of a running process is kept', async () => {
  const parent = useTempFolder();
  const own = path.basename(createTempFolder('sample'));
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  onTestFinished(() => void child.kill());
  const started = processStartTimeOf(child.pid ?? 0);
  const [theirs = '', withoutTime = ''] = [started, ''].map(time =>
    own.replace(/^(oj-mcp-sample-)\d+-\d*/, `$1${child.pid}-${time}`),
  );
  mkdirSync(path.join(parent, theirs));
  mkdirSync(path.join(parent, withoutTime));
  createTempFolder('sample');
  expect([theirs, withoutTime].map(name => existsSync(path.join(parent, name)))).toEqual([true, true]);
});

test('a temporary folder of another process namespace and folders with other names are kept', () => {
  const parent = useTempFolder();
  const own = path.basename(createTempFolder('sample'));
  const names = [own.replace(/-\d*-([A-Za-z0-9]{6})$/, '-1-$1'), 'oj-mcp-sample-notes', 'oj-mcp-sample-999999999'];
  for (const name of names) mkdirSync(path.join(parent, name));
  createTempFolder('sample');
  expect(readdirSync(parent)).toEqual(expect.arrayContaining(names));
});

test('checkTempFolder states why the folder for temporary files cannot be used', () => {
  const parent = useTempFolder();
  expect(checkTempFolder('fine')).toEqual({ isGood: true, line: 'fine' });
  expect(readdirSync(parent)).toEqual([]);
  const hint = 'Set TMPDIR (on Windows TEMP) to a folder that the user who runs the host can write.';
  const results = ['missing', 'file'].map(name => {
    const place = path.join(parent, name);
    if (name === 'file') writeFileSync(place, '');
    for (const variable of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(variable, place);
    return checkTempFolder('fine');
  });
  const lineOf = (name: string): string =>
    `the folder for temporary files, ${path.join(parent, name)}, cannot be written: `;
  expect(results).toEqual([
    { isGood: false, hint, line: `${lineOf('missing')}it does not exist` },
    { isGood: false, hint, line: expect.stringMatching(/: it is a file, or a folder of its path is one \(ENOTDIR\)$/) },
  ]);
  expect(results[1]?.line).toContain(lineOf('file'));
});

test('createDemoFolder writes the samples with their dates into a new folder, and removes it at the exit', () => {
  const parent = useTempFolder();
  const before = process.listeners('exit');
  const root = createDemoFolder([
    { name: 'a/b/note.txt', content: 'text', date: '2024-03-01T00:00:00Z' },
    { name: 'a/bytes', content: Uint8Array.of(1, 2) },
  ]);
  expect(path.dirname(root)).toBe(realpathSync(parent));
  expect(readFileSync(path.join(root, 'a/b/note.txt'), 'utf8')).toBe('text');
  expect(statSync(path.join(root, 'a/b/note.txt')).mtime.toISOString()).toBe('2024-03-01T00:00:00.000Z');
  expect([...readFileSync(path.join(root, 'a/bytes'))]).toEqual([1, 2]);
  const added = process.listeners('exit').filter(listener => !before.includes(listener));
  expect(added).toHaveLength(1);
  for (const listener of added) {
    process.off('exit', listener);
    for (let time = 0; time < 2; time++) listener.call(process, 0);
  }
  expect(existsSync(root)).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'isZombieProcess is true only for a process that has ended and is not read',
  async () => {
    const parent = spawn('sh', ['-c', 'cat <&3 >/dev/null & echo $!; exec sleep 60 3<&-'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    onTestFinished(() => void parent.kill());
    const [, output, , input] = parent.stdio;
    if (output === null || input === null || input === undefined) throw new Error('the shell has no pipes');
    const [line] = await once(output, 'data');
    const pid = Number(line);
    expect([isZombieProcess(pid), isZombieProcess(process.pid), isZombieProcess(0)]).toEqual([false, false, false]);
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim()).toBe('sleep');
    input.destroy();
    await expect.poll(() => isZombieProcess(pid)).toBe(true);
    expect([isProcessRunning(pid), isProcessRunning(process.pid)]).toEqual([true, true]);
  },
);
