import { expect, onTestFinished, test, vi } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import { kindOfDirectoryEntry } from '../../../src/toolsets/files/index/folder-walk.ts';
import { SearchedFileFilter } from '../../../src/toolsets/files/query/file-filter.ts';
import type { CallTimeControl } from '../../../src/toolsets/files/workers/control.ts';
import { createFolder } from './open-files.ts';

const shown = (as: 'file' | 'folder' | 'link' | 'pipe'): Parameters<typeof kindOfDirectoryEntry>[0] => ({
  isFile: () => as === 'file',
  isDirectory: () => as === 'folder',
  isSymbolicLink: () => as === 'link',
});

/** A call whose time limit is so near that candidates are read at once. */
const hurriedControl: CallTimeControl = {
  isOver: false,
  isTimedOut: false,
  remainingMs: -1,
  over: new Promise(() => {}),
  progress: () => {},
};

test.each([
  ['a file', 'file', undefined, 'file'],
  ['a folder', 'folder', undefined, 'folder'],
  ['a link', 'link', undefined, 'link'],
  ['a pipe', 'pipe', undefined, undefined],
  ['a cloud file on Windows', 'link', 'file', 'file'],
  ['a cloud folder on Windows', 'link', 'folder', 'folder'],
  ['a link or a junction, on Windows', 'link', 'link', 'link'],
  ['a device behind a reparse point, on Windows', 'link', 'pipe', undefined],
  ['an entry without a readable stat on Windows', 'link', 'gone', 'link'],
] as const)(
  'kindOfDirectoryEntry classifies %s: directory entry "%s", own stat "%s", result "%s"',
  (_, listed, itself, expected) => {
    const look = itself === undefined ? undefined : () => (itself === 'gone' ? undefined : shown(itself));
    expect(kindOfDirectoryEntry(shown(listed), look)).toBe(expected);
  },
);

test('kindOfDirectoryEntry reads no stat if the directory entry states that it is a file or a folder', () => {
  const look = (): never => {
    throw new Error('looked at');
  };
  expect([kindOfDirectoryEntry(shown('file'), look), kindOfDirectoryEntry(shown('folder'), look)]).toEqual([
    'file',
    'folder',
  ]);
});

test('a walk of the folder tree is continued and not restarted by the next calls, regardless of its duration', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const root = createFolder({ 'one/a.txt': 'a', 'two/b.txt': 'b', 'three/c.txt': 'c' });
  const table = new FileTable(createFileTypeTable());
  const walk = table.walk(root);
  for (let call = 0; call < 3; call++) {
    walk.step();
    vi.advanceTimersByTime(9 * 60 * 1000);
    expect(table.walk(root)).toBe(walk);
  }
  vi.advanceTimersByTime(2 * 60 * 1000);
  expect(table.walk(root)).not.toBe(walk);
});

test('the time in which a search reads files does not extend the time for which its list of the folder tree is reused', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const root = createFolder({ 'a.txt': 'a', 'one/b.txt': 'b' });
  const table = new FileTable(createFileTypeTable());
  const walk = table.walk(root);
  const filter = new SearchedFileFilter(table, root, {}, undefined, new Set());
  const readCandidates = async (): Promise<void> => void vi.advanceTimersByTime(5000);
  await filter.test(walk, { folders: 0, files: 0 }, hurriedControl, readCandidates);
  expect(walk.isComplete).toBe(true);
  expect(table.walk(root)).not.toBe(walk);
});
