import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import { type FileIndexState, FolderTableRows, tableFileAt } from '../../../src/toolsets/files/index/folder.ts';
import { markUnparsedDocument, storeReaderResults } from '../../../src/toolsets/files/index/reader-results.ts';
import { TrigramSignatureStore } from '../../../src/toolsets/files/index/signature-store.ts';
import { ExtractedTextStore } from '../../../src/toolsets/files/index/text-store.ts';
import { createReaderAnswer, fileStatuses, type ReaderAnswer } from '../../../src/toolsets/files/workers/reader-job.ts';
import { createFolder, write } from './open-files.ts';

const stat = { mtimeMs: 1000, ctimeMs: 50_000, size: 10, ino: 7 };
const signature = new Uint8Array(8).fill(1);

function signed(): { folder: FolderTableRows; signatures: TrigramSignatureStore } {
  const signatures = new TrigramSignatureStore();
  const folder = new FolderTableRows('/root');
  folder.list({}, ['note.txt'], signatures);
  folder.setStat(0, stat, signatures);
  folder.setSignature(0, signatures.add(signature), signatures);
  return { folder, signatures };
}

describe('the index entry of a file', () => {
  test('is kept while the stat of the file is unchanged', () => {
    const { folder, signatures } = signed();
    folder.setStat(0, { ...stat }, signatures);
    expect(folder.state(0)).toBe('indexed');
  });

  test.each(['mtimeMs', 'ctimeMs', 'size', 'ino'] as const)('is deleted if only the stat field %s changes', key => {
    const { folder, signatures } = signed();
    folder.setStat(0, { ...stat, [key]: stat[key] + 1 }, signatures);
    expect(folder.state(0)).toBe('unknown');
  });

  test('is kept when other files of the folder are added and deleted', () => {
    const { folder, signatures } = signed();
    const known = folder.state(0);
    folder.list({}, ['a.txt', 'note.txt', 'z.txt'], signatures);
    expect([0, 1, 2].map(index => folder.state(index))).toEqual(['unknown', known, 'unknown']);
    expect(folder.stat(1)).toEqual(stat);
    folder.list({}, ['z.txt'], signatures);
    expect(folder.state(0)).toBe('unknown');
  });
});

test('TrigramSignatureStore returns each stored signature, also if it did not fit into the rest of a buffer', () => {
  const store = new TrigramSignatureStore();
  const numbers = Array.from({ length: 200 }, (_, index) =>
    store.add(new Uint8Array(1 << (3 + (index % 13))).fill(index)),
  );
  numbers.forEach((number, index) => {
    const bytes = store.get(number);
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([1 << (3 + (index % 13)), index, index]);
  });
});

test('a document that exceeded the CPU limit is not read again until it changes', () => {
  const root = createFolder({ 'slow.pdf': '%PDF' });
  const table = new FileTable(createFileTypeTable());
  const folder = table.enter(root);
  folder.list({}, ['slow.pdf'], table.signatures);
  markUnparsedDocument(table, tableFileAt(folder, 0));
  expect(folder.state(0)).toBe('unparsed');
  folder.readStat(0, table.signatures);
  expect(folder.state(0)).toBe('unparsed');
  write(root, 'slow.pdf', '%PDF-1.4');
  folder.readStat(0, table.signatures);
  expect(folder.state(0)).toBe('unknown');
});

describe('the result of a worker for a file', () => {
  const answer = (status: (typeof fileStatuses)[number], bytes = new Uint8Array(0)): ReaderAnswer => ({
    ...createReaderAnswer(1),
    statuses: Uint8Array.of(fileStatuses.indexOf(status)),
    stats: Float64Array.of(stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino),
    signatures: bytes,
    signatureLengths: Uint32Array.of(bytes.length),
  });
  const take = (given: ReaderAnswer, ageMs: number): FileIndexState => {
    const table = new FileTable(createFileTypeTable());
    const folder = table.enter('/root');
    folder.list({}, ['note.txt'], table.signatures);
    storeReaderResults(table, [tableFileAt(folder, 0)], given, stat.ctimeMs + ageMs, () => {});
    return folder.state(0);
  };

  test('is recorded if the file was last changed several seconds ago', () => {
    expect(take(answer('read', signature), 2100)).toBe('indexed');
    expect(take(answer('unparsed'), 2100)).toBe('unparsed');
    expect(take(answer('binary'), 2100)).toBe('binary');
    expect(take({ ...answer('match', signature), partly: Uint8Array.of(1) }, 2100)).toBe('partly');
  });

  test('is not recorded if the file was changed so recently that a further change could keep the same modification time', () => {
    for (const given of [answer('read', signature), answer('unparsed')]) {
      expect(take(given, 2099)).toBe('unknown');
      expect(take(given, -1)).toBe('unknown');
    }
  });

  test('is recorded without a stat if the file could not be read, so that the next search tries again', () => {
    expect(take({ ...answer('unreadable'), stats: new Float64Array(4) }, 9000)).toBe('unreadable');
  });
});

