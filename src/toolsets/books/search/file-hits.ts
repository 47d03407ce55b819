import { Failure } from '../../../errors/failure.ts';
import { maxLessonBytes } from '../library/book-files.ts';
import { mapInParallelInOrder } from '../library/map-in-order.ts';
import type { FileStorage, StorageEntry } from '../storage/file-storage.ts';
import type { MatchingLine } from './line-thread.ts';

export type FileHits = MatchingLine[] | 'noText' | 'stopped';

/**
 * Yields the matching lines of many files in the order of the files. The next file is read while a thread searches the
 * current one.
 */
export async function* findMatchingLines(
  storage: FileStorage,
  entries: readonly StorageEntry[],
  signal: AbortSignal,
  find: (key: string, bytes: Buffer) => Promise<FileHits>,
): AsyncGenerator<{ key: string; hits: FileHits }> {
  let before: { key: string; hits: Promise<FileHits> } | undefined;
  const read = async (entry: StorageEntry): Promise<Buffer | 'noText' | undefined> =>
    await bytesOf(storage, entry, signal);
  for await (const [{ key }, bytes] of mapInParallelInOrder(entries, storage.prefetch - 1, read, signal)) {
    if (before !== undefined) yield { key: before.key, hits: await before.hits };
    // A file that was deleted after it was listed contains no bytes.
    if (bytes === undefined) before = undefined;
    else before = { key, hits: bytes === 'noText' ? Promise.resolve(bytes) : find(key, bytes) };
  }
  if (before !== undefined) yield { key: before.key, hits: await before.hits };
}

async function bytesOf(
  storage: FileStorage,
  entry: StorageEntry,
  signal: AbortSignal,
): Promise<Buffer | 'noText' | undefined> {
  if (entry.kind !== 'file') return 'noText';
  try {
    return (await storage.read(entry, maxLessonBytes, signal))?.bytes;
  } catch (error) {
    if (error instanceof Failure) return 'noText';
    throw error;
  }
}
