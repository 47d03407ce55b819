import { EventLoopYielder } from '../../../async/yielder.ts';
import { type Medium, sliceMs, type VersionStore } from '../medium/medium.ts';
import { hashOf } from '../model/hash.ts';
import { readRecord } from '../model/journal.ts';
import type { Place } from '../model/key.ts';
import { placeOfRecord } from '../model/record.ts';
import { expiredVersions, isRetentionEnabled, type Retention } from '../model/retention.ts';
import { LruMap } from './lru-map.ts';

/** One change of a file, as the journal records it. */
export interface FileChange {
  time: string;
  author: string;
  operation: string;
  /** null if the file was deleted. */
  hash: string | null;
}

/** Larger files are not saved. An upload has at most 11 MiB. */
export const maxKeptBytes = 16 * 1024 * 1024;
const cleanupIntervalMs = 60_000;
const maxBooks = 1000;

/** The former contents of files, which are kept by hash for some time, and the changes in the journal. */
export class VersionHistory {
  readonly #medium: Medium;
  readonly #store: VersionStore;
  readonly #retention: Retention;
  readonly #now: () => number;
  /** The time of the last cleanup of each book. */
  readonly #cleaned = new LruMap<string, number>(maxBooks);

  constructor(medium: Medium, retention: Retention, now: () => number) {
    this.#medium = medium;
    this.#store = medium.versions;
    this.#retention = retention;
    this.#now = now;
  }

  /** Saves a content before it is written or replaced. */
  async keep(book: string, bytes: Uint8Array): Promise<void> {
    if (!isRetentionEnabled(this.#retention) || bytes.length > maxKeptBytes) return;
    await this.#store.save(book, hashOf(bytes), bytes);
  }

  /**
   * Returns the content with this hash, or undefined if it was never saved or is already deleted. Damaged content
   * counts as missing.
   */
  async read(book: string, hash: string): Promise<Buffer | undefined> {
    const bytes = await this.#store.read(book, hash);
    return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
  }

  async keptHashes(book: string): Promise<Set<string>> {
    return new Set((await this.#store.list(book)).map(({ hash }) => hash));
  }

  /** Deletes versions after their retention time, at most once a minute for each book. */
  async deleteExpired(book: string): Promise<void> {
    const nowMs = this.#now();
    const cleanedMs = this.#cleaned.get(book);
    if (cleanedMs !== undefined && Math.abs(nowMs - cleanedMs) < cleanupIntervalMs) return;
    this.#cleaned.set(book, nowMs);
    for (const { hash } of expiredVersions(await this.#store.list(book), this.#retention, nowMs)) {
      await this.#store.delete(book, hash);
    }
  }

  /**
   * Returns the completed changes of a file, oldest first. A change by another program has the time of its discovery.
   */
  async changesOf({ book, path, user }: Place, signal: AbortSignal): Promise<FileChange[]> {
    const changes: FileChange[] = [];
    const yielder = new EventLoopYielder(sliceMs, signal);
    for await (const lines of this.#medium.log(book).lines(signal)) {
      await yielder.yieldIfDue();
      for (const line of lines) {
        const record = line.includes(JSON.stringify(path)) ? readRecord(line) : undefined;
        if (record === undefined || !['commit', 'external'].includes(record.kind)) continue;
        const place = placeOfRecord(book, record);
        if (place.path !== path || place.user !== user) continue;
        const { changed, time, agent, operation } = record;
        changes.push({ time: changed ?? time, author: agent, operation, hash: record.new });
      }
    }
    return changes;
  }
}
