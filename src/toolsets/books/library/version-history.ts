import { sha256Of } from '../model/hash.ts';
import { type JournalRecord, journalNameOfUser } from '../model/journal.ts';
import { type FileLocation, metadataFolder } from '../model/key.ts';
import {
  findExpiredVersions,
  isRetentionEnabled,
  type RetentionPolicy,
  type StoredVersion,
} from '../model/retention.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';
import { withStorageFailures } from '../storage/system-error.ts';
import { LruMap } from './lru-map.ts';

/** One change of a file, taken from the journal. */
export interface RecordedFileChange {
  time: string;
  author: string;
  operation: string;
  /** The hash of the file after the change, or null if it was deleted. */
  hash: string | null;
  /** The path of the file at that time. The field is set if the file was moved later. */
  path?: string;
}

/** Limits the size of a saved content in bytes. The limit is higher than that of uploads, 11 MiB. */
export const maxVersionBytes = 16 * 1024 * 1024;
/** Matches the hash of a stored content, and the temporary file of a process that was killed while it saved a content. */
const versionName = /^[0-9a-f]{64}(?:\..+\.tmp)?$/;
const cleanupIntervalMs = 60_000;
const maxBooks = 1000;

/**
 * Stores the former contents of files by hash for a retention time, and reads the changes of a file from the journal.
 */
export class VersionHistory {
  readonly #backend: StorageBackend;
  readonly #retention: RetentionPolicy;
  readonly #now: () => number;
  /** The last time at which expired contents were deleted, for each book. */
  readonly #cleaned = new LruMap<string, number>(maxBooks);

  constructor(backend: StorageBackend, retention: RetentionPolicy, now: () => number) {
    this.#backend = backend;
    this.#retention = retention;
    this.#now = now;
  }

  /** Saves the content of a file before it is written or replaced. */
  async keep(book: string, bytes: Uint8Array): Promise<void> {
    if (!isRetentionEnabled(this.#retention) || bytes.length > maxVersionBytes) return;
    const { internal } = this.#backend;
    const key = keyOf(book, sha256Of(bytes));
    await withStorageFailures('A former version cannot be kept', metadataFolder, async () => {
      // The age of a version counts from the last time at which it was replaced.
      if (!(await internal.renew(key))) await internal.write(key, bytes);
    });
  }

  /** Returns the content with this hash. Returns undefined if it was never saved, was deleted or is damaged. */
  async read(book: string, hash: string): Promise<Buffer | undefined> {
    const stored = await this.#backend.storage.read(keyOf(book, hash), maxVersionBytes);
    return stored?.hash === hash ? stored.bytes : undefined;
  }

  async keptHashes(book: string): Promise<Set<string>> {
    return new Set((await this.#list(book)).map(({ hash }) => hash));
  }

  async #list(book: string): Promise<StoredVersion[]> {
    const entries = (await this.#backend.storage.list(keyOf(book))) ?? [];
    return entries
      .map(({ key, size, modified }) => ({
        hash: key.slice(keyOf(book, '').length),
        size,
        savedMs: modified.getTime(),
      }))
      .filter(({ hash }) => versionName.test(hash));
  }

  /** Deletes contents whose retention time has passed, at most once a minute for each book. */
  async deleteExpired(book: string): Promise<void> {
    const nowMs = this.#now();
    const cleanedMs = this.#cleaned.get(book);
    if (cleanedMs !== undefined && Math.abs(nowMs - cleanedMs) < cleanupIntervalMs) return;
    this.#cleaned.set(book, nowMs);
    for (const { hash } of findExpiredVersions(await this.#list(book), this.#retention, nowMs)) {
      await this.#backend.internal.delete(keyOf(book, hash));
    }
  }

  /**
   * Returns the completed changes of a file, the oldest first, including those under its former paths. For a change by
   * another program, the time is that of the scan which found it.
   */
  async changesOf({ book, path, user }: FileLocation, signal: AbortSignal): Promise<RecordedFileChange[]> {
    const journal = this.#backend.journal(book);
    const isOfUser = (record: JournalRecord): boolean => record.user === journalNameOfUser(user);
    const isCreation = (record: JournalRecord): boolean =>
      isOfUser(record) && record.moved !== undefined && record.new !== null;
    const moves = await journal.changes('"moved":', isCreation, signal);
    const untilByPath = formerPaths(path, moves);
    const needle = untilByPath.size === 1 ? JSON.stringify(path) : '';
    const isOfFile = (record: JournalRecord): boolean =>
      isOfUser(record) && record.seq < (untilByPath.get(record.path) ?? 0);
    const records = await journal.changes(needle, isOfFile, signal);
    return records.map(({ path: its, changed, time, agent, operation, new: hash }) => ({
      time: changed ?? time,
      author: agent,
      operation,
      hash,
      ...(its !== path && { path: its }),
    }));
  }
}

/**
 * Maps each former path of a file to the number of the record that moved the file to another path. The number of the
 * current path is infinity.
 */
function formerPaths(path: string, moves: readonly JournalRecord[]): Map<string, number> {
  const untilByPath = new Map([[path, Number.POSITIVE_INFINITY]]);
  for (const { path: to, seq, moved } of moves.toReversed()) {
    const until = untilByPath.get(to);
    if (moved === undefined || until === undefined || seq >= until) continue;
    untilByPath.set(moved.path, untilByPath.get(moved.path) ?? seq);
  }
  return untilByPath;
}

/** Returns the storage key of a former content, or of the folder of all former contents of a book. */
function keyOf(book: string, name?: string): string {
  return `${metadataFolder}/${book}/versions${name === undefined ? '' : `/${name}`}`;
}
