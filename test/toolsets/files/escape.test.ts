import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import * as fc from '../../support/property.ts';
import { times } from '../../support/repetitions.ts';
import { createFolder, type OpenFiles, openFiles } from './open-files.ts';

const secretSize = 4242;
const secret = 'classified'.padEnd(secretSize, '!');

/** Creates a root with all kinds of links. The files around it contain a secret. */
async function openTempting(): Promise<{ opened: OpenFiles; root: string; base: string }> {
  const base = createFolder({
    'root/inside/note.txt': 'an open note',
    'root/inside/deep/er/note.txt': 'an open note',
    'outside/secret.txt': secret,
    // This file has the name of a file inside the root.
    'outside/note.txt': secret,
    'outside/inside/secret.txt': secret,
    'rootevil/secret.txt': secret,
    'roo/secret.txt': secret,
    'secret.txt': secret,
  });
  const root = path.join(base, 'root');
  const links = {
    out: '../outside',
    'inside/out': path.join(base, 'outside'),
    'inside/up': '../..',
    'secret.txt': '../secret.txt',
    chain: 'chain-2',
    'chain-2': 'inside/out/inside',
    'inside/self': '.',
    loop: 'loop',
    top: '/',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(root, name));
  const opened = await openFiles({ 'files-root': [root], 'files-cache': path.join(base, 'cache') });
  return { opened, root, base };
}

/** The random calls search contents, names, kinds and dates, and use files as scopes. */
const questions = [
  ['search', { query: 'classified' }],
  ['search', { query: 'secret', match: 'name' }],
  ['search', { query: '*.txt', match: 'name', kind: 'document' }],
  ['search', { query: 'classified', match: 'any', excerpts: true }],
  ['search', { query: 'open classified', excerpts: true }],
  ['search', { query: 'clasified sekret' }],
  ['search', { query: '"classified"' }],
  ['search_by_kind', { kind: 'document' }],
  ['recent_files', {}],
] as const;

/**
 * A result must not reveal a file outside of the roots: neither its content, nor its size, nor a name that the call
 * does not contain.
 */
function expectNoSecret(outcome: { isError: boolean; text: string; structured: unknown }): void {
  if (outcome.isError) return;
  expect(outcome.text).not.toContain('secret');
  expect(outcome.text).not.toContain(String(secretSize));
  expect(outcome.text).not.toContain('classified!');
}

test('thousands of calls with random paths read no file outside of the root folders', async () => {
  const { opened, root, base } = await openTempting();
  const part = fc.constantFrom(
    '..',
    '.',
    '',
    'inside',
    'out',
    'up',
    'deep',
    'chain',
    'self',
    'loop',
    'top',
    'outside',
    'rootevil',
    'root',
    'secret.txt',
    'note.txt',
    '%2e%2e',
    '..\\',
    '\0',
    ' ',
    'ROOT',
    '~',
    '*',
    'x'.repeat(300),
  );
  const start = fc.constantFrom(
    root,
    root,
    `${root}/`,
    base,
    '/',
    `${root}evil`,
    `${base}/roo`,
    '//',
    '/proc/self/root',
    '/proc/self/cwd',
    '',
    './',
    'file://',
    root.toUpperCase(),
  );
  const calls = times(2500, 10_000);
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      start,
      fc.array(part, { maxLength: 7 }),
      fc.constantFrom(...questions, ['get_metadata', {}] as const),
      async (first, parts, [tool, args]) => {
        const asked = [first, ...parts].join('/');
        const outcome = await opened.call(tool, { ...args, [tool === 'get_metadata' ? 'path' : 'scope']: asked });
        if (outcome.isError) refused++;
        expectNoSecret(outcome);
      },
    ),
    { numRuns: calls },
  );
  expect(refused).toBeGreaterThan(0.3 * calls);
});

test('hundreds of calls read no file outside of the root folders while a folder is repeatedly replaced by a symbolic link', async () => {
  const { opened, root, base } = await openTempting();
  // The list of a folder tree is reused for some time. With a hundred nested scopes, one of them was not listed yet.
  const scopes = Array.from({ length: 100 }, (_, depth) => root + '/n'.repeat(depth));
  const nest = scopes.at(-1) ?? root;
  const folder = path.join(nest, 'inside');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'note.txt'), 'an open note');
  mkdirSync(path.join(base, 'aside'));
  const link = path.join(base, 'link');
  symlinkSync(path.join(base, 'outside'), link);
  const stop = new Int32Array(new SharedArrayBuffer(8));
  const flipper = new Worker(new URL('escape-flipper.mjs', import.meta.url), {
    workerData: { folder, link, aside: path.join(base, 'aside', 'inside'), stop },
  });
  const ended = once(flipper, 'exit');
  const turns = times(50, 200);
  let [calls, seen] = [0, 0];
  try {
    // The loop has more iterations if a busy machine rarely finds the inner file or rarely replaces the folder.
    for (let turn = 0; turn < turns || ((seen <= turns / 2 || Atomics.load(stop, 1) <= turns) && turn < 3000); turn++) {
      const scope = scopes[turn % scopes.length] ?? root;
      const outcomes = await Promise.all([
        ...questions.map(([tool, args]) => opened.call(tool, { ...args, scope })),
        opened.call('get_metadata', { path: `${folder}/secret.txt` }),
        opened.call('get_metadata', { path: `${folder}/inside` }),
      ]);
      for (const outcome of outcomes) {
        calls++;
        if (!outcome.isError && outcome.text.includes('note.txt')) seen++;
        expectNoSecret(outcome);
      }
    }
  } finally {
    Atomics.store(stop, 0, 1);
    await ended;
  }
  expect(calls).toBeGreaterThanOrEqual(8 * turns);
  // The test has found the file inside the root often enough to show that the race occurred.
  expect(seen).toBeGreaterThan(turns / 2);
  expect(Atomics.load(stop, 1)).toBeGreaterThan(turns);
});

test('a search does not return cached files whose folder was replaced by a symbolic link', async () => {
  const base = createFolder({ 'root/inside/secret.txt': secret, 'root/note.txt': 'an open note' });
  const root = path.join(base, 'root');
  const cache = path.join(base, 'cache');
  // Files that are newer than the resolution of the file system's clock are not cached.
  const { ctimeMs } = statSync(path.join(root, 'inside', 'secret.txt'));
  await expect.poll(() => Date.now() - ctimeMs).toBeGreaterThan(2200);
  const before = await openFiles({ 'files-root': [root], 'files-cache': cache });
  expect(await before.paths('search', { query: 'classified' })).toEqual(['inside/secret.txt']);
  await expect.poll(() => existsSync(cache) && readdirSync(cache).length).toBe(1);
  // The folder is moved away and a symbolic link replaces it. The files keep their inode numbers and times.
  renameSync(path.join(root, 'inside'), path.join(base, 'outside'));
  symlinkSync('../outside', path.join(root, 'inside'));
  for (const opened of [before, await openFiles({ 'files-root': [root], 'files-cache': cache })]) {
    for (const [tool, args] of questions) expectNoSecret(await opened.call(tool, { ...args, scope: root }));
    const described = await opened.call('get_metadata', { path: path.join(root, 'inside', 'secret.txt') });
    expect(described.isError).toBe(true);
  }
});