test('DocumentTextStore returns a cached text only for the same stat of the document, and evicts the oldest texts', () => {
  const store = new ExtractedTextStore();
  store.keep('/a', { stat, bytes: new Uint8Array(10) });
  expect(store.find('/a', stat)?.bytes).toHaveLength(10);
  expect(store.find('/a', { ...stat, ctimeMs: 1 })).toBeUndefined();
  for (let index = 0; index < 10; index++) store.keep(`/${index}`, { stat, bytes: new Uint8Array(10 << 20) });
  expect(store.bytes).toBeLessThanOrEqual(64 << 20);
  expect(store.find('/a', stat)).toBeUndefined();
  expect(store.find('/9', stat)).toBeDefined();
});

describe('a walk of the folder tree', () => {
  const names = (root: string, table: FileTable): string[] => {
    const walk = table.walk(root);
    while (!walk.isComplete) walk.step();
    return walk.listed.flatMap(folder => folder.names.map(name => path.relative(root, folder.place(name))));
  };

  test('visits folders breadth first, so that a large folder does not delay its siblings', () => {
    const root = createFolder({ 'z/taxes.txt': '' });
    for (let folder = 0; folder < 30; folder++) write(root, `a/${folder}/deep/er/x.txt`, '');
    const walk = new FileTable(createFileTypeTable()).walk(root);
    for (let step = 0; step < 3; step++) walk.step();
    expect(walk.listed.map(folder => path.relative(root, folder.path)).sort()).toEqual(['', 'a', 'z']);
    expect(walk.unvisited).toBe(30);
  });

  test('continues after an interruption, and is reused for some time when it is complete', () => {
    const root = createFolder({ 'a/x.txt': '', 'b/y.txt': '' });
    const table = new FileTable(createFileTypeTable());
    table.walk(root).step();
    expect(table.walk(root).listed).toHaveLength(1);
    expect(names(root, table).sort()).toEqual(['a/x.txt', 'b/y.txt']);
    expect(table.walk(root).listed).toHaveLength(3);
  });

  test('omits deleted files and finds moved files when it is repeated', () => {
    const root = createFolder({ 'a/x.txt': '', 'b/y.txt': '' });
    const table = new FileTable(createFileTypeTable());
    names(root, table);
    rmSync(path.join(root, 'a'), { recursive: true });
    mkdirSync(path.join(root, 'c'));
    renameSync(path.join(root, 'b/y.txt'), path.join(root, 'c/z.txt'));
    expect(names(root, new FileTable(createFileTypeTable()))).toEqual(['c/z.txt']);
  });

  test('visits all files although they exceed the size limit of the index, and keeps a part of them in the index', () => {
    const root = createFolder({ 'a/1.txt': '', 'a/2.txt': '', 'b/3.txt': '', 'b/4.txt': '' });
    const table = new FileTable(createFileTypeTable(), 3);
    expect(names(root, table)).toHaveLength(4);
    expect(table.tidy(table.walk(root))).toBe(true);
    expect([...table.folders].reduce((sum, folder) => sum + folder.names.length, 0)).toBeLessThanOrEqual(3);
    expect(names(root, table)).toHaveLength(4);
  });
});

test('the table of files caches the walks of the last sixteen scopes and evicts older ones', () => {
  const table = new FileTable(createFileTypeTable());
  for (let count = 0; count < 20; count++) table.tidy(table.walk(`/nowhere-${count}`));
  expect([...table.walks].map(({ scope }) => scope)).toEqual(
    Array.from({ length: 16 }, (_, index) => `/nowhere-${index + 4}`),
  );
});
