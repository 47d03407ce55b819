import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createFolders,
  describeWriteError,
  runInCreatedFolders,
  tryWriting,
} from '../../src/toolset/create-folders.ts';

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

describe('createFolders', () => {
  test('creates all missing parents and returns them', () => {
    const root = folder();
    expect(createFolders(path.join(root, 'a/b/c'), 0o700)).toEqual(
      ['a', 'a/b', 'a/b/c'].map(it => path.join(root, it)),
    );
    expect(createFolders(path.join(root, 'a/b'))).toEqual([]);
  });

  test
    .runIf(process.platform === 'linux')
    .each(['/proc/none', '/proc/none/deeper', '/proc/self/none/deeper', '/sys/none'])(
    'throws instead of running without end for %s in a pseudo file system',
    name => {
      expect(() => createFolders(name)).toThrow(/ENOENT|EPERM|EACCES|EROFS/);
    },
  );

  test('throws for a file in place of the folder or of a parent', () => {
    const root = folder();
    writeFileSync(path.join(root, 'file'), '');
    expect(() => createFolders(path.join(root, 'file'))).toThrow('EEXIST');
    expect(() => createFolders(path.join(root, 'file/below'))).toThrow('ENOTDIR');
  });
});

describe('the functions that create folders to test write access', () => {
  const tryFolder = (name: string) => runInCreatedFolders(name, () => tryWriting(name));

  test('leave nothing behind in a new or an existing folder', () => {
    const root = folder();
    mkdirSync(path.join(root, 'there'));
    tryFolder(path.join(root, 'new/deeper'));
    tryFolder(path.join(root, 'there'));
    expect(readdirSync(root, { recursive: true })).toEqual(['there']);
  });

  test('keep a created folder in which another program has stored a file', () => {
    const root = folder();
    runInCreatedFolders(path.join(root, 'a/b'), () => writeFileSync(path.join(root, 'a/file'), ''));
    expect(readdirSync(root, { recursive: true })).toEqual(['a', path.join('a', 'file')]);
  });

  test.runIf(process.platform !== 'win32')('give all new folders the requested permissions', () => {
    const root = folder();
    const modes = createFolders(path.join(root, 'a/b'), 0o700).map(name => statSync(name).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700]);
  });

  test.runIf(process.platform === 'linux')('throw for a folder in which no file can be created', () => {
    expect(() => tryFolder('/proc/self')).toThrow(/ENOENT|EACCES|EPERM/);
  });
});

test('no file of src/ calls the recursive mkdir of Node', () => {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
  const recursive = names.filter(name => /mkdir\w*\([^;]*recursive/.test(readFileSync(path.join('src', name), 'utf8')));
  expect(recursive).toEqual([]);
});

test.runIf(process.platform !== 'win32')(
  'a folder that is created to test write access belongs to this user only',
  () => {
    const root = folder();
    const name = path.join(root, 'a/b');
    const modes = runInCreatedFolders(name, () => [path.join(root, 'a'), name].map(one => statSync(one).mode & 0o777));
    expect(modes).toEqual([0o700, 0o700]);
  },
);

test('describeWriteError returns the reason of a system error, and rethrows every other error', () => {
  const reasonFor = (code: string): string =>
    describeWriteError(Object.assign(new Error('failed'), { code, syscall: 'mkdir' }));
  expect(reasonFor('ENOENT')).toBe('its file system accepts no new folders (ENOENT)');
  expect(reasonFor('ENOSPC')).toBe('the disk is full (ENOSPC)');
  const bug = new TypeError('a bug');
  expect(() => describeWriteError(bug)).toThrow(bug);
});
