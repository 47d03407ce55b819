import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { FileCatalogue } from '../../../src/toolsets/files/query/catalogue.ts';
import type { FileQuery, SearchResultPage } from '../../../src/toolsets/files/query/protocol.ts';
import { type CallTimeControl, startCallTimeControl } from '../../../src/toolsets/files/workers/control.ts';
import { FileReaderPool } from '../../../src/toolsets/files/workers/pool.ts';
import { createFolder, openFiles, write } from './open-files.ts';

/**
 * In the worker of these tests all files except "other-…" contain the phrase, and "evil-…" ends the worker. The worker
 * appends the name of each file to "order". It reads "held.txt" only after "go" exists in the same folder. A document
 * ends the worker at a second attempt, after "go" exists next to "tried".
 */
const source = `
const { appendFileSync, existsSync, statSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { parentPort, workerData } = require('node:worker_threads');
parentPort.on('message', sent => {
  const paths = sent.paths.split('\\0');
  for (const [index, path] of paths.entries()) {
    Atomics.store(workerData.state, 0, index);
    const name = path.slice(dirname(path).length + 1);
    if (/^(evil|good|other)-/.test(name)) appendFileSync(dirname(path) + '/order', name + ' ');
    if (name.startsWith('evil-')) process.exit(1);
  }
  for (const [index, path] of paths.entries()) {
    if (!path.endsWith('.pdf')) continue;
    Atomics.store(workerData.state, 0, index);
    const [first, second, go] = ['first', 'tried', 'go'].map(name => dirname(path) + '/' + name);
    writeFileSync(existsSync(first) ? second : first, '');
    while (existsSync(second) && !existsSync(go)) Atomics.wait(workerData.state, 2, 0, 5);
    process.exit(1);
  }
  const none = () => new Uint32Array(paths.length);
  const stats = new Float64Array(paths.flatMap(path => (stat => [stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino])(statSync(path))));
  const held = paths.findIndex(path => path.endsWith('held.txt'));
  if (held !== -1) {
    const folder = dirname(paths[held]);
    writeFileSync(folder + '/tried', '');
    while (!existsSync(folder + '/go')) Atomics.wait(workerData.state, 2, 0, 5);
    stats.fill(1, held * 4, held * 4 + 4);
  }
  parentPort.postMessage({
    done: paths.length, statuses: Uint8Array.from(paths, path => path.includes('/other-') ? 1 : 2), stats,
    signatures: new Uint8Array(0), signatureLengths: none(), texts: new Uint8Array(0), textLengths: none(), newWords: [], qualities: none(), closeness: none(), partly: none(), excerpts: [],
  });
});`;

/**
 * Creates a call whose time limit passes after a number of tests of the limit, so that the speed of the machine has no
 * effect.
 */
function shortControl(patience: number): CallTimeControl {
  let [asked, isOver] = [0, false];
  let end = (): void => {};
  const over = new Promise<void>(resolve => {
    end = resolve;
  });
  return {
    get isOver() {
      if (!isOver && ++asked > patience) {
        isOver = true;
        end();
      }
      return isOver;
    },
    get isTimedOut() {
      return isOver;
    },
    remainingMs: 60_000,
    over,
    progress: () => {},
  };
}

/** Creates a call whose time limit passes when its first files are read, after a multiple of them, or immediately. */
function briefControl(isOverAtOnce: boolean, times = 1): CallTimeControl {
  let [isOver, left] = [isOverAtOnce, times];
  let end = (): void => {};
  const over = new Promise<void>(resolve => {
    end = resolve;
  });
  if (isOver) end();
  return {
    get isOver() {
      return isOver;
    },
    get isTimedOut() {
      return isOver;
    },
    remainingMs: 60_000,
    over,
    progress: () => {
      if (--left > 0) return;
      isOver = true;
      end();
    },
  };
}

function openCatalogue(): FileCatalogue {
  const readers = new FileReaderPool(source, 1);
  onTestFinished(() => readers.close());
  return new FileCatalogue(createFileTypeTable(), readers);
}

function requestOf(
  scope: string,
  query: FileQuery,
  offset = 0,
  externalHits: string[] = [],
): Parameters<FileCatalogue['find']>[0] {
  return { kind: 'find', scope, root: scope, query, page: { offset, limit: 1000 }, excerpts: false, externalHits };
}

