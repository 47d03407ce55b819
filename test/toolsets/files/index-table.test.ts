import { afterEach, describe, expect, test, vi } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { createSkippedFileCounts } from '../../../src/toolsets/files/access/skip.ts';
import { computeIndexCoverage } from '../../../src/toolsets/files/index/coverage.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import {
  type FolderTableRows,
  fileIndexStateNames,
  hasSameTableRow,
  needsIndexing,
  type TableFile,
  tableFileAt,
} from '../../../src/toolsets/files/index/folder.ts';
import { PriorityQueues } from '../../../src/toolsets/files/index/priority-queues.ts';
import { ExtractedTextStore } from '../../../src/toolsets/files/index/text-store.ts';
import { IndexVocabulary } from '../../../src/toolsets/files/index/vocabulary.ts';
import { PartialResultCache, type SearchCheckpoint } from '../../../src/toolsets/files/query/partial-results.ts';
import { Generator, pieces } from '../../support/generator.ts';
import { createFolder } from './open-files.ts';

const types = createFileTypeTable();
const names = pieces('a.txt¦b.md¦c.html¦d.eml¦e.pdf¦f.docx¦g.png¦h.rtf¦i.csv¦j.odt');

function folderIn(table: FileTable, place = '/root'): FolderTableRows {
  const folder = table.enter(place);
  folder.list({}, names, table.signatures);
  return folder;
}

const namesOf = (files: readonly TableFile[]): string => files.map(({ path }) => path.slice(-5)).join(' ');

/** Lists the files that generated operations put into queues and take from them. */
function listQueueOperations(seed: number): string {
  const random = new Generator(seed);
  const table = new FileTable(types);
  const folder = folderIn(table);
  const queues = new PriorityQueues(table);
  const lines: string[] = [];
  let taken: TableFile[] = [];
  for (let count = 0; count < 40; count++) {
    const index = random.below(names.length);
    const queue = queues.inOrder[random.below(6)] ?? queues.first;
    const kind = random.below(7);
    if (kind === 0) folder.setState(index, random.pick(fileIndexStateNames), table.signatures);
    else if (kind < 3) queues.add(folder, index);
    else if (kind === 3) queue.add(folder, index);
    else if (kind === 4) queue.putBack(taken.slice(0, 2));
    else if (kind === 5) table.documentsInProgress.delete(taken[0]?.path ?? '');
    else {
      const known: TableFile[] = [];
      taken = queues.take(queue, 1 + random.below(3), file => known.push(file));
      const inProgress = [...table.documentsInProgress].map(
        ([path, isSlow]) => `${path.slice(-5)}${isSlow ? '!' : ''}`,
      );
      lines.push(
        [queues.inOrder.indexOf(queue), namesOf(taken), namesOf(known), inProgress.join(' '), queues.size].join(' | '),
      );
    }
    if (random.below(30) === 0) folder.list({}, names.slice(0, 4 + random.below(6)), table.signatures);
  }
  return `${lines.join('\n')}\n`;
}

test('the queues of files return the approved files for generated operations', async () => {
  const lists = Array.from({ length: 40 }, (_, seed) => listQueueOperations(seed));
  await expect(lists.join('\n')).toMatchFileSnapshot('approved/queues.txt');
});

test('a job has at most 128 texts or 8 documents, and an equal share of the files that are read first', () => {
  const table = new FileTable(types);
  const folder = table.enter('/root');
  folder.list(
    {},
    Array.from({ length: 300 }, (_, index) => `${index}.${index < 150 ? 'txt' : 'pdf'}`),
    table.signatures,
  );
  const queues = new PriorityQueues(table);
  for (let index = 0; index < 300; index++) queues.add(folder, index);
  const count = (queue: PriorityQueues['first'], readers = 1): number => queues.take(queue, readers, () => {}).length;
  expect([queues.texts.size, queues.documents.size]).toEqual([150, 150]);
  expect([count(queues.texts), count(queues.documents), count(queues.texts), count(queues.texts)]).toEqual([
    128, 8, 22, 0,
  ]);
  for (let index = 0; index < 150; index++) queues.first.add(folder, index);
  expect([count(queues.first, 4), count(queues.first, 1), count(queues.first, 3)]).toEqual([38, 112, 0]);
});

