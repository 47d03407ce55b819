import { onTestFinished } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { FileCatalogue } from '../../../src/toolsets/files/query/catalogue.ts';
import type { FileQuery, SearchResultPage } from '../../../src/toolsets/files/query/protocol.ts';
import { type CallTimeControl } from '../../../src/toolsets/files/workers/control.ts';
import { FileReaderPool } from '../../../src/toolsets/files/workers/pool.ts';
import { createFolder, write } from './open-files.ts';

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
export function shortControl(patience: number): CallTimeControl {
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
export function briefControl(isOverAtOnce: boolean, times = 1): CallTimeControl {
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

export function openCatalogue(): FileCatalogue {
  const readers = new FileReaderPool(source, 1);
  onTestFinished(() => readers.close());
  return new FileCatalogue(createFileTypeTable(), readers);
}

export function requestOf(
  scope: string,
  query: FileQuery,
  offset = 0,
  externalHits: string[] = [],
): Parameters<FileCatalogue['find']>[0] {
  return { kind: 'find', scope, root: scope, query, page: { offset, limit: 1000 }, excerpts: false, externalHits };
}

export function createCatalogue(): (
  scope: string,
  query: FileQuery,
  patience: number,
  offset?: number,
) => Promise<SearchResultPage> {
  const catalogue = openCatalogue();
  return async (scope, query, patience, offset) =>
    await catalogue.find(requestOf(scope, query, offset), shortControl(patience));
}

export function createTree(folders: number): string {
  const root = createFolder();
  for (let folder = 0; folder < folders; folder++) {
    for (let file = 0; file < 3; file++) {
      write(root, `${folder}/${file}.txt`, 'needle', `2026-01-01T00:${String(folder % 60).padStart(2, '0')}:00Z`);
    }
  }
  return root;
}

export const paths = ({ files }: SearchResultPage): string[] => files.map(file => file.path);

export async function openRealCatalogue(): Promise<FileCatalogue> {
  const { default: threadSource } = await import('worker:../../../src/toolsets/files/query/start-thread.ts');
  const readers = new FileReaderPool(threadSource, 1);
  onTestFinished(() => readers.close());
  return new FileCatalogue(createFileTypeTable(), readers);
}
