import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { DiskFileStorage } from '../../../src/toolsets/books/storage/disk/disk-storage.ts';
import { openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import { countOpenDescriptors } from '../../support/descriptors.ts';
import { sha256, temporaryLibrary } from './support/library.ts';

function openStorage(files: Readonly<Record<string, string>>, change: object = {}, now: () => number = Date.now) {
  const library = temporaryLibrary('memory');
  onTestFinished(() => library[Symbol.dispose]());
  for (const [key, text] of Object.entries(files)) library.put(key, text, 1_700_000_000_000);
  const storage = new DiskFileStorage({ ...openLibraryRoot(library.root), ...change }, now);
  return { library, storage, at: (key: string): string => path.join(library.root, key) };
}

const keys = ['a-2.md', 'a.md', 'a/b-1.md', 'a/b.md', 'a/b/c.md', 'a/b0.md', 'a0.md', 'é.md', '\uffee.md', '😀.md'].map(
  name => `books/b/${name}`,
);

test.each(['', ...keys, 'books/b/', 'books/b/a', 'books/b/a/', 'books/b/a/b/', 'books/b/zz', 'books/c', 'books/a'])(
  'the files after the key %j are listed in the order of their keys',
  async after => {
    const { storage } = openStorage(Object.fromEntries(keys.map(key => [key, 'x'])));
    const before = countOpenDescriptors();
    const listed = (await storage.list('books/b', undefined, after))?.map(({ key }) => key);
    expect(listed).toEqual(keys.filter(key => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0));
    expect(countOpenDescriptors()).toBe(before);
  },
);

test('a listing has the type, the size and the dates of each entry, and names unreadable ones', async () => {
  const { storage, at } = openStorage({
    'books/b/a.md': 'one',
    'books/b/.git/config': 'x',
    'books/b/back\\slash.md': 'x',
  });
  symlinkSync('a.md', at('books/b/link.md'));
  execFileSync('mkfifo', [at('books/b/pipe')]);
  mkdirSync(at('books/b/empty'));
  writeFileSync(Buffer.concat([Buffer.from(at('books/b/')), Buffer.from([0x7a, 0xff])]), 'x');
  mkdirSync(Buffer.concat([Buffer.from(at('books/b/')), Buffer.from([0x7b, 0xff])]));
  const entries = (await storage.list('books/b')) ?? [];
  expect(entries.map(({ key, kind, unreadable }) => [key.slice('books/b/'.length), kind, unreadable])).toEqual([
    ['a.md', 'file', undefined],
    ['back\\slash.md', 'other', 'Its name has an invalid character.'],
    ['link.md', 'link', undefined],
    ['pipe', 'other', undefined],
    ['z\ufffd', 'other', 'Its name is not UTF-8.'],
    ['{\ufffd', 'other', 'Its name is not UTF-8.'],
  ]);
  const [first] = entries;
  expect([first?.size, first?.modified, first?.version]).toEqual([
    3,
    new Date(1_700_000_000_000),
    expect.stringMatching(/^\d+ 3 1700000000000000000 \d+$/),
  ]);
  expect(first?.arrived.getTime()).toBeGreaterThan(1_700_000_000_000);
  expect(await storage.readErrors(entries)).toEqual(entries.map(({ unreadable }) => unreadable));
  expect(await storage.stat('books/b/a.md')).toEqual(first);
});

test('folders are listed down to a depth of 64', async () => {
  const deep = (depth: number): string => `books/b/${'d/'.repeat(depth)}`;
  const { storage } = openStorage({ [`${deep(64)}a.md`]: 'x', [`${deep(65)}b.md`]: 'x' });
  const entries = (await storage.list('books/b')) ?? [];
  expect(entries.map(({ key, unreadable }) => [key, unreadable])).toEqual([
    [`${deep(64)}a.md`, undefined],
    [deep(65).slice(0, -1), 'It is nested too deeply.'],
  ]);
});

test.each([{}, { hasDescriptors: false }])('files and folders are found by key with %j', async change => {
  const { storage, at } = openStorage({ 'books/b/a.md': 'one', 'books/c/x/y.md': 'x', 'books/file': 'x' }, change);
  symlinkSync('b', at('books/linked'));
  const before = countOpenDescriptors();
  expect([(await storage.foldersIn('books')).sort(), await storage.foldersIn('none')]).toEqual([['b', 'c'], []]);
  expect([await storage.hasBook('b'), await storage.hasBook('none'), await storage.hasBook('file')]).toEqual([
    true,
    false,
    false,
  ]);
  await expect(storage.hasBook('linked')).rejects.toMatchObject({ report: { code: 'INVALID_PATH' } });
  const read = async (key: string, maxBytes = 3) => (await storage.read(key, maxBytes))?.bytes.toString();
  expect([await read('books/b/a.md'), await read('books/b/b.md'), await read('books/none/b.md')]).toEqual([
    'one',
    undefined,
    undefined,
  ]);
  await expect(read('books/b/a.md', 2)).rejects.toThrow('books/b/a.md has 3 bytes; 2 is the limit for one read.');
  expect(await storage.read('books/b/a.md', 3)).toMatchObject({
    hash: sha256('one'),
    modified: new Date(1_700_000_000_000),
  });
  expect([
    await storage.stat('books/b/b.md'),
    await storage.stream('books/b/b.md'),
    await storage.hash('books/b/b.md'),
  ]).toEqual([undefined, undefined, undefined]);
  const stream = await storage.stream('books/b/a.md');
  expect(stream?.size).toBe(3);
  await stream?.close();
  expect(await storage.address('books/b/a.md')).toEqual({ url: pathToFileURL(at('books/b/a.md')).href });
  await expect(storage.address('../a.md')).rejects.toMatchObject({ report: { code: 'INVALID_PATH' } });
  expect(countOpenDescriptors()).toBe(before);
});

test('a file that cannot be opened has a reason, and files in other folders have none', async () => {
  const { storage, at } = openStorage({ 'books/b/a/1.md': 'x', 'books/b/a/2.md': 'x', 'books/b/b/3.md': 'x' });
  const entries = (await storage.list('books/b')) ?? [];
  const before = countOpenDescriptors();
  execFileSync('rm', ['-r', at('books/b/a/2.md'), at('books/b/b')]);
  symlinkSync('1.md', at('books/b/a/2.md'));
  expect(await storage.readErrors([...entries, ...entries.slice(0, 1)])).toEqual([
    undefined,
    expect.stringContaining('books/b/a/2.md is a symbolic link'),
    undefined,
    undefined,
  ]);
  expect(countOpenDescriptors()).toBe(before);
});

test.each([
  [2100, false],
  [2101, true],
])('the hash of a file is cached %i ms after its change: %s', async (ageMs, isCached) => {
  const clock = { ms: 0 };
  const { storage, library } = openStorage({ 'books/b/a.md': 'one' }, {}, () => clock.ms);
  const entry = await storage.stat('books/b/a.md');
  if (entry === undefined) throw new Error('the file is missing');
  clock.ms = entry.arrived.getTime() + ageMs;
  await storage.hash('books/b/a.md');
  // An entry of a listing with a known version needs no file.
  library.remove('books/b/a.md');
  expect(await storage.hash(entry)).toBe(isCached ? sha256('one') : undefined);
  expect(await storage.hash({ ...entry, version: 'other' })).toBeUndefined();
});
