import { randomUUID } from 'node:crypto';
import { lstatSync, renameSync, unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorCodeOf } from '../../../../errors/system-error.ts';
import { compareWithJournal, unfinishedIntentsOf } from '../../library/recovery.ts';
import { emptyFileHash } from '../../model/hash.ts';
import type { JournalState } from '../../model/journal.ts';
import { type FileLocation, storageKeyOf } from '../../model/key.ts';
import { createStorageFailure } from '../../model/refusal.ts';
import type { FileReplacement, ReplaceableFile } from '../book-backend.ts';
import { type FilePlace, filePlaceOf } from './disk-storage.ts';
import { fileVersionOf, hashWholeFile, statDescriptor, writeTemporaryFile } from './file.ts';
import { OpenFolder } from './folder.ts';
import type { FileLock } from './lock.ts';
import type { LibraryRoot } from './root.ts';

/** The lock of a book, and its folder for temporary files. The folder is empty when the lock is acquired. */
export interface LockedBookFolder {
  lock: FileLock;
  tempDir: OpenFolder;
}

/** Reads the state of a file while the lock of its book is held. */
export async function observeFile(
  libraryRoot: LibraryRoot,
  place: FileLocation,
  state: JournalState,
  locked: LockedBookFolder,
  now: () => number,
): Promise<ReplaceableFile> {
  const key = storageKeyOf(place);
  const file = filePlaceOf(key);
  const before = await readFileState(libraryRoot, file);
  const hash = before?.hash === emptyFileHash && isDeleted(state, place) ? undefined : before?.hash;
  const arrivedMs = before === undefined ? undefined : Math.min(before.arrivedMs, now());
  const found = { hash, tag: undefined, arrivedMs, writer: undefined };
  return {
    ...compareWithJournal(state, place, found),
    // The folder is synced, so that a rename survives a power failure.
    sync: async () => await OpenFolder.open(libraryRoot, file.parents)?.closeAfter(async folder => await folder.sync()),
    prepare: async bytes => await prepare(libraryRoot, file, before, bytes, locked),
  };
}

/**
 * Returns whether an empty file represents a deleted file, as in a folder that was copied from a bucket. The change
 * that deleted the file may be unfinished.
 */
function isDeleted(state: JournalState, place: FileLocation): boolean {
  const intents = unfinishedIntentsOf(state, place);
  return state.file(place)?.hash === null || intents.some(intent => intent.new === null || intent.prev === null);
}

/** Creates the folder of a file, and writes and syncs the new content to a temporary file. */
async function prepare(
  libraryRoot: LibraryRoot,
  { key, parents, name }: FilePlace,
  before: FileState | undefined,
  bytes: Uint8Array | undefined,
  { lock, tempDir }: LockedBookFolder,
): Promise<FileReplacement> {
  const folder = await OpenFolder.make(libraryRoot, parents);
  try {
    folder.checkTarget(name);
    const temporary = bytes && tempDir.at(randomUUID());
    if (bytes !== undefined && temporary !== undefined) await writeTemporaryFile(temporary, bytes, before?.mode);
    if (!lock.isHeld()) throw lostLock(key);
    const replace = async (): Promise<Record<string, never> | undefined> => {
      // The lock and the file are tested again. A process that was paused can lose the lock, and editors or git change
      // files without a lock.
      if (!lock.isHeld()) throw lostLock(key);
      folder.checkPlace();
      const stat = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
      if ((stat && fileVersionOf(stat)) !== before?.signature) {
        if (temporary !== undefined) unlinkSync(temporary);
        return undefined;
      }
      if (temporary === undefined) unlinkSync(folder.at(name));
      else await rename(temporary, folder.at(name), key);
      await folder.sync();
      return {};
    };
    return { replace, close: () => folder.close() };
  } catch (error) {
    folder.close();
    throw error;
  }
}

interface FileState {
  hash: string;
  signature: string;
  mode: number;
  arrivedMs: number;
}

async function readFileState(
  libraryRoot: LibraryRoot,
  { key, parents, name }: FilePlace,
): Promise<FileState | undefined> {
  const read = async (descriptor: number): Promise<FileState> => {
    const { hash } = await hashWholeFile(descriptor, key);
    const stat = statDescriptor(descriptor);
    return { hash, signature: fileVersionOf(stat), mode: Number(stat.mode), arrivedMs: Number(stat.ctimeMs) };
  };
  return await OpenFolder.open(libraryRoot, parents)?.closeAfter(async folder => await folder.useFile(name, read));
}

/** Renames a file with retries, because Windows does not replace a file that another program reads. */
async function rename(from: string, to: string, key: string): Promise<void> {
  const deadline = performance.now() + openFileMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const isTransient = ['EPERM', 'EBUSY', 'EACCES'].includes(systemErrorCodeOf(error) ?? '');
      if (process.platform !== 'win32' || !isTransient) throw error;
      if (performance.now() > deadline) throw fileInUse(key, error);
      await sleep(pauseMs);
    }
  }
}

/**
 * On Windows, a rename is retried for this number of milliseconds while another program has the file open. The time is
 * shorter than that for which other processes wait for the lock.
 */
const openFileMs = 3000;

function fileInUse(key: string, cause: unknown): Error {
  const suggestion = 'Try again when no program reads it; if this persists, the user can check its permissions.';
  return createStorageFailure('BUSY', `${key} is in use by another program.`, { path: key, suggestion }, cause);
}

function lostLock(key: string): Error {
  return createStorageFailure('BUSY', `The lock was taken over while ${key} was being written; nothing was changed.`, {
    path: key,
    suggestion: 'Read the file again and repeat the change.',
  });
}
