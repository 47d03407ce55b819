import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Catalogue } from '../../../src/toolsets/files/io/catalogue/catalogue.ts';
import type { Control } from '../../../src/toolsets/files/io/threads/control.ts';
import type { Found, Wish } from '../../../src/toolsets/files/io/threads/messages.ts';
import { ReaderPool } from '../../../src/toolsets/files/io/threads/reader-pool.ts';
import { createFileTypes } from '../../../src/toolsets/files/model/file-type.ts';
import { createFolder, openFiles, write } from './open-files.ts';

/** A reader for which all files hold the phrase. */
const source = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.on('message', sent => {
  const paths = sent.paths.split('\\0');
  const none = () => new Uint32Array(paths.length);
  parentPort.postMessage({
    done: paths.length, statuses: new Uint8Array(paths.length).fill(2), stats: new Float64Array(paths.length * 4),
    signatures: new Uint8Array(0), signatureLengths: none(), texts: new Uint8Array(0), textLengths: none(), excerpts: [],
  });
});`;

/** A call whose time is up when it has asked often enough whether it is: the same on every machine. */
function shortControl(patience: number): Control {
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

function createCatalogue(): (scope: string, wish: Wish, patience: number, offset?: number) => Promise<Found> {
  const readers = new ReaderPool(source, 1);
  onTestFinished(() => readers.close());
  const catalogue = new Catalogue(createFileTypes(), readers);
  return async (scope, wish, patience, offset = 0) => {
    const page = { offset, limit: 1000 };
    return await catalogue.find({ kind: 'find', scope, wish, page, excerpts: false, told: [] }, shortControl(patience));
  };
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

const paths = ({ files }: Found): string[] => files.map(file => file.path);

test.each([{ phrase: 'needle' }, { phrase: '*.txt', match: 'name' }, { kind: 'document' }] as const)(
  'the same call again begins with what it knew and gets further, until the answer is complete: %j',
  async wish => {
    const root = createTree(40);
    const ask = createCatalogue();
    let before: string[] = [];
    let calls = 0;
    for (; calls < 200; calls++) {
      const found = await ask(root, wish, 15);
      expect(paths(found)).toEqual(expect.arrayContaining(before));
      before = paths(found);
      if (!found.isTimedOut) break;
    }
    expect(before).toHaveLength(120);
    expect(calls).toBeGreaterThan(1);
  },
);

test('pages behind the first are cut from the answer whose first page was seen', async () => {
  const root = createTree(40);
  const ask = createCatalogue();
  const wish = { kind: 'document' } as const;
  const first = await ask(root, wish, 15);
  expect(first.isTimedOut).toBe(true);
  const known = paths(first);
  const second = await ask(root, wish, 10_000, 3);
  expect(second).toMatchObject({ isFromBefore: true, isTimedOut: true });
  expect(paths(second)).toEqual(known.slice(3));
  const whole = await ask(root, wish, 100_000);
  expect(whole).toMatchObject({ isFromBefore: false, isTimedOut: false });
  expect(paths(await ask(root, wish, 100_000, 3))).toEqual(paths(whole).slice(3));
});

test('a folder with very much in it hides nothing beside it', async () => {
  const root = createFolder({ 'Documents/taxes.txt': 'needle' });
  for (let file = 0; file < 3000; file++) write(root, `Library/Caches/${file % 30}/${file}.txt`, 'x');
  const ask = createCatalogue();
  const found = await ask(root, { phrase: 'taxes', match: 'name' }, 8);
  expect(paths(found).map(file => path.basename(file))).toEqual(['taxes.txt']);
  expect(found.isTimedOut).toBe(true);
});

test('an answer that is not complete says so in words, and what to do', async () => {
  const root = createTree(60);
  const opened = await openFiles({ 'files-root': [root], 'files-timeout-ms': '1' });
  const outcome = await opened.call('search', { query: 'needle', scope: root });
  expect(outcome.structured).toMatchObject({ timedOut: true });
  expect(outcome.texts.slice(1)).toEqual([
    expect.stringMatching(/^Not complete: the time \(0\.001 s\) was up.*Ask the same again/),
  ]);
});
