import { archiveExpiryOf } from '../model/archive-plan.ts';
import { archivesFolder } from '../model/key.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';

/** The minimum time between two searches for expired archives. It is longer in a bucket, because requests cost money. */
const searchIntervalMs = { fs: 1000, s3: 600_000 };

/**
 * Returns a function that deletes the expired archives of a library. Each name contains its expiry time, so that any
 * server can delete them. Those in `own`, the archives of this process and their expiry times, need no search.
 */
export function createArchiveDeletion(
  { storage, internal, storeTime }: StorageBackend,
  own: Map<string, number>,
  now: () => number,
): () => Promise<void> {
  let searchedMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = now();
    for (const [key, expiresMs] of own) {
      if (expiresMs > nowMs) continue;
      await internal.delete(key);
      own.delete(key);
    }
    if (Math.abs(nowMs - searchedMs) < searchIntervalMs[storage.backend]) return;
    searchedMs = nowMs;
    for (const { key, kind, modified } of (await storage.list(archivesFolder)) ?? []) {
      const expiresMs = archiveExpiryOf(key.slice(archivesFolder.length + 1), modified.getTime()) ?? Infinity;
      // With a wrong clock, this process would delete the archives of other servers too early.
      if (kind === 'file' && !own.has(key) && expiresMs <= storeTime()) await internal.delete(key);
    }
  };
}