function createCatalogue(): (
  scope: string,
  query: FileQuery,
  patience: number,
  offset?: number,
) => Promise<SearchResultPage> {
  const catalogue = openCatalogue();
  return async (scope, query, patience, offset) =>
    await catalogue.find(requestOf(scope, query, offset), shortControl(patience));
}

function createTree(folders: number): string {
  const root = createFolder();
  for (let folder = 0; folder < folders; folder++) {
    for (let file = 0; file < 3; file++) {
      write(root, `${folder}/${file}.txt`, 'needle', `2026-01-01T00:${String(folder % 60).padStart(2, '0')}:00Z`);
    }
  }
  return root;
}

const paths = ({ files }: SearchResultPage): string[] => files.map(file => file.path);

test.each([{ phrase: 'needle' }, { phrase: '*.txt', match: 'name' }, { kind: 'document' }] as const)(
  'a repeated call starts with the known results and finds more until the result is complete: %j',
  async query => {
    const root = createTree(40);
    const ask = createCatalogue();
    let before: string[] = [];
    let calls = 0;
    for (; calls < 200; calls++) {
      const found = await ask(root, query, 15 + calls);
      expect(paths(found)).toEqual(expect.arrayContaining(before));
      before = paths(found);
      if (!found.isTimedOut) break;
    }
    expect(before).toHaveLength(120);
    expect(calls).toBeGreaterThan(1);
  },
);

test('the results of an incomplete search stay in the result of the next call without reading unchanged files again', async () => {
  const root = createTree(60);
  const catalogue = openCatalogue();
  const request = requestOf(root, { phrase: 'needle' });
  const first = paths(await catalogue.find(request, briefControl(false)));
  expect(first).toHaveLength(128);
  const [changed = '', ...others] = first;
  write(root, path.relative(root, changed), 'something else', '2026-01-01T00:00:00Z');
  for (let call = 0; call < 3; call++)
    expect(paths(await catalogue.find(request, briefControl(true))).sort()).toEqual(others.toSorted());
  expect(paths(await catalogue.find(request, shortControl(100_000)))).toHaveLength(180);
});

test('files that were found by name stay in the complete result of a search in names and contents', async () => {
  const root = createFolder();
  for (let folder = 0; folder < 40; folder++)
    for (let file = 0; file < 3; file++) write(root, `${folder}/other-needle-${file}.txt`, 'x');
  const ask = createCatalogue();
  const query = { phrase: 'needle', match: 'any' } as const;
  let [found, calls] = [await ask(root, query, 15), 1];
  for (; found.isTimedOut && calls < 200; calls++) found = await ask(root, query, 15 + calls);
  expect(calls).toBeGreaterThan(1);
  expect(found).toMatchObject({ isTimedOut: false, hitCount: 120 });
});

test('later result pages are taken from the stored result of the first page', async () => {
  const root = createTree(40);
  const ask = createCatalogue();
  const query = { kind: 'document' } as const;
  const first = await ask(root, query, 15);
  expect(first.isTimedOut).toBe(true);
  const known = paths(first);
  const second = await ask(root, query, 10_000, 3);
  expect(second).toMatchObject({ isFromBefore: true, isTimedOut: true });
  expect(paths(second)).toEqual(known.slice(3));
  const whole = await ask(root, query, 100_000);
  expect(whole).toMatchObject({ isFromBefore: false, isTimedOut: false });
  expect(paths(await ask(root, query, 100_000, 3))).toEqual(paths(whole).slice(3));
});

async function openRealCatalogue(): Promise<FileCatalogue> {
  const { default: threadSource } = await import('worker:../../../src/toolsets/files/query/start-thread.ts');
  const readers = new FileReaderPool(threadSource, 1);
  onTestFinished(() => readers.close());
  return new FileCatalogue(createFileTypeTable(), readers);
}

test('a complete result contains the candidate files that an incomplete call with a smaller limit did not read', async () => {
  const root = createTree(40);
  const catalogue = await openRealCatalogue();
  const request = requestOf(root, { phrase: 'needle' });
  expect(paths(await catalogue.find(request, shortControl(100_000)))).toHaveLength(120);
  let incomplete = 0;
  for (let patience = 1; patience < 60; patience++) {
    const some = await catalogue.find({ ...request, page: { offset: 0, limit: 3 } }, shortControl(patience));
    if (some.isTimedOut && some.files.length === 3) incomplete++;
    expect(paths(await catalogue.find(request, shortControl(100_000)))).toHaveLength(120);
  }
  expect(incomplete).toBeGreaterThan(0);
});

