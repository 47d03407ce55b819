import { archiveExpiryOf } from '../model/archive-plan.ts';
import { archivesFolder } from '../model/key.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';

/** The minimum time between two searches for expired archives. It is longer in a bucket, because requests cost money. */
const searchIntervalMs = { fs: 1000, s3: 600_000 };

/** Deletes the expired archives of a library. Each name contains its expiry time, so that any server can delete them. */
export class ExpiredArchives {
  readonly #backend: StorageBackend;
  readonly #now: () => number;
  #searchedMs = Number.NEGATIVE_INFINITY;
  /** The archives of this process and their expiry times. They are deleted without a search. */
  readonly #own = new Map<string, number>();

  constructor(backend: StorageBackend, now: () => number) {
    this.#backend = backend;
    this.#now = now;
  }

  /** Adds an archive that this process has created. */
  add(key: string, expiresMs: number): void {
    this.#own.set(key, expiresMs);
  }

  async delete(): Promise<void> {
    const { storage, internal } = this.#backend;
    const nowMs = this.#now();
    for (const [key, expiresMs] of this.#own) {
      if (expiresMs > nowMs) continue;
      await internal.delete(key);
      this.#own.delete(key);
    }
    if (Math.abs(nowMs - this.#searchedMs) < searchIntervalMs[storage.backend]) return;
    this.#searchedMs = nowMs;
    for (const { key, kind, modified } of (await storage.list(archivesFolder)) ?? []) {
      const expiresMs = archiveExpiryOf(key.slice(archivesFolder.length + 1), modified.getTime());
      if (kind === 'file' && expiresMs !== undefined && expiresMs <= nowMs) await internal.delete(key);
    }
  }
}