describe('a folder in the index', () => {
  test('keeps the rows of the files that still exist', () => {
    const table = new FileTable(types);
    const folder = folderIn(table);
    const stat = { mtimeMs: 5, ctimeMs: 6, size: 7, ino: 8 };
    for (const [index] of names.entries()) folder.setStat(index, { ...stat, size: index }, table.signatures);
    const reference = table.signatures.add(new Uint8Array(8).fill(3));
    folder.setSignature(4, reference, table.signatures);
    folder.setType(4, 9);
    const before = tableFileAt(folder, 4);
    folder.list({}, ['new.txt', 'e.pdf', 'a.txt'], table.signatures);
    expect([folder.state(1), folder.signature(1), folder.type(1), folder.stat(1).size]).toEqual([
      'indexed',
      reference,
      9,
      4,
    ]);
    expect([folder.state(0), folder.stat(0).size, folder.stat(2)]).toEqual(['unknown', 0, { ...stat, size: 0 }]);
    expect([hasSameTableRow(before), hasSameTableRow(tableFileAt(folder, 1)), folder.foldedNames]).toEqual([
      false,
      true,
      'new.txt e.pdf a.txt',
    ]);
    folder.setStat(1, { ...stat, size: 4 }, table.signatures);
    expect(folder.state(1)).toBe('indexed');
    for (const change of [{ mtimeMs: 1 }, { ctimeMs: 1 }, { size: 1 }, { ino: 1 }]) {
      folder.setStat(1, { ...stat, size: 4 }, table.signatures);
      folder.setSignature(1, reference, table.signatures);
      folder.setStat(1, { ...stat, size: 4, ...change }, table.signatures);
      expect([folder.state(1), folder.type(1), folder.signature(1)]).toEqual(['unknown', 0, 0]);
    }
    folder.setState(1, 'gone', table.signatures);
    folder.setStat(1, folder.stat(1), table.signatures);
    expect([
      folder.state(1),
      table.find('/root/e.pdf')?.index,
      table.find('/root/b.md'),
      table.find('/x/e.pdf'),
    ]).toEqual(['unknown', 1, undefined, undefined]);
  });

  test('counts as indexed except for files that must be read', () => {
    expect(fileIndexStateNames.filter(needsIndexing)).toEqual(['unknown', 'unreadable', 'read', 'slow']);
    const table = new FileTable(types);
    const walk = table.walk('/nonexistent');
    expect(computeIndexCoverage(table, walk)).toEqual({ fileCount: 0, share: 1 });
    const folder = folderIn(table);
    walk.listed.push(folder);
    for (const index of [0, 1, 6]) folder.setState(index, 'binary', table.signatures);
    expect(computeIndexCoverage(table, walk).share).toBeCloseTo(2 / 9);
  });
});

test('tidy evicts the oldest folder tree above the limit of files, and frees the signatures of its files', () => {
  const table = new FileTable(types, 3);
  const walks = ['one', 'two'].map(name => {
    const walk = table.walk(createFolder({ 'a.txt': name, 'b.txt': name }));
    while (!walk.isComplete) walk.step();
    return walk;
  });
  const folders = walks.flatMap(({ listed }) => listed);
  for (const [number, folder] of folders.entries())
    for (const index of [0, 1])
      folder.setSignature(index, table.signatures.add(new Uint8Array(8).fill(number + 1)), table.signatures);
  expect([table.signatures.bytes, [...table.walks].length, [...table.folders].length]).toEqual([32, 2, 2]);
  const last = walks[1];
  if (last === undefined) throw new Error('there is no second folder tree');
  expect(table.tidy(last)).toBe(false);
  expect([table.signatures.bytes, [...table.walks], [...table.folders]]).toEqual([16, [last], [folders[1]]]);
  const signatures = [0, 1].map(index => table.signatures.get(folders[1]?.signature(index) ?? 0)[0]);
  expect(signatures).toEqual([2, 2]);
});

