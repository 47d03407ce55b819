import { EventLoopYielder } from '../../../async/yielder.ts';
import { Failure } from '../../../errors/failure.ts';
import { sha256Of } from '../model/hash.ts';
import type { FileVersion, JournalRecordDraft, JournalState } from '../model/journal.ts';
import {
  type FileLocation,
  locationOfPath,
  removeBookPrefixOfKey,
  storageKeyOf,
  storageKeyOfBook,
} from '../model/key.ts';
import { formatManifest, isPathInManifest, selectHashesOfBaseFiles } from '../model/manifest.ts';
import { externalChangeRecordOf } from '../model/record.ts';
import { ioTimeSliceMs } from '../storage/book-backend.ts';
import type { FileStorage, StorageEntry } from '../storage/file-storage.ts';
import { mapInParallelInOrder } from './map-in-order.ts';

/**
 * The maximum size of a file that is hashed while the lock is held, if the file changed after the snapshot. The next
 * scan hashes larger files.
 */
const maxBytesHashedUnderLock = 1 << 20;

export interface FileScan {
  /** A point in time after all changes that the scan has found, and before all later changes. */
  timeMs: number;
  files: FileVersion[];
  manifestHash: string;
  /** The reason why the scan was not recorded in the journal and unfinished changes were not recovered. */
  journalError?: string;
}

export interface FileHash {
  /** The hash of the file, or undefined if it does not exist. */
  hash: string | undefined;
}

interface Tracked {
  entry: StorageEntry;
  place: FileLocation;
  size: number;
}

export interface FilesSnapshot {
  /** The number of the last journal record before the files were read. */
  seq: number;
  files: Map<string, { entry: StorageEntry; place: FileLocation; seen: FileHash | Failure | undefined }>;
  /** The keys of folders that cannot be read. Their files count as unchanged. */
  unreadable: string[];
  /** True if the folder of the book exists. */
  isThere: boolean;
}

export interface UnrecordedChange {
  place: FileLocation;
  draft: JournalRecordDraft;
}

/**
 * Lists all lessons and assets of a book and of its users with their hashes. Files that are unchanged since the
 * snapshot `before` are not hashed again.
 */
export async function takeFilesSnapshot(
  storage: FileStorage,
  state: JournalState,
  { book, before, signal }: { book: string; before: FilesSnapshot | undefined; signal: AbortSignal },
): Promise<FilesSnapshot> {
  const { seq } = state;
  const listed = await storage.list(storageKeyOfBook(book), signal);
  const snapshot: FilesSnapshot = { seq, files: new Map(), unreadable: [], isThere: listed !== undefined };
  const yielder = new EventLoopYielder(ioTimeSliceMs, signal);
  const wanted: Tracked[] = [];
  for (const entry of listed ?? []) {
    await yielder.yieldIfDue();
    if (entry.unreadable !== undefined) snapshot.unreadable.push(`${entry.key}/`);
    const place = locationOfPath(book, removeBookPrefixOfKey(book, entry.key));
    if (entry.kind !== 'file' || place === undefined || !isPathInManifest(place.path)) continue;
    const known = state.file(place);
    // If the last change of an empty file was a deletion, it represents a deleted file: in a bucket, or in a folder
    // that was copied from a bucket.
    if (entry.size === 0 && known?.hash === null) continue;
    wanted.push({ entry, place, size: entry.size });
  }
  const look = async ({ entry, place }: Tracked): Promise<FileHash | Failure | undefined> => {
    const known = state.file(place);
    if (known?.tag !== undefined && known.tag === entry.tag) return { hash: known.hash ?? undefined };
    const earlier = before?.files.get(entry.key);
    if (earlier !== undefined && earlier.entry.version === entry.version) return earlier.seen;
    return before === undefined || entry.size <= maxBytesHashedUnderLock
      ? await tryHash(storage, entry, signal)
      : undefined;
  };
  for await (const [{ entry, place }, seen] of mapInParallelInOrder(wanted, storage.prefetch, look, signal)) {
    await yielder.yieldIfDue();
    snapshot.files.set(entry.key, { entry, place, seen });
  }
  return snapshot;
}

/** Returns the hash of a file, or the error that prevents reading the file. */
export async function tryHash(
  storage: FileStorage,
  entry: StorageEntry,
  signal: AbortSignal,
): Promise<FileHash | Failure> {
  if (entry.unreadable !== undefined) return new Failure('refused', entry.unreadable);
  try {
    return { hash: await storage.hash(entry, signal) };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Returns the changes that other programs made and that the journal does not contain yet. */
export function findUnrecordedChanges(
  state: JournalState,
  { files, unreadable }: FilesSnapshot,
  nowMs: number,
): UnrecordedChange[] {
  const missed: UnrecordedChange[] = [];
  const add = (place: FileLocation, hash: string | undefined, arrivedMs: number | undefined, tag?: string): void => {
    const draft = externalChangeRecordOf(state, place, hash, arrivedMs);
    if (draft !== undefined) missed.push({ place, draft: { ...draft, tag } });
  };
  for (const { place, seen, entry } of files.values()) {
    if (seen === undefined || seen instanceof Failure || seen.hash === undefined) continue;
    add(place, seen.hash, Math.min(entry.arrived.getTime(), nowMs), entry.tag);
  }
  for (const { place, hash } of state.files.values()) {
    const key = storageKeyOf(place);
    if (hash === null || !isPathInManifest(place.path) || files.has(key)) continue;
    if (!unreadable.some(folder => key.startsWith(folder))) add(place, undefined, undefined);
  }
  return missed;
}

/** Returns the manifest hash that the book has after these changes are recorded. */
export function manifestHashOf(state: JournalState, missed: readonly UnrecordedChange[]): string {
  const base = selectHashesOfBaseFiles(listFilesRecordedInJournal(state));
  for (const { place, draft } of missed) {
    if (place.user !== undefined) continue;
    if (draft.new === null) base.delete(place.path);
    else base.set(place.path, draft.new);
  }
  return sha256Of(formatManifest(base));
}

export function listFilesRecordedInJournal(state: JournalState): FileVersion[] {
  return [...state.files.values()]
    .filter(({ place }) => isPathInManifest(place.path))
    .map(({ place, hash, changedMs }) => ({ place, hash, changedMs }));
}
