import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { zip } from '../../documents/zip.ts';
import { times } from '../../support/repetitions.ts';
import { createFolder, openFiles, rowsOf, write } from './open-files.ts';

/** Creates a random number generator that yields the same numbers in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const vocabulary = [
  'tree',
  'Tree',
  'graph',
  'café',
  'cafe\u0301',
  'CAFÉ',
  'naïve',
  'zeta',
  'Queue',
  'queueing',
  'x',
  'σίγμα',
  'ΣΊΓΜΑ',
  'straße',
  '日本',
  'of',
  'the',
  'lazy',
  'propagation',
  'a_b',
  '"',
  '*',
];
const gaps = [' ', ' ', ' ', '\n', '  ', '\t', '\r\n', '\u00a0', ', '];

/** Case-folds a text in a simple way, which computes the expected results of the test. */
const plainly = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ').replace(/\s+/gu, ' ');

test('hundreds of searches while files are changed return the same results as a full scan', {
  timeout: 1_200_000,
}, async () => {
  const random = createRandom(7);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[random(items.length)];
  const sentence = (): string =>
    Array.from({ length: 3 + random(40) }, () => `${pick(vocabulary)}${pick(gaps)}`).join('');
  const root = createFolder();
  const documents = new Map<string, string>();
  const changedAt = new Map<string, number>();

  const put = (name: string): void => {
    const text = sentence();
    documents.delete(name);
    if (name.endsWith('.docx')) {
      documents.set(name, text);
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      write(root, name, zip({ 'word/document.xml': `<w:p><w:t>${escaped}</w:t></w:p>` }));
    } else if (name.endsWith('.w')) write(root, name, Buffer.from(`\ufeff${text}`, 'utf16le'));
    else write(root, name, text);
    changedAt.set(name, performance.now());
  };
  const names = Array.from(
    { length: 300 },
    (_, index) => `${['', 'a/', 'a/b/', 'c/'][index % 4]}${index}.${['txt', 'md', 'docx', 'w', 'c'][index % 5]}`,
  );
  for (const name of names) put(name);

  const change = (): void => {
    const name = pick(names) ?? '';
    const file = path.join(root, name);
    switch (random(6)) {
      case 0:
        rmSync(file, { force: true });
        changedAt.set(name, performance.now());
        break;
      case 1: {
        // The file is restored to its old size and modification time, so that only its change time (ctime) differs.
        if (!changedAt.has(name) || documents.has(name) || name.endsWith('.w')) return;
        const before = statSync(file, { throwIfNoEntry: false });
        if (before === undefined) return;
        write(root, name, readFileSync(file, 'latin1').split('').reverse().join('').slice(0, before.size));
        utimesSync(file, before.atime, before.mtime);
        changedAt.set(name, performance.now());
        break;
      }
      case 2: {
        const other = pick(names) ?? '';
        if (path.extname(other) !== path.extname(name) || statSync(file, { throwIfNoEntry: false }) === undefined)
          return;
        renameSync(file, path.join(root, other));
        const text = documents.get(name);
        if (text === undefined) documents.delete(other);
        else documents.set(other, text);
        for (const moved of [name, other]) changedAt.set(moved, performance.now());
        break;
      }
      default:
        put(name);
    }
  };
  /** Returns the folded text of each file. Only the files that `isChanged` selects are read, others have the known text. */
  const contents = (
    known = new Map<string, string>(),
    isChanged: (name: string) => boolean = () => true,
  ): Map<string, string> => {
    const all = new Map<string, string>();
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const name = path.relative(root, path.join(entry.parentPath, entry.name));
      const text = isChanged(name) ? undefined : known.get(name);
      all.set(name, text ?? textOf(name));
    }
    return all;
  };
  const textOf = (name: string): string => {
    const bytes = readFileSync(path.join(root, name));
    const raw = name.endsWith('.w') ? bytes.toString('utf16le').slice(1) : new TextDecoder().decode(bytes);
    return plainly(documents.get(name) ?? raw);
  };

  const opened = await openFiles({ 'files-root': [root] });
  // The list of a folder tree is reused for two seconds, or for three times the duration of listing it.
  const turns = times(250, 1000);
  let windowMs = 2000;
  let after = contents();
  const missed: string[] = [];
  let [hits, byIndex, missedYoung] = [0, 0, 0];
  for (let turn = 0; turn < turns; turn++) {
    const before = after;
    const source = pick([...before.values()]) ?? '';
    const start = random(Math.max(1, source.length - 12));
    const query = random(5) === 0 ? sentence().slice(0, 1 + random(8)) : source.slice(start, start + 1 + random(14));
    const phrase = plainly(query.toWellFormed()).trim();
    if (phrase === '') continue;
    const startedAt = performance.now();
    const asked = opened.call('search', { query, scope: root, limit: 1000 });
    for (let count = random(4); count > 0; count--) change();
    const outcome = await asked;
    windowMs = Math.max(windowMs, 3 * (performance.now() - startedAt));
    after = contents(before, name => (changedAt.get(name) ?? 0) >= startedAt);
    expect(outcome.isError, outcome.text).toBe(false);
    // Rows with the key "matched" are excluded, because the search by words found them and not the search for the
    // phrase.
    const rows = rowsOf(outcome).filter(row => row['matched'] === undefined);
    const found = new Set(rows.map(row => path.relative(root, String(row['_path']))));
    if (outcome.structured?.['engine'] === 'index') byIndex++;
    hits += found.size;
    for (const name of found) {
      const isTrue =
        before.get(name)?.includes(phrase) === true ||
        after.get(name)?.includes(phrase) === true ||
        (changedAt.get(name) ?? 0) >= startedAt;
      expect(isTrue, `turn ${turn}: ${name} does not hold ${JSON.stringify(phrase)}`).toBe(true);
    }
    for (const [name, text] of after) {
      if (!text.includes(phrase) || found.has(name)) continue;
      const ageMs = startedAt - (changedAt.get(name) ?? 0);
      if (ageMs < windowMs) missedYoung++;
      else missed.push(`turn ${turn}: ${name} holds ${JSON.stringify(phrase)} and is ${Math.round(ageMs)} ms old`);
    }
  }
  expect(missed).toEqual([]);
  expect(hits).toBeGreaterThan(turns);
  // Some searches must have used the index. Otherwise this test would only compare full scans.
  expect(byIndex + missedYoung).toBeGreaterThan(0);
});

test('search finds a file by its new content only, although it was rewritten with its old size and modification time', async () => {
  const root = createFolder();
  const date = '2026-01-01T00:00:00Z';
  write(root, 'a.txt', 'old words', date);
  const opened = await openFiles({ 'files-root': [root] });
  expect(await opened.paths('search', { query: 'old words' })).toEqual(['a.txt']);
  write(root, 'a.txt', 'new words', date);
  // The files of a result are read again, so that the old words are no longer found.
  expect(await opened.paths('search', { query: 'old words' })).toEqual([]);
});

test('a search finds a phrase that was written into the first file of a folder after the file was indexed', async () => {
  const root = createFolder({ 'a.txt': 'former words', 'b.txt': 'former words' });
  const opened = await openFiles({ 'files-root': [root] });
  const { ctimeMs } = statSync(path.join(root, 'b.txt'));
  await expect.poll(() => Date.now() - ctimeMs).toBeGreaterThan(2200);
  expect(await opened.paths('search', { query: 'former', match: 'content' })).toHaveLength(2);
  write(root, 'a.txt', 'unexpected phrase');
  const find = async () => await opened.paths('search', { query: 'unexpected', match: 'content' });
  await expect.poll(find).toEqual(['a.txt']);
});
