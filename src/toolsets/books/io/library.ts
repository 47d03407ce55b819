import { rmSync } from 'node:fs';
import { storageFailure } from '../model/refusal.ts';
import type { BooksSettings } from '../settings.ts';
import { type Archive, type ArchiveOrder, makeArchive } from './archive.ts';
import { sweepArchives } from './archive-shelf.ts';
import { makeDemoLibrary } from './demo.ts';
import { FolderHistory } from './folder-history.ts';
import { FolderStorage } from './folder-storage.ts';
import { findGround, type Ground } from './ground.ts';
import { hashOf } from './journal-file.ts';
import type { History, Storage } from './storage.ts';
import { isMissing, worded } from './system-error.ts';

/** Everything the tools work with. */
export interface Library {
  settings: BooksSettings;
  storage: Storage;
  history: History;
  archive(order: Omit<ArchiveOrder, 'limitMs' | 'ttlMs'>): Promise<Archive>;
  hashOf(this: void, bytes: Uint8Array): string;
}

/** Opens the library's folder, or makes the sample one. */
export async function openLibrary(settings: BooksSettings): Promise<Library> {
  const ground = settings.root === undefined ? demoGround() : groundOf(settings.root);
  const now = (): number => Date.now();
  const storage = new FolderStorage(ground, now);
  const sweepLater = (): void => {
    // Expired archives go when their time comes, and at the latest with the next start or the next archive.
    setTimeout(
      () => void sweepQuietly(ground, settings.archiveTtlMs, now()),
      Math.min(settings.archiveTtlMs + 1000, 2 ** 31 - 1),
    ).unref();
  };
  await sweepQuietly(ground, settings.archiveTtlMs, now());
  return {
    settings,
    storage,
    history: new FolderHistory(storage, now),
    archive: async order => {
      const limits = { limitMs: settings.archiveLimitMs, ttlMs: settings.archiveTtlMs };
      const archive = await makeArchive(ground, storage, { ...order, ...limits }, now);
      sweepLater();
      return archive;
    },
    hashOf,
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

/** Nobody has asked for it, so nobody is told when it does not work, as in a library that cannot be written. */
async function sweepQuietly(ground: Ground, ttlMs: number, nowMs: number): Promise<void> {
  await sweepArchives(ground, ttlMs, nowMs).catch(() => {});
}
