import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SearchResultPage } from '../../../src/toolsets/files/query/protocol.ts';
import {
  briefControl,
  createCatalogue,
  createTree,
  openCatalogue,
  openRealCatalogue,
  paths,
  requestOf,
  shortControl,
} from './limited-calls.ts';
import { createFolder, openFiles, write } from './open-files.ts';

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

test('a search that read all files and found no phrase is complete, even if the time limit ends before single words are searched', async () => {
  const root = createFolder({ 'other-1.txt': 'x', 'other-2.txt': 'x' });
  const found = await openCatalogue().find(requestOf(root, { phrase: 'two words' }), briefControl(false, 2));
  expect(found).toMatchObject({ hitCount: 0, isTimedOut: false, skipped: { unread: 0 } });
});