test('the store of extracted texts evicts the oldest texts above 64 MiB, and keeps no text above 16 MiB', () => {
  const store = new ExtractedTextStore();
  const stat = { mtimeMs: 1, ctimeMs: 2, size: 3, ino: 4 };
  const keep = (path: string, bytes: number): void => store.keep(path, { stat, bytes: new Uint8Array(bytes) });
  const paths = (): string => Array.from(store.entries, ([path]) => path).join('');
  const [quarter, mebibyte] = [16 << 20, 1 << 20];
  for (const path of 'abcd') keep(path, quarter);
  expect([paths(), store.bytes]).toEqual(['abcd', 4 * quarter]);
  keep('e', 1);
  expect([paths(), store.bytes]).toEqual(['bcde', 3 * quarter + 1]);
  keep('b', quarter + 1);
  expect([paths(), store.has('b'), store.has('c')]).toEqual(['cde', false, true]);
  keep('c', mebibyte);
  expect([paths(), store.bytes]).toEqual(['dec', quarter + 1 + mebibyte]);
  store.forget('none');
  store.forget('d');
  expect([store.find('c', stat)?.bytes.length, store.bytes]).toEqual([mebibyte, 1 + mebibyte]);
  for (const change of [{ mtimeMs: 9 }, { ctimeMs: 9 }, { size: 9 }, { ino: 9 }])
    expect(store.find('c', { ...stat, ...change })).toBeUndefined();
});

test('the vocabulary keeps at most 200,000 words', () => {
  const words = new IndexVocabulary();
  words.add(Array.from({ length: 199_999 }, (_, index) => `w${index}`));
  words.add(['last', 'one too many']);
  expect([words.size, words.has('last'), words.has('one too many'), words[Symbol.iterator]().next().value]).toEqual([
    200_000,
    true,
    false,
    'w0',
  ]);
});

describe('the cache of incomplete results', () => {
  afterEach(() => void vi.useRealTimers());

  function checkpointOf(table: FileTable, scope: string): SearchCheckpoint {
    return {
      walk: table.walk(scope),
      at: { folders: 0, files: 0 },
      left: undefined,
      skipped: createSkippedFileCounts(),
      engine: 'scan',
    };
  }

  test('returns a checkpoint once, within 30 seconds or while the list of the folder is the same', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const table = new FileTable(types);
    const cache = new PartialResultCache();
    const checkpoint = checkpointOf(table, '/nonexistent');
    const other = table.walk('/other');
    const hits = [
      { path: '/a', mtimeMs: 1, matched: 'name' as const },
      { path: '/b', mtimeMs: 2, ctimeMs: 3 },
    ];
    cache.keep('key', hits, checkpoint);
    expect(cache.find('key')?.hits).toEqual([
      { path: '/b', mtimeMs: 2, ctimeMs: 3 },
      { path: '/a', mtimeMs: 1 },
    ]);
    vi.advanceTimersByTime(29_999);
    expect(cache.takeCheckpoint('key', () => other)).toBe(checkpoint);
    expect(cache.takeCheckpoint('key', () => other)).toBeUndefined();
    expect(cache.takeCheckpoint('none', () => other)).toBeUndefined();
    cache.keep('key', hits, checkpoint);
    vi.advanceTimersByTime(30_000);
    expect(cache.takeCheckpoint('key', () => other)).toBeUndefined();
    cache.keep('key', hits, checkpoint);
    vi.advanceTimersByTime(30_000);
    expect(cache.takeCheckpoint('key', () => checkpoint.walk)).toBe(checkpoint);
  });

  test('keeps the results of the last 16 queries', () => {
    const cache = new PartialResultCache();
    const checkpoint = checkpointOf(new FileTable(types), '/nonexistent');
    for (let count = 0; count < 16; count++) cache.keep(`${count}`, [], checkpoint);
    cache.keep('0', [], checkpoint);
    expect(cache.find('1')).toBeDefined();
    cache.keep('16', [], checkpoint);
    expect([cache.find('0'), cache.find('1'), cache.find('2')].map(result => result !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
    cache.forget('2');
    expect(cache.find('2')).toBeUndefined();
  });
});
