import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import type { FolderWalk } from '../../../src/toolsets/files/index/folder-walk.ts';
import { createFolder } from './open-files.ts';

const types = createFileTypeTable();

/** Adds a complete list of a folder tree that exists only in the table: one folder with this number of files. */
function addWalk(table: FileTable, scope: string, fileCount: number): FolderWalk {
  const walk = table.walk(scope);
  const folder = table.enter(scope);
  table.list(
    folder,
    walk,
    Array.from({ length: fileCount }, (_, index) => `${index}.txt`),
  );
  walk.listed.push(folder);
  walk.fileCount = fileCount;
  return walk;
}

const scopesOf = (table: FileTable): string => Array.from(table.walks, ({ scope }) => scope).join(' ');
const foldersOf = (table: FileTable): string => Array.from(table.folders, folder => folder.path).join(' ');

describe('the list of a folder tree', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'], now: 0 }));
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['2 seconds after the start of a short listing', 600, 2000],
    ['2 seconds after the start of a listing of two thirds of a second', 666, 2000],
    ['3 times the duration of a longer listing', 700, 2100],
  ])('is reused for %s', (_, spentMs, usableMs) => {
    vi.advanceTimersByTime(50_000);
    const table = new FileTable(types);
    const walk = table.walk('/a');
    walk.finishedAt = walk.startedAt + 10;
    walk.spentMs = spentMs;
    vi.advanceTimersByTime(usableMs - 1);
    expect(table.walk('/a')).toBe(walk);
    vi.advanceTimersByTime(1);
    expect(table.walk('/a')).not.toBe(walk);
  });

  test('is continued within 10 minutes of its last step if it was interrupted', () => {
    vi.advanceTimersByTime(50_000);
    const table = new FileTable(types);
    const walk = table.walk('/a');
    vi.advanceTimersByTime(5000);
    walk.steppedAt = performance.now();
    vi.advanceTimersByTime(599_999);
    expect(table.walk('/a')).toBe(walk);
    vi.advanceTimersByTime(1);
    expect(table.walk('/a')).not.toBe(walk);
  });

  test('is the newest one after it was made again', () => {
    const table = new FileTable(types);
    for (const scope of ['/a', '/b']) table.walk(scope);
    vi.advanceTimersByTime(600_000);
    table.walk('/a');
    expect(scopesOf(table)).toBe('/b /a');
  });
});

