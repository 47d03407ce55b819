import { rmSync } from 'node:fs';
import { storageFailure } from '../model/refusal.ts';
import type { BooksSettings } from '../settings.ts';
import { type Archive, type ArchiveOrder, makeArchive } from './archive/archive.ts';
import { sweepArchives } from './archive/shelf.ts';
import { makeDemoLibrary } from './demo.ts';
import { FolderStorage } from './disk/disk-storage.ts';
import { hashOf } from './disk/journal-file.ts';
import { findGround, type Ground } from './disk/root.ts';
import { isMissing, worded } from './disk/system-error.ts';
import { Turns } from './search/turns.ts';
import { FolderHistory } from './store/history.ts';
import type { History, Storage } from './store/storage.ts';

/** The floor is swept this often at most. */
const sweepMs = 1000;

const searchesAtOnce = 2;

/** Everything the tools work with. */
export interface Library {
  settings: BooksSettings;
  storage: Storage;
  history: History;
  archive(order: Omit<ArchiveOrder, 'limitMs' | 'ttlMs'>): Promise<Archive>;
  hashOf(this: void, bytes: Uint8Array): string;
  /** Searches of text: each has a thread and the lines of a file. */
  searches: Turns;
  /** Deletes what has expired, whoever made it. */
  sweep(): Promise<void>;
  /** Keeps what is left to be kept. */
  close(): Promise<void>;
}

/** Opens the library's folder, or makes the sample one. */
export async function openLibrary(settings: BooksSettings): Promise<Library> {
  const ground = settings.root === undefined ? demoGround() : groundOf(settings.root);
  const now = (): number => Date.now();
  const storage = new FolderStorage(ground, now);
  let sweptMs = 0;
  const sweep = async (): Promise<void> => {
    if (Math.abs(now() - sweptMs) < sweepMs) return;
    sweptMs = now();
    // Nobody has asked for it, so nobody is told when it does not work, as in a library that cannot be written.
    await sweepArchives(ground, now()).catch(() => {});
  };
  return {
    settings,
    storage,
    history: new FolderHistory(storage, now),
    archive: async order => {
      const limits = { limitMs: settings.archiveLimitMs, ttlMs: settings.archiveTtlMs };
      const archive = await makeArchive(ground, storage, { ...order, ...limits }, now);
      // It goes when its time comes, and at the latest with the next call to any server on the library.
      setTimeout(() => void sweep(), Math.min(settings.archiveTtlMs + sweepMs, 2 ** 31 - 1)).unref();
      return archive;
    },
    hashOf,
    searches: new Turns(searchesAtOnce),
    sweep,
    close: async () => await storage.close(),
  };
}

function groundOf(root: string): Ground {
  try {
    const ground = findGround(root);
    return ground;
  } catch (error) {
    if (!isMissing(error)) throw worded(error, `Opening the library ${root} failed`, root);
    throw storageFailure('UNAVAILABLE', `The library's folder ${root} does not exist.`, {
      path: root,
      suggestion: 'The user has to create it, or to start with another --books-root.',
    });
  }
}

function demoGround(): Ground {
  const root = makeDemoLibrary();
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  return findGround(root);
}
