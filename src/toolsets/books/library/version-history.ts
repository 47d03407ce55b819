import { sha256Of } from '../model/hash.ts';
import { type JournalRecord, journalNameOfUser } from '../model/journal.ts';
import type { FileLocation } from '../model/key.ts';
import { findExpiredVersions, isRetentionEnabled, type RetentionPolicy } from '../model/retention.ts';
import type { StorageBackend, VersionStore } from '../storage/storage-backend.ts';
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
const cleanupIntervalMs = 60_000;
const maxBooks = 1000;

/**
 * Stores the former contents of files by hash for a retention time, and reads the changes of a file from the journal.
 */
export class VersionHistory {
  readonly #backend: StorageBackend;
  readonly #store: VersionStore;
  readonly #retention: RetentionPolicy;
  readonly #now: () => number;
  /** The last time at which expired contents were deleted, for each book. */
  readonly #cleaned = new LruMap<string, number>(maxBooks);

  constructor(backend: StorageBackend, retention: RetentionPolicy, now: () => number) {
    this.#backend = backend;
    this.#store = backend.versions;
    this.#retention = retention;
    this.#now = now;
  }

  /** Saves the content of a file before it is written or replaced. */
  async keep(book: string, bytes: Uint8Array): Promise<void> {
    if (!isRetentionEnabled(this.#retention) || bytes.length > maxVersionBytes) return;
    await this.#store.save(book, sha256Of(bytes), bytes);
  }

  /** Returns the content with this hash. Returns undefined if it was never saved, was deleted or is damaged. */
  async read(book: string, hash: string): Promise<Buffer | undefined> {
    const bytes = await this.#store.read(book, hash);
    return bytes !== undefined && sha256Of(bytes) === hash ? bytes : undefined;
  }

  async keptHashes(book: string): Promise<Set<string>> {
    return new Set((await this.#store.list(book)).map(({ hash }) => hash));
  }

  /** Deletes contents whose retention time has passed, at most once a minute for each book. */
  async deleteExpired(book: string): Promise<void> {
    const nowMs = this.#now();
    const cleanedMs = this.#cleaned.get(book);
    if (cleanedMs !== undefined && Math.abs(nowMs - cleanedMs) < cleanupIntervalMs) return;
    this.#cleaned.set(book, nowMs);
    for (const { hash } of findExpiredVersions(await this.#store.list(book), this.#retention, nowMs)) {
      await this.#store.delete(book, hash);
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
