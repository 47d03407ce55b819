import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import * as fc from '../../support/property.ts';
import { createFolder, type OpenFiles, openFiles } from './open-files.ts';

const secretSize = 4242;
const secret = 'classified'.padEnd(secretSize, '!');

/** A root with links of every kind, and secrets all around it. */
async function openTempting(): Promise<{ opened: OpenFiles; root: string; base: string }> {
  const base = createFolder({
    'root/inside/note.txt': 'an open note',
    'root/inside/deep/er/note.txt': 'an open note',
    'outside/secret.txt': secret,
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
  return { opened: await openFiles({ 'files-root': [root] }), root, base };
}

/** Nothing of the outside may be in any answer: no content, no name that was not asked for, no size. */
function expectNoSecret(outcome: { isError: boolean; text: string; structured: unknown }): void {
  if (outcome.isError) return;
  expect(outcome.text).not.toContain('secret');
  expect(outcome.text).not.toContain(String(secretSize));
}

test('nine thousand paths put together at random read nothing outside', async () => {
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
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      start,
      fc.array(part, { maxLength: 7 }),
      fc.constantFrom('search', 'search_by_kind', 'recent_files', 'get_metadata'),
      async (first, parts, tool) => {
        const asked = [first, ...parts].join('/');
        const args = {
          search: { query: 'classified' },
          search_by_kind: { kind: 'document' },
          recent_files: {},
          get_metadata: {},
        }[tool];
        const outcome = await opened.call(tool, { ...args, [tool === 'get_metadata' ? 'path' : 'scope']: asked });
        if (outcome.isError) refused++;
        expectNoSecret(outcome);
      },
    ),
    { numRuns: 9000 },
  );
  expect(refused).toBeGreaterThan(3000);
});

test('fifteen hundred calls while folders turn into links and back read nothing outside', async () => {
  const { opened, root, base } = await openTempting();
  // A scope is walked anew only after a while: one inside the other, there is always one that was not walked yet.
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
  let [calls, seen] = [0, 0];
  try {
    // Three hundred turns, and more where the machine is too busy for what lies inside to be seen often.
    for (let turn = 0; turn < 300 || (seen <= 100 && turn < 3000); turn++) {
      const scope = scopes[turn % scopes.length] ?? root;
      const outcomes = await Promise.all([
        opened.call('recent_files', { scope }),
        opened.call('search_by_kind', { kind: 'document', scope }),
        opened.call('search', { query: 'classified', scope }),
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
  expect(calls).toBeGreaterThanOrEqual(1500);
  // The race was a race, and what lies inside was found all the while.
  expect(seen).toBeGreaterThan(100);
  expect(Atomics.load(stop, 1)).toBeGreaterThan(300);
});
