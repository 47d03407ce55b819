import { randomUUID } from 'node:crypto';
import { lstatSync, renameSync, unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from '../../../../errors/system-error.ts';
import type { Change, ChangeResult } from '../../library/book-log.ts';
import { type Observation, runChange } from '../../library/transaction.ts';
import { emptyHash } from '../../model/hash.ts';
import type { JournalState } from '../../model/journal.ts';
import { keyOf, type Place } from '../../model/key.ts';
import { durationMs, endRecordOf, externalChange, intentRecordOf } from '../../model/record.ts';
import { storageFailure } from '../../model/refusal.ts';
import { segmentsOf } from './disk-storage.ts';
import { closeDescriptor, hashAll, statOf, versionOf, writeNewFile } from './file.ts';
import { Folder } from './folder.ts';
import type { OpenJournal } from './journal-file.ts';
import type { Lock } from './lock.ts';
import type { LibraryRoot } from './root.ts';

/** A book whose lock this process holds. Its journal is read, and open intents are recovered. */
export interface LockedBook {
  lock: Lock;
  journal: OpenJournal;
  state: JournalState;
  /** The folder for temporary files, which is empty when the lock is acquired. */
  tempDir: Folder;
}

const maxTries = 3;

/** An observed file with its folder and name. */
interface ObservedFile extends Observation {
  parents: readonly string[];
  name: string;
  /** The file on disk. It can be an empty file that marks a deletion. */
  before: FileState | undefined;
}

/**
 * Changes a file under the lock of the book. The content is synced before the intent, and the intent before the rename.
 */
export async function changeFile<Decision>(
  libraryRoot: LibraryRoot,
  change: Change<Decision>,
  locked: LockedBook,
  now: () => number,
): Promise<ChangeResult<Decision>> {
  const started = performance.now();
  return await runChange<Decision, ObservedFile>(change, {
    mayTry: async attempt => attempt < maxTries,
    observe: async () => await observe(libraryRoot, change.place, locked, now),
    onRefused: () => {},
    apply: async (observed, hash) => {
      const folder = await Folder.make(libraryRoot, observed.parents);
      try {
        folder.checkTarget(observed.name);
        return await applyChange(change, { folder, observed, hash }, locked, now, started);
      } finally {
        folder.close();
      }
    },
  });
}

/** Observes a file, and records an external change if the file differs from the journal. */
async function observe(
  libraryRoot: LibraryRoot,
  place: Place,
  { journal, state }: LockedBook,
  now: () => number,
): Promise<ObservedFile> {
  const key = keyOf(place);
  const segments = segmentsOf(key);
  const name = segments.at(-1) ?? '';
  const parents = segments.slice(0, -1);
  const before = await readFileState(libraryRoot, parents, name, key);
  // In a copy of a bucket, an empty file marks a deleted one.
  const isDeleted = before?.hash === emptyHash && state.file(place)?.hash === null;
  const hash = isDeleted ? undefined : before?.hash;
  const arrivedMs = before === undefined ? undefined : Math.min(before.arrivedMs, now());
  const external = externalChange(state, place, hash, arrivedMs);
  if (external !== undefined) await journal.append([external], now());
  return { hash, parents, name, before };
}

interface PlannedChange {
  folder: Folder;
  observed: ObservedFile;
  hash: string | undefined;
}

/** Applies the change. Returns false without a change if the file differs from the observation. */
async function applyChange(
  { place, bytes, author }: Change<unknown>,
  { folder, observed: { name, before, hash: previous }, hash }: PlannedChange,
  { lock, journal, tempDir }: LockedBook,
  now: () => number,
  started: number,
): Promise<boolean> {
  const key = keyOf(place);
  const temporary = randomUUID();
  if (bytes !== undefined) await writeNewFile(tempDir.at(temporary), bytes, before?.mode);
  if (!lock.isHeld()) throw lostLock(key);
  const [intent] = await journal.append([intentRecordOf(place, author, previous, hash)], now());
  if (intent === undefined) throw new Error('the journal appended no intent record');
  await journal.sync();

  // A paused process can lose the lock, and an editor or git can change the file.
  if (!lock.isHeld()) throw lostLock(key);
  folder.checkPlace();
  if (signatureAt(folder, name) !== before?.signature) {
    await journal.append([endRecordOf(intent, 'abort')], now());
    if (bytes !== undefined) unlinkSync(tempDir.at(temporary));
    return false;
  }
  if (bytes === undefined) unlinkSync(folder.at(name));
  else await rename(tempDir.at(temporary), folder.at(name), key);
  await folder.sync();
  await journal.append([endRecordOf(intent, 'commit', { ms: durationMs(started, performance.now()) })], now());
  return true;
}

interface FileState {
  hash: string;
  signature: string;
  mode: number;
  arrivedMs: number;
}

async function readFileState(
  libraryRoot: LibraryRoot,
  parents: readonly string[],
  name: string,
  key: string,
): Promise<FileState | undefined> {
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

/** Renames a file with retries, because on Windows a file that another program reads cannot be replaced. */
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

/** The time is shorter than the time that other processes wait for the lock. */
const openFileMs = 3000;

function fileInUse(key: string, cause: unknown): Error {
  const suggestion = 'Try again when no program reads it; if this persists, the user can check its permissions.';
  return storageFailure('BUSY', `${key} is in use by another program.`, { path: key, suggestion }, cause);
}

function lostLock(key: string): Error {
  return storageFailure('BUSY', `The lock was taken over while ${key} was being written; nothing was changed.`, {
    path: key,
    suggestion: 'Read the file again and repeat the change.',
  });
}