describe('after a call the table of files', () => {
  test('keeps 16 lists of folder trees, and never evicts the list of the call', () => {
    const table = new FileTable(types);
    const walks = Array.from({ length: 16 }, (_, index) => addWalk(table, `/${index}`, 1));
    const [first] = walks;
    if (first === undefined) throw new Error('there is no list');
    table.tidy(first);
    expect([...table.walks]).toEqual(walks);
    const last = addWalk(table, '/last', 1);
    table.tidy(first);
    expect([...table.walks]).toEqual([first, ...walks.slice(2), last]);
    expect(foldersOf(table)).toBe(scopesOf(table));
  });

  test('evicts no list while all of them have as many files as the limit, and the oldest ones above it', () => {
    const table = new FileTable(types, 10);
    addWalk(table, '/a', 3);
    addWalk(table, '/b', 3);
    const last = addWalk(table, '/c', 4);
    expect([table.tidy(last), scopesOf(table)]).toEqual([false, '/a /b /c']);
    const more = addWalk(table, '/d', 3);
    expect([table.tidy(more), scopesOf(table), foldersOf(table)]).toEqual([false, '/b /c /d', '/b /c /d']);
    const most = addWalk(table, '/e', 10);
    expect([table.tidy(most), scopesOf(table), foldersOf(table)]).toEqual([false, '/e', '/e']);
  });

  test('keeps the first folders of a list that exceeds the limit alone, but not the list', () => {
    const table = new FileTable(types, 10);
    const walk = addWalk(table, '/a', 4);
    for (const [place, count] of Object.entries({ '/a/b': 6, '/a/c': 1 })) {
      const folder = table.enter(place);
      table.list(
        folder,
        walk,
        Array.from({ length: count }, (_, index) => `${index}.txt`),
      );
      walk.listed.push(folder);
      walk.fileCount += count;
    }
    expect([table.tidy(walk), scopesOf(table), foldersOf(table)]).toEqual([true, '', '/a /a/b']);
  });

  test('keeps 50,000 folders that belong to no list, and none of them above this limit', () => {
    const table = new FileTable(types);
    const walk = addWalk(table, '/a', 1);
    for (let index = 0; index < 50_000; index++) table.enter(`/stray/${index}`);
    table.tidy(walk);
    expect([...table.folders]).toHaveLength(50_001);
    table.enter('/one too many');
    table.tidy(walk);
    expect(foldersOf(table)).toBe('/a');
  });

  test('copies the trigram signatures once more than 8 MiB and more than half of them are unused', () => {
    const table = new FileTable(types);
    const walk = addWalk(table, '/a', 2);
    const [folder] = walk.listed;
    const size = 1 << 20;
    const kept = table.signatures.add(new Uint8Array(size).fill(7));
    folder?.setSignature(1, kept, table.signatures, 'partly');
    for (let count = 1; count < 16; count++) table.signatures.add(new Uint8Array(size));
    const unused = table.signatures.add(new Uint8Array(1));
    for (let count = 0; count < 8; count++) table.signatures.free(kept);
    table.tidy(walk);
    expect(table.signatures.bytes).toBe(16 * size + 1); // 8 MiB are not more than the limit
    table.signatures.free(unused);
    table.tidy(walk);
    expect([table.signatures.bytes, table.signatures.get(folder?.signature(1) ?? 0)[5]]).toEqual([size, 7]);
    const full = new FileTable(types);
    for (let count = 0; count < 18; count++) full.signatures.add(new Uint8Array(size));
    for (let count = 0; count < 9; count++) full.signatures.free(kept);
    full.tidy(full.walk('/a'));
    expect(full.signatures.bytes).toBe(18 * size); // half of them is not more than half
    full.signatures.free(unused);
    full.tidy(full.walk('/a'));
    expect(full.signatures.bytes).toBe(0);
  });
});

describe('the table of files', () => {
  test('returns the row of an indexed file, and a temporary row with the stat of any other file', () => {
    const root = createFolder({ 'a.txt': 'a', 'b.txt': 'bcd' });
    const [one, other] = [path.join(root, 'a.txt'), path.join(root, 'b.txt')];
    const table = new FileTable(types);
    const folder = table.enter(root);
    table.list(folder, table.walk(root), ['a.txt']);
    const [known, temporary] = table.filesAt([one, other]);
    expect([known?.folder === folder, known?.path, temporary?.folder === folder, temporary?.path]).toEqual([
      true,
      one,
      false,
      other,
    ]);
    expect([temporary?.index, temporary?.folder.stat(0).size, temporary?.mtimeMs]).toEqual([
      0,
      3,
      temporary?.folder.mtimeMs(0),
    ]);
    expect([[...table.folders], folder.names]).toEqual([[folder], ['a.txt']]);
  });

  test('returns the text of a file only while the stat of its row is the stat of the text', () => {
    const table = new FileTable(types);
    const folder = table.enter('/a');
    table.list(folder, table.walk('/a'), ['a.pdf']);
    const stat = { mtimeMs: 1, ctimeMs: 2, size: 3, ino: 4 };
    folder.setStat(0, stat, table.signatures);
    const text = { stat, bytes: Uint8Array.of(1) };
    table.texts.keep('/a/a.pdf', text);
    expect([table.textOf('/a/a.pdf'), table.textOf('/a/b.pdf')]).toEqual([text, undefined]);
    folder.setStat(0, { ...stat, size: 4 }, table.signatures);
    expect(table.textOf('/a/a.pdf')).toBeUndefined();
  });
});
