/** A former content of a file. */
export interface StoredVersion {
  /** The SHA-256 of the content, which is the name of the stored file. */
  hash: string;
  size: number;
  /** The time at which the content was last saved or replaced. */
  savedMs: number;
}

/** The maximum age of former contents, and their maximum size per book. */
export interface RetentionPolicy {
  maxAgeMs: number;
  maxBytes: number;
}

/**
 * Returns the stored versions that must be deleted: those older than the retention time, then the oldest ones above the
 * size limit.
 */
export function findExpiredVersions(
  versions: readonly StoredVersion[],
  { maxAgeMs, maxBytes }: RetentionPolicy,
  nowMs: number,
): StoredVersion[] {
  let bytes = 0;
  return versions
    .toSorted((one, other) => other.savedMs - one.savedMs)
    .filter(({ size, savedMs }) => {
      bytes += size;
      return nowMs - savedMs >= maxAgeMs || bytes > maxBytes;
    });
}

/** Returns whether former contents are stored. If not, no content is saved, and stored versions are deleted. */
export function isRetentionEnabled({ maxAgeMs, maxBytes }: RetentionPolicy): boolean {
  return maxAgeMs > 0 && maxBytes > 0;
}
