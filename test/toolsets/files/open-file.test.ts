import { execFileSync } from 'node:child_process';
import type { Stats } from 'node:fs';
import { closeSync, linkSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  isOnlineOnlyFile,
  isOpenFileInside,
  isPathInside,
  openRegularFile,
  statFileInside,
  statFolder,
} from '../../../src/toolsets/files/access/open-file.ts';
import { createFolder } from './open-files.ts';

function createRoot(): { root: string; outside: string } {
  const base = createFolder({ 'root/note.txt': 'note', 'root/sub/note.txt': 'note', 'outside/note.txt': 'secret' });
  return { root: path.join(base, 'root'), outside: path.join(base, 'outside') };
}

const place = ({
  ino,
  birthtimeMs,
  mtimeMs,
  size,
}: Stats): Pick<Stats, 'ino' | 'birthtimeMs' | 'mtimeMs' | 'size'> => ({
  ino,
  birthtimeMs,
  mtimeMs,
  size,
});

test('statFileInside and statFolder return the numbers and the times of the stat in milliseconds', () => {
  const { root } = createRoot();
  for (const [found, file] of [
    [statFileInside(path.join(root, 'note.txt'), root), path.join(root, 'note.txt')],
    [statFolder(root), root],
  ] as const) {
    const { ino, size, blocks, uid, gid, ...times } = statSync(file);
    expect(found).toMatchObject({ ino, size, blocks, uid, gid });
    for (const name of ['mtimeMs', 'ctimeMs', 'birthtimeMs'] as const)
      expect(found?.[name]).toBeCloseTo(times[name], 2);
  }
});

describe.skipIf(process.platform === 'win32')('opening a file', () => {
  test('fails if the path is a symbolic link', () => {
    const { root } = createRoot();
    symlinkSync('note.txt', path.join(root, 'link'));
    expect(() => openRegularFile(path.join(root, 'link'))).toThrow(/ELOOP|EMLINK/);
    expect(statFileInside(path.join(root, 'note.txt'), root)).toMatchObject({ size: 4 });
    expect(statFileInside(path.join(root, 'link'), root)).toBeUndefined();
    symlinkSync('sub', path.join(root, 'folder-link'));
    expect(statFolder(path.join(root, 'sub'))).toBeDefined();
    expect(statFolder(path.join(root, 'folder-link'))).toBeUndefined();
  });

  test('returns undefined for a pipe or a folder without blocking', () => {
    const { root } = createRoot();
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    for (const name of ['pipe', 'sub']) {
      expect(openRegularFile(path.join(root, name))).toBeUndefined();
      expect(statFileInside(path.join(root, name), root)).toBeUndefined();
    }
    expect(statFolder(path.join(root, 'note.txt'))).toBeUndefined();
  });

  test.runIf(process.platform === 'linux')('closes the file descriptor if the path is not a regular file', () => {
    const { root } = createRoot();
    const before = readdirSync('/proc/self/fd').length;
    for (let turn = 0; turn < 20; turn++) {
      openRegularFile(path.join(root, 'sub'));
      statFileInside(path.join(root, 'sub'), root);
    }
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 10);
  });
});

describe.skipIf(process.platform === 'win32')('the check that an opened file is inside of its root', () => {
  test('succeeds only if the opened file is still the file at its path', () => {
    const { root } = createRoot();
    const file = path.join(root, 'note.txt');
    const open = openRegularFile(file);
    if (open === undefined) throw new Error('it is not there');
    const { fd } = open;
    const stat = place(open.stat);
    expect(isOpenFileInside({ fd, stat }, file, root)).toBe(true);
    expect(isOpenFileInside({ fd, stat }, file, path.join(root, 'sub'))).toBe(false);
    renameSync(file, path.join(root, 'moved.txt'));
    expect(isOpenFileInside({ fd, stat }, file, root)).toBe(false);
    symlinkSync('moved.txt', file);
    expect(isOpenFileInside({ fd, stat }, file, root)).toBe(false);
    closeSync(fd);
  });

  test('compares path and stat on systems that do not report the path of an open file', () => {
    const { root, outside } = createRoot();
    const file = path.join(root, 'sub/note.txt');
    const stat = place(statSync(file));
    expect(isPathInside(file, stat, root)).toBe(true);
    for (const key of ['ino', 'birthtimeMs', 'mtimeMs', 'size'] as const)
      expect(isPathInside(file, { ...stat, [key]: stat[key] + 1 }, root), key).toBe(false);
    expect(isPathInside(path.join(root, 'note.txt'), stat, root)).toBe(false);
    renameSync(path.join(root, 'sub'), path.join(root, 'away'));
    symlinkSync(outside, path.join(root, 'sub'));
    expect(isPathInside(file, place(statSync(file)), root)).toBe(false);
  });

  test('does not compare device numbers, because stat and fstat return different ones on some systems', () => {
    const { root } = createRoot();
    const file = path.join(root, 'note.txt');
    expect(isPathInside(file, place(statSync(file)), root)).toBe(true);
    expect(Object.keys(statFileInside(file, root) ?? {})).not.toContain('dev');
  });

  test('succeeds for another hard link of the same file', () => {
    const { root } = createRoot();
    mkdirSync(path.join(root, 'other'));
    linkSync(path.join(root, 'note.txt'), path.join(root, 'other/note.txt'));
    expect(statFileInside(path.join(root, 'other/note.txt'), root)).toMatchObject({ size: 4 });
  });
});

test.each([
  ['darwin', 100_000, 0, true],
  ['win32', 4096, 0, true],
  ['win32', 700, 0, false],
  ['darwin', 100_000, 200, false],
  ['linux', 100_000, 0, false],
] as const)('isOnlineOnlyFile returns for %s with %d bytes in %d blocks: %s', (platform, size, blocks, expected) => {
  expect(isOnlineOnlyFile({ size, blocks }, platform)).toBe(expected);
});