test('an incomplete result without a matching file states how many files are indexed, also after a search by words', async () => {
  const root = createTree(40);
  const request = requestOf(root, { text: 'absent words', phrase: 'absent words' });
  const catalogue = await openRealCatalogue();
  const found = await catalogue.find(request, shortControl(43));
  expect(found).toMatchObject({ isTimedOut: true, hitCount: 0, indexed: { fileCount: expect.any(Number) } });
});

test('documents that incomplete calls could not read are counted in the complete result of a later call', async () => {
  const root = createTree(40);
  for (let folder = 0; folder < 40; folder++) write(root, `${folder}/opaque.pages`, 'x');
  const ask = createCatalogue();
  let [found, calls] = [await ask(root, { phrase: 'needle' }, 15), 1];
  for (; found.isTimedOut && calls < 200; calls++) found = await ask(root, { phrase: 'needle' }, 15 + calls);
  expect(new Set(paths(found)).size).toBe(found.files.length);
  expect(calls).toBeGreaterThan(1);
  expect(found).toMatchObject({ isTimedOut: false, engine: 'scan', skipped: { unparsed: 40 } });
});

test('a call waits for a document that a worker already reads for another call', async () => {
  const root = createFolder({ 'slow.pdf': 'x' });
  const catalogue = openCatalogue();
  const ask = (control: CallTimeControl): Promise<SearchResultPage> =>
    catalogue.find(requestOf(root, { phrase: 'needle' }), control);
  const impatient = startCallTimeControl(600_000, () => {});
  const first = ask(impatient);
  await expect.poll(() => existsSync(path.join(root, 'tried'))).toBe(true);
  impatient.cancel();
  impatient.settle();
  expect(await first).toMatchObject({ hitCount: 0, skipped: { unparsed: 0 } });
  const second = ask(shortControl(Number.POSITIVE_INFINITY));
  write(root, 'go', '');
  expect(await second).toMatchObject({ isTimedOut: false, skipped: { unparsed: 1 } });
});

test('search keeps the results of files whose folder is listed again by another call', async () => {
  const base = createFolder();
  const root = path.join(base, 'root');
  for (let file = 0; file < 5; file++) write(root, `a${file}.txt`, 'x', '2020-01-01T00:00:00Z');
  write(root, 'held.txt', 'x');
  const catalogue = openCatalogue();
  const slow = catalogue.find(requestOf(root, { phrase: 'needle' }), shortControl(Number.POSITIVE_INFINITY));
  await expect.poll(() => existsSync(path.join(root, 'tried'))).toBe(true);
  for (let file = 0; file < 5; file++) rmSync(path.join(root, `a${file}.txt`));
  const names = requestOf(base, { phrase: '*.txt', match: 'name' });
  expect(paths(await catalogue.find(names, shortControl(Number.POSITIVE_INFINITY)))).toEqual([
    path.join(root, 'held.txt'),
  ]);
  write(root, 'go', '');
  expect(paths(await slow)).toEqual([path.join(root, 'held.txt')]);
});

test('the next call continues in a folder with many files at the file where the previous call stopped', async () => {
  const root = createFolder();
  for (let file = 0; file < 640; file++) write(root, `${file}.txt`, 'x');
  for (let file = 0; file < 10; file++) write(root, `${file}.pages`, 'x');
  const ask = createCatalogue();
  for (const query of [{ phrase: 'needle' }, { phrase: '*.txt', match: 'name' }] as const) {
    let [found, calls] = [await ask(root, query, 8), 1];
    for (; found.isTimedOut && calls < 200; calls++) found = await ask(root, query, 8 + calls);
    expect(calls).toBeGreaterThan(1);
    expect(found).toMatchObject({ isTimedOut: false, hitCount: 640, isTruncated: false });
    expect(new Set(paths(found)).size).toBe(640);
    expect(found.skipped.unparsed).toBe('match' in query ? 0 : 10);
  }
});

test('files that only Spotlight has found are added to the result after they were tested', async () => {
  const root = createFolder({ 'a.pdf': 'x' });
  const catalogue = openCatalogue();
  // The clock is constant, so that the list of the folder tree is always reused.
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const ask = async (...externalHits: string[]): Promise<SearchResultPage> =>
    await catalogue.find(requestOf(root, { kind: 'pdf' }, 0, externalHits), shortControl(Number.POSITIVE_INFINITY));
  expect(await ask()).toMatchObject({ engine: 'scan', hitCount: 1 });
  const late = write(root, 'deep/late.pdf', 'x', '2020-01-01T00:00:00Z');
  const found = await ask(late, path.join(root, 'a.pdf'), path.join(root, 'gone.pdf'));
  expect(paths(found)).toEqual([path.join(root, 'a.pdf'), late]);
  expect(found.engine).toBe('mdfind');
});

