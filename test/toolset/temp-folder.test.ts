import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { processStartTimeOf } from '../../src/toolset/process-identity.ts';
import { createTempFolder } from '../../src/toolset/temp-folder.ts';

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
