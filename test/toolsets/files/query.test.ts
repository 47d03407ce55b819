import { BroadcastChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { Catalogue } from '../../../src/toolsets/files/io/catalogue/catalogue.ts';
import { type Entry, setStat } from '../../../src/toolsets/files/io/catalogue/entry.ts';
import { Listings } from '../../../src/toolsets/files/io/catalogue/listings.ts';
import { Query } from '../../../src/toolsets/files/io/catalogue/text-search.ts';
import { type OpenControl, openControl } from '../../../src/toolsets/files/io/threads/control.ts';
import { ReaderPool } from '../../../src/toolsets/files/io/threads/reader-pool.ts';
import { createFileTypes } from '../../../src/toolsets/files/model/file-type.ts';
import { neededResults } from '../../../src/toolsets/files/model/page.ts';
import { asText } from '../../../src/toolsets/files/model/search/decode.ts';
import { createSignature, createSignatureDesk } from '../../../src/toolsets/files/model/search/signature.ts';
import { createFolder } from './room.ts';

/** A reader for files that are named after their time, like 1000.txt: all of them hold the phrase but those with "un"; it never comes back from "never". */
const source = `
const { BroadcastChannel, parentPort, workerData } = require('node:worker_threads');
const jobs = new BroadcastChannel('oj-mcp-jobs');
parentPort.on('message', sent => {
  jobs.postMessage(sent.kind + (sent.kind === 'match' && sent.isSigning ? ' signing ' : ' ') + sent.fence);
  const job = { paths: sent.paths === '' ? [] : sent.paths.split('\\0') };
  const stats = new Float64Array(job.paths.length * 4);
  if (sent.paths.includes('never')) for (;;);
  job.paths.forEach((path, index) => {
    Atomics.store(workerData.state, 0, index);
    stats.set([parseInt(path.slice(1), 10), 1, 1, 1], index * 4);
  });
  parentPort.postMessage({
    statuses: Uint8Array.from(job.paths, path => path.includes('un') ? 1 : 2),
    stats, signatures: new Uint8Array(0), signatureLengths: new Uint32Array(job.paths.length),
  });
});`;

function createQuery(): {
  control: OpenControl;
  query: Query;
  add: (name: string, signedText?: string) => Entry;
} {
  const readers = new ReaderPool(source, 1, 100_000);
  const listings = new Listings(createFileTypes());
  const control = openControl(60_000, () => {});
  onTestFinished(async () => {
    control.settle();
    await readers.close();
  });
  const query = new Query('/', 'phrase', control, listings, readers);
  return {
    control,
    query,
    add(name, signedText) {
      const entry = listings.enter(`/${name}`);
      if (signedText !== undefined) {
        setStat(entry, { mtimeMs: Number.parseInt(name, 10), ctimeMs: 1, size: 1, ino: 1 }, 0);
        entry.content = createSignature([asText(signedText)], createSignatureDesk());
      }
      query.consider(entry);
      return entry;
    },
  };
}

const sorted = (hits: readonly { path: string }[]): string[] => hits.map(({ path }) => path).sort();

test('hits that are older than what is still to be read do not end a search', async () => {
  const { query, add } = createQuery();
  for (let time = 1; time <= 20; time++) add(`${time}.txt`);
  add('1000.txt', 'a phrase');
  expect(sorted(await query.finish(2))).toContain('/1000.txt');
  expect(query.engine).toBe('scan');
});

test('enough hits that are newer than the rest do, and the rest is not read', async () => {
  const { query, add } = createQuery();
  for (let time = 1000; time < 1500; time++) add(`${time}.txt`, 'a phrase');
  const hits = await query.finish(3);
  expect(hits.length).toBeGreaterThanOrEqual(3);
  expect(hits.length).toBeLessThan(50);
  expect(sorted(hits)).toContain('/1499.txt');
  expect(query.engine).toBe('index');
});

test('a signature that denies the phrase spares the reading, one that admits it is checked', async () => {
  const { query, add } = createQuery();
  add('1.txt', 'something else altogether');
  add('2.un.txt', 'a phrase, says the signature');
  add('3.txt', 'a phrase');
  expect(sorted(await query.finish(10))).toEqual(['/3.txt']);
});

test.each([
  [0, 100, 101],
  [0, 1, 2],
  [200, 50, 251],
])(
  'a page at %d of %d needs %d hits: all before it, its own, and one that says that there is more',
  (offset, limit, needed) => {
    expect(neededResults({ offset, limit })).toBe(needed);
  },
);

test('a search whose call is over waits for no reader', async () => {
  const { query, control, add } = createQuery();
  add('never.txt');
  const finished = query.finish(1);
  control.cancel();
  expect(await finished).toEqual([]);
});

test('what a search has read is signed by the next one on the way', async () => {
  const readers = new ReaderPool(source, 1, 10_000);
  const listings = new Listings(createFileTypes());
  const entries = ['1un.txt', '2un.txt', '3un.docx'].map(name => listings.enter(`/${name}`));
  const jobs: string[] = [];
  const told = new BroadcastChannel('oj-mcp-jobs');
  told.onmessage = ({ data }: { data: unknown }) => void jobs.push(String(data));
  onTestFinished(async () => {
    told.close();
    await readers.close();
  });
  for (let turn = 0; turn < 2; turn++) {
    const control = openControl(60_000, () => {});
    const query = new Query('/', 'phrase', control, listings, readers);
    for (const entry of entries) query.consider(entry);
    await query.finish(10);
    control.settle();
  }
  await expect.poll(() => jobs).toHaveLength(4);
  expect(jobs).toEqual(['match /', 'match /', 'match signing /', 'match signing /']);
});

test('nothing is prepared for a call that was cancelled', async () => {
  const readers = new ReaderPool(source, 1, 10_000);
  const catalogue = new Catalogue(createFileTypes(), readers);
  const jobs: string[] = [];
  const told = new BroadcastChannel('oj-mcp-jobs');
  const isTold = new Promise<void>(resolve => {
    told.onmessage = ({ data }: { data: unknown }) => {
      jobs.push(String(data));
      if (jobs.at(-1)?.startsWith('sign ') === true) resolve();
    };
  });
  onTestFinished(async () => {
    told.close();
    await readers.close();
  });
  const [cancelled, complete] = [createFolder({ '1.txt': 'x' }), createFolder({ '1.txt': 'x' })];
  const search = async (scope: string, isCancelled: boolean): Promise<number> => {
    const control = openControl(60_000, () => {});
    if (isCancelled) control.cancel();
    const page = { offset: 0, limit: 10 };
    const found = await catalogue.search({ kind: 'search', scope, phrase: 'phrase', page }, control);
    control.settle();
    return found.hitCount;
  };
  await search(cancelled, true);
  await search(complete, false);
  await isTold;
  expect(jobs).toEqual([`match ${complete}`, `sign ${complete}`]);
  // What a walk that was broken off has seen is not taken for all there is.
  expect(await search(cancelled, false)).toBe(1);
});
