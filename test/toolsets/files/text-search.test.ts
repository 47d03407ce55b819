import { BroadcastChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { encodeAsUtf8 } from '../../../src/documents/encoding/decode.ts';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import { FolderTableRows } from '../../../src/toolsets/files/index/folder.ts';
import { createTrigramBuffer, createTrigramSignature } from '../../../src/toolsets/files/match/trigrams.ts';
import { FileCatalogue } from '../../../src/toolsets/files/query/catalogue.ts';
import { ContentSearch } from '../../../src/toolsets/files/query/content-search.ts';
import { countNeededResults } from '../../../src/toolsets/files/query/results.ts';
import { startCallTimeControl, type TimedCallControl } from '../../../src/toolsets/files/workers/control.ts';
import { FileReaderPool } from '../../../src/toolsets/files/workers/pool.ts';
import { createFolder } from './open-files.ts';

/**
 * In the worker of these tests the name of a file is its time, such as 1000.txt. All files except those with "un"
 * contain the phrase, and "never" does not end.
 */
const source = `
const { BroadcastChannel, parentPort, workerData } = require('node:worker_threads');
const jobs = new BroadcastChannel('oj-mcp-jobs');
parentPort.on('message', sent => {
  const task = sent.phrases.length > 0 ? 'search' : 'index';
  jobs.postMessage(task + (sent.isSigning ? ' signing ' : ' ') + sent.paths.split('\\0').map(file => file.slice(file.lastIndexOf('/') + 1)).join());
  const paths = sent.paths.split('\\0');
  const stats = new Float64Array(paths.length * 4);
  if (sent.paths.includes('never')) for (;;);
  paths.forEach((path, index) => {
    Atomics.store(workerData.state, 0, index);
    stats.set([parseInt(path.slice(path.lastIndexOf('/') + 1), 10), 1, 1, 1], index * 4);
  });
  const none = () => new Uint32Array(paths.length);
  parentPort.postMessage({
    done: paths.length, statuses: Uint8Array.from(paths, path => path.includes('un') ? 1 : 2),
    stats, signatures: new Uint8Array(0), signatureLengths: none(), texts: new Uint8Array(0), textLengths: none(), newWords: [], qualities: none(), closeness: none(), partly: none(), excerpts: [],
  });
});`;

interface Trial {
  control: TimedCallControl;
  search: ContentSearch;
  add: (name: string, signedText?: string) => void;
}

function createSearch(): Trial {
  const readers = new FileReaderPool(source, 1);
  const table = new FileTable(createFileTypeTable());
  const control = startCallTimeControl(60_000, () => {});
  const search = new ContentSearch(table, readers, '/', ['phrase'], control);
  search.start();
  onTestFinished(async () => {
    control.settle();
    search.leave();
    await readers.close();
  });
  return {
    control,
    search,
    add(name, signedText) {
      const folder = new FolderTableRows(`/${name}`);
      folder.list({}, [name], table.signatures);
      if (signedText !== undefined) {
        const signature = table.signatures.add(
          createTrigramSignature([encodeAsUtf8(signedText)], createTrigramBuffer()),
        );
        folder.setStat(0, { mtimeMs: Number.parseInt(name, 10), ctimeMs: 1, size: 1, ino: 1 }, table.signatures);
        folder.setSignature(0, signature, table.signatures);
      }
      search.consider(folder, 0);
    },
  };
}

const found = ({ hits }: ContentSearch): string[] => hits.map(({ folder }) => folder.names[0] ?? '').sort();

test('a text search with enough results for the page continues while newer files are not read', async () => {
  const { search, add } = createSearch();
  for (let time = 1; time <= 20; time++) add(`${time}.txt`);
  add('1000.txt', 'a phrase');
  await search.readCandidates(2);
  await search.finish();
  expect(found(search)).toHaveLength(21);
  expect(search.engine).toBe('scan');
});

test('a text search ends when it has enough results that are newer than all files that were not read', async () => {
  const { search, add } = createSearch();
  for (let time = 1000; time < 1500; time++) add(`${time}.txt`, 'a phrase');
  await search.readCandidates(3);
  await search.finish();
  expect(search.hits.length).toBeGreaterThanOrEqual(3);
  expect(search.hits.length).toBeLessThan(50);
  expect(found(search)).toContain('1499.txt');
  expect(search.engine).toBe('index');
});

test('a text search reads an indexed file only if its trigram signature can contain the phrase', async () => {
  const { search, add } = createSearch();
  add('1.txt', 'something else altogether');
  add('2.un.txt', 'a phrase, says the signature');
  add('3.txt', 'a phrase');
  await search.readCandidates(10);
  await search.finish();
  expect(found(search)).toEqual(['3.txt']);
});

test.each([
  [0, 100, 101],
  [0, 1, 2],
  [200, 50, 251],
])(
  'countNeededResults for a page at offset %d with limit %d returns %d: all earlier results, the page and one more',
  (offset, limit, needed) => {
    expect(countNeededResults({ offset, limit })).toBe(needed);
  },
);

test('a text search that was cancelled does not wait for its workers and returns the files that were not read', async () => {
  const { search, control, add } = createSearch();
  add('never.txt');
  const finished = search.finish();
  control.cancel();
  await finished;
  expect(search.hits).toEqual([]);
  expect(search.leave().size).toBe(1);
});

test('a text search starts no job for a cancelled call', async () => {
  const readers = new FileReaderPool(source, 1);
  const catalogue = new FileCatalogue(createFileTypeTable(), readers);
  const jobs: string[] = [];
  const channel = new BroadcastChannel('oj-mcp-jobs');
  const isTold = new Promise<void>(resolve => {
    channel.onmessage = ({ data }: { data: unknown }) => {
      jobs.push(String(data));
      if (jobs.at(-1)?.startsWith('index ') === true) resolve();
    };
  });
  onTestFinished(async () => {
    channel.close();
    await readers.close();
  });
  const [cancelled, complete] = [createFolder({ '1.txt': 'x' }), createFolder({ '2.txt': 'x' })];
  const search = async (scope: string, isCancelled: boolean): Promise<number> => {
    const control = startCallTimeControl(60_000, () => {});
    if (isCancelled) control.cancel();
    const page = { offset: 0, limit: 10 };
    const query = { phrase: 'phrase' };
    const { hitCount } = await catalogue.find(
      { kind: 'find', scope, root: scope, query, page, excerpts: false, externalHits: [] },
      control,
    );
    control.settle();
    return hitCount;
  };
  await search(cancelled, true);
  await search(complete, false);
  await isTold;
  expect(jobs).toEqual(['search signing 2.txt', 'index signing 2.txt']);
  // The result is incomplete, because the listing of the folder tree was interrupted.
  expect(await search(cancelled, false)).toBe(1);
});