test('a search with a short time limit finds a file although another folder next to it is very large', async () => {
  const root = createFolder({ 'Documents/taxes.txt': 'needle' });
  for (let file = 0; file < 3000; file++) write(root, `Library/Caches/${file % 30}/${file}.txt`, 'x');
  const ask = createCatalogue();
  const found = await ask(root, { phrase: 'taxes', match: 'name' }, 8);
  expect(paths(found).map(file => path.basename(file))).toEqual(['taxes.txt']);
  expect(found.isTimedOut).toBe(true);
});

test('an incomplete search result states that it is incomplete and names the next step', async () => {
  const root = createTree(60);
  const opened = await openFiles({ 'files-root': [root], 'files-timeout-ms': '1' });
  const outcome = await opened.call('search', { query: 'needle', scope: root });
  expect(outcome.structured).toMatchObject({ timedOut: true });
  expect(outcome.texts.slice(1)).toEqual([
    expect.stringMatching(/^Not complete: the time \(0\.001 s\) was up.*Ask the same again/),
  ]);
});

test('a slow HTML page or mail does not delay the search in text files, because it is read after them', async () => {
  const evil = ['evil-a.txt', 'evil-b.html', 'evil-c.eml', 'evil-d.docx'];
  const good = ['good-e.txt', 'good-f.html', 'good-g.docx'];
  const root = createFolder(Object.fromEntries([...evil, ...good].map(name => [name, 'x'])));
  const request = requestOf(root, { phrase: 'needle' });
  const found = await openCatalogue().find(request, shortControl(Number.POSITIVE_INFINITY));
  expect(paths(found).map(file => path.basename(file))).toEqual(expect.arrayContaining(good));
  expect(found).toMatchObject({ isTimedOut: false, skipped: { unparsed: 4 } });
  const order = readFileSync(path.join(root, 'order'), 'utf8').trim().split(' ');
  const firstTries = evil.map(name => order.indexOf(name));
  const secondTries = evil.map(name => order.lastIndexOf(name));
  expect(secondTries).not.toEqual(expect.arrayContaining(firstTries));
  expect(Math.min(...secondTries)).toBeGreaterThan(Math.max(...good.map(name => order.lastIndexOf(name))));
  // Text files must be read before files that are parsed as documents.
  expect(order.indexOf('good-e.txt')).toBeLessThan(
    Math.min(...['evil-b.html', 'evil-c.eml'].map(name => order.indexOf(name))),
  );
});

test('repeated calls complete a search although 20 seconds pass between the calls', async () => {
  const root = createFolder();
  for (let file = 0; file < 500; file++) write(root, `${file % 5}/other-${file}.txt`, 'x');
  const catalogue = openCatalogue();
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const request = requestOf(root, { phrase: 'needle' });
  let calls = 1;
  while ((await catalogue.find(request, briefControl(false))).isTimedOut && calls < 20) {
    calls++;
    now += 20_000;
  }
  expect(calls).toBe(5);
});

test('the next call uses the index entries that a cancelled call has created', async () => {
  const root = createFolder();
  for (let file = 0; file < 300; file++) write(root, `other-${file}.txt`, 'x');
  const catalogue = openCatalogue();
  const request = requestOf(root, { phrase: 'needle' });
  const cancelled = startCallTimeControl(600_000, () => cancelled.cancel());
  await catalogue.find(request, cancelled);
  cancelled.settle();
  expect(await catalogue.find(request, shortControl(Number.POSITIVE_INFINITY))).toMatchObject({ isTimedOut: false });
  const read = readFileSync(path.join(root, 'order'), 'utf8').trim().split(' ');
  expect(read.filter(name => name.startsWith('other-')).length).toBe(300);
});

test('a search that read all files and found no phrase is complete, even if the time limit ends before single words are searched', async () => {
  const root = createFolder({ 'other-1.txt': 'x', 'other-2.txt': 'x' });
  const found = await openCatalogue().find(requestOf(root, { phrase: 'two words' }), briefControl(false, 2));
  expect(found).toMatchObject({ hitCount: 0, isTimedOut: false, skipped: { unread: 0 } });
});
