import { randomUUID } from 'node:crypto';
import { lstatSync, renameSync, unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from '../../../../errors/system-error.ts';
import type { Change, ChangeResult } from '../../library/book-log.ts';
import { emptyHash, hashOf } from '../../model/hash.ts';
import type { JournalState } from '../../model/journal.ts';
import { keyOf } from '../../model/key.ts';
import { endOf, externalChange, intentOf, tookMs } from '../../model/record.ts';
import { storageFailure } from '../../model/refusal.ts';
import { segmentsOf } from './disk-storage.ts';
import { closeDescriptor, hashAll, statOf, versionOf, writeNew } from './file.ts';
import { Folder } from './folder.ts';
import type { OpenJournal } from './journal-file.ts';
import type { Lock } from './lock.ts';
import type { LibraryRoot } from './root.ts';

/** The lock is ours: the journal is read, nothing is left open, nothing unfinished lies around. */
export interface LockedBook {
  lock: Lock;
  journal: OpenJournal;
  state: JournalState;
  /** For files on their way to their place; empty when the lock is taken. */
  tempDir: Folder;
}

const maxTries = 3;

/**
 * The one way a file changes. The order keeps every promise: the bytes are on the disk before the intent, the intent
 * before the change, the change before the answer. A process that dies in between leaves the old file or the new one,
 * and the next holder of the lock can tell which.
 */
export async function changeFile<Decision>(
  libraryRoot: LibraryRoot,
  change: Change<Decision>,
  held: LockedBook,
  now: () => number,
): Promise<ChangeResult<Decision>> {
  const started = performance.now();
  const key = keyOf(change.place);
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const changed = await tryChange(libraryRoot, change, held, now, started);
    if (changed !== undefined) return changed;
  }
  throw storageFailure('BUSY', `${key} is being changed by another program.`, {
    path: key,
    suggestion: 'Try again in a moment.',
  });
}

/** undefined: another program has changed the file meanwhile, and nothing was done. */
async function tryChange<Decision>(
  libraryRoot: LibraryRoot,
  change: Change<Decision>,
  held: LockedBook,
  now: () => number,
  started: number,
): Promise<ChangeResult<Decision> | undefined> {
  const { place, bytes } = change;
  const { journal, state } = held;
  const key = keyOf(place);
  const segments = segmentsOf(key);
  const name = segments.at(-1) ?? '';
  const parents = segments.slice(0, -1);
  const before = await observeFile(libraryRoot, parents, name, key);
  // In a bucket an empty body stands for a deleted file, and the library may have been one.
  const isGone = before?.hash === emptyHash && state.file(place)?.hash === null;
  const previous = isGone ? undefined : before?.hash;
  const arrivedMs = before === undefined ? undefined : Math.min(before.arrivedMs, now());
  const external = externalChange(state, place, previous, arrivedMs);
  if (external !== undefined) journal.append([external], now());

  const decision = change.decide(previous);
  const hash = bytes === undefined ? undefined : hashOf(bytes);
  if (bytes === undefined && previous === undefined) return { decision, previous, hash };

  const folder = await Folder.make(libraryRoot, parents);
  try {
    folder.checkTarget(name);
    const isDone = await applyChange(change, { folder, name, before, previous, hash }, held, now, started);
    return isDone ? { decision, previous, hash } : undefined;
  } finally {
    folder.close();
  }
}

/** A change that has been decided on. */
interface PlannedChange {
  folder: Folder;
  name: string;
  before: FileObservation | undefined;
  previous: string | undefined;
  hash: string | undefined;
}

/** False: the file is not any more what the decision was about, and stays as it is. */
async function applyChange(
  { place, bytes, author }: Change<unknown>,
  { folder, name, before, previous, hash }: PlannedChange,
  { lock, journal, tempDir }: LockedBook,
  now: () => number,
  started: number,
): Promise<boolean> {
  const key = keyOf(place);
  const piece = randomUUID();
  if (bytes !== undefined) await writeNew(tempDir.at(piece), bytes, before?.mode);
  if (!lock.isHeld()) throw lostLock(key);
  const [entered] = journal.append([intentOf(place, author, previous, hash)], now());
  if (entered === undefined) throw new Error('the journal has kept no intent');
  await journal.sync();

  // A holder that slept may have lost the lock, and an editor or git may have been faster.
  if (!lock.isHeld()) throw lostLock(key);
  folder.checkPlace();
  if (signatureAt(folder, name) !== before?.signature) {
    journal.append([endOf(entered, 'abort')], now());
    if (bytes !== undefined) unlinkSync(tempDir.at(piece));
    return false;
  }
  if (bytes === undefined) unlinkSync(folder.at(name));
  else await rename(tempDir.at(piece), folder.at(name), key);
  await folder.sync();
  journal.append([endOf(entered, 'commit', { ms: tookMs(started, performance.now()) })], now());
  return true;
}

interface FileObservation {
  hash: string;
  signature: string;
  mode: number;
  arrivedMs: number;
}

async function observeFile(
  libraryRoot: LibraryRoot,
  parents: readonly string[],
  name: string,
  key: string,
): Promise<FileObservation | undefined> {
  const folder = Folder.open(libraryRoot, parents);
  if (folder === undefined) return undefined;
  try {
    const descriptor = folder.openFile(name);
    if (descriptor === undefined) return undefined;
    try {
      const { hash } = await hashAll(descriptor, key);
      const stat = statOf(descriptor);
      return { hash, signature: versionOf(stat), mode: Number(stat.mode), arrivedMs: Number(stat.ctimeMs) };
    } finally {
      await closeDescriptor(descriptor);
    }
  } finally {
    folder.close();
  }
}

function signatureAt(folder: Folder, name: string): string | undefined {
  const stat = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : versionOf(stat);
}

/** On Windows nobody can replace a file that somebody reads, be it a virus scanner or another call. */
async function rename(from: string, to: string, key: string): Promise<void> {
  const deadline = performance.now() + openFileMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const isTransient = ['EPERM', 'EBUSY', 'EACCES'].includes(systemCode(error) ?? '');
      if (process.platform !== 'win32' || !isTransient) throw error;
      if (performance.now() > deadline) throw fileInUse(key, error);
      await sleep(pauseMs);
    }
  }
}

/** Less than others wait for the lock. */
const openFileMs = 3000;

function fileInUse(key: string, cause: unknown): Error {
  const suggestion = 'Try again when nobody reads it; if it stays, the user has to see who may write it.';
  return storageFailure('BUSY', `${key} is open in another program.`, { path: key, suggestion }, cause);
}

function lostLock(key: string): Error {
  return storageFailure('BUSY', `The lock was taken over while ${key} was being written; nothing was changed.`, {
    path: key,
    suggestion: 'Read the file again and repeat the change.',
  });
}
