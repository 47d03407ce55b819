import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SearchResultPage } from '../../../src/toolsets/files/query/protocol.ts';
import { type CallTimeControl, startCallTimeControl } from '../../../src/toolsets/files/workers/control.ts';
import { openCatalogue, paths, requestOf, shortControl } from './limited-calls.ts';
import { createFolder, write } from './open-files.ts';

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
