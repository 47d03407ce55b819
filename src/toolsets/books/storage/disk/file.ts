import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  close,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  openSync,
  read,
  readSync,
  write,
} from 'node:fs';
import { promisify } from 'node:util';
import { tryOrUndefined } from '../../../../errors/system-error.ts';
import { createStorageFailure } from '../../model/refusal.ts';
import { toStorageFailure } from '../system-error.ts';

/** Files up to this size are read synchronously, because this is faster. Larger files are read asynchronously. */
const shortBytes = 1 << 20;
const streamBytes = 1 << 18;
/** Long work is divided into chunks of this number of bytes, and other calls run between two chunks. */
export const fileChunkBytes = 1 << 20;
const maxTries = 3;

export const syncDescriptor = promisify(fsync);
export const closeDescriptor = promisify(close);

/** Returns a string that changes when the content of a file changes, as far as its stat shows this. */
export function fileVersionOf(stat: Pick<BigIntStats, 'ctimeNs' | 'ino' | 'mtimeNs' | 'size'>): string {
  return `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

export function statDescriptor(descriptor: number): BigIntStats {
  return fstatSync(descriptor, { bigint: true });
}

/**
 * Converts a time in nanoseconds to a date. It is truncated to milliseconds, because rounding could make a file newer
 * than it is.
 */
export function convertNanosecondsToDate(ns: bigint): Date {
  return new Date(Number(ns / 1_000_000n));
}

/** Reads a file until its end, and reads it again if another program changes it at the same time. */
async function readUnchanged<Result>(
  descriptor: number,
  key: string,
  readOnce: (size: number) => Promise<Result | undefined>,
): Promise<{ result: Result; stat: BigIntStats }> {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const stat = statDescriptor(descriptor);
    const result = await readOnce(Number(stat.size));
    if (result !== undefined && isUnchanged(stat, statDescriptor(descriptor))) return { result, stat };
  }
  throw changedWhileRead(key);
}

export async function readWholeFile(descriptor: number, key: string): Promise<Buffer> {
  const { result } = await readUnchanged(descriptor, key, async size => {
    const bytes = Buffer.allocUnsafe(size);
    for (let filled = 0; filled < size; ) {
      const count = await readChunkAt(descriptor, bytes.subarray(filled), filled, size);
      if (count === 0) return undefined;
      filled += count;
    }
    return bytes;
  });
  return result;
}

/** Returns the SHA-256 of a file of any size. */
export async function hashWholeFile(
  descriptor: number,
  key: string,
  signal?: AbortSignal,
): Promise<{ hash: string; stat: BigIntStats }> {
  const { result, stat } = await readUnchanged(descriptor, key, async size => {
    const sum = createHash('sha256');
    const piece = Buffer.allocUnsafe(Math.max(1, Math.min(size, streamBytes)));
    let position = 0;
    // The limit ends the loop for a file that grows as fast as it is read.
    while (position <= size) {
      signal?.throwIfAborted();
      const count = await readChunkAt(descriptor, piece, position, size);
      if (count === 0) break;
      sum.update(piece.subarray(0, count));
      position += count;
    }
    return position === size ? sum.digest('hex') : undefined;
  });
  return { hash: result, stat };
}

/**
 * Reuses the buffers for chunks, because an archive of many files would otherwise allocate one buffer for each chunk.
 */
export class BufferPool {
  readonly #free: Buffer[] = [];

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafe(streamBytes);
  }

  giveBack(piece: Buffer): void {
    if (this.#free.length < 4) this.#free.push(piece);
  }
}

/** Yields a file in chunks that share one buffer. Closes the file at the end. */
export async function* readFileChunks(
  descriptor: number,
  size: number,
  key: string,
  pool: BufferPool,
): AsyncGenerator<Uint8Array> {
  const piece = pool.take();
  try {
    const before = statDescriptor(descriptor);
    for (let position = 0; position < size; ) {
      const count = await readChunkAt(descriptor, piece, position);
      if (count === 0) throw changedWhileRead(key);
      yield piece.subarray(0, Math.min(count, size - position));
      position += count;
    }
    if (!isUnchanged(before, statDescriptor(descriptor))) throw changedWhileRead(key);
  } catch (error) {
    throw toStorageFailure(error, `Reading ${key} failed`, key);
  } finally {
    pool.giveBack(piece);
    await closeDescriptor(descriptor);
  }
}

/** The permission modes of new files and folders. */
export interface FileModes {
  folder: number;
  file: number;
}

/**
 * Returns the permission modes for the journal and its locks. They are those of the root folder without permissions for
 * other users, so that a group can share a library.
 */
export function computePrivateFileModes(rootMode: number): FileModes {
  return { folder: (rootMode & 0o770) | 0o700, file: (rootMode & 0o660) | 0o600 };
}

/** Returns the permission modes for archives of a published library, which a web server must be able to read. */
export function computePublicFileModes({ folder, file }: FileModes): FileModes {
  return { folder: folder | 0o755, file: file | 0o644 };
}

/** Creates a file with a permission mode, independent of the umask. Windows has no O_NOFOLLOW, which `|` ignores. */
export function createFileWithMode(path: string, flags: number, mode: number): number {
  const descriptor = openSync(path, flags | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode);
  setFileMode(descriptor, mode);
  return descriptor;
}

/**
 * Sets the mode of an open file, because the umask may have removed permissions. FAT and some network drives have no
 * modes.
 */
export function setFileMode(descriptor: number, mode: number): void {
  const current = fstatSync(descriptor).mode;
  if (process.platform === 'win32' || (current & 0o777) === mode) return;
  // The set-group-id bit that a folder has inherited is kept.
  tryOrUndefined(() => fchmodSync(descriptor, (current & 0o7000) | mode));
}

/** Writes a new temporary file and syncs it, so that it can be renamed to its final name. */
export async function writeTemporaryFile(path: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const descriptor = openSync(path, flags, 0o666);
  try {
    for (let written = 0; written < bytes.length; ) written += await writeSome(descriptor, bytes, written);
    if (mode !== undefined) fchmodSync(descriptor, mode & 0o777);
    await syncDescriptor(descriptor);
  } finally {
    await closeDescriptor(descriptor);
  }
}

function isUnchanged(before: BigIntStats, after: BigIntStats): boolean {
  return before.size === after.size && before.mtimeNs === after.mtimeNs;
}

function changedWhileRead(key: string): Error {
  return createStorageFailure('BUSY', `${key} is being written by another program.`, {
    path: key,
    suggestion: 'Try again in a moment.',
  });
}

/** Fills a buffer from a position of a file. A short file is read synchronously. Returns the number of bytes. */
async function readChunkAt(
  descriptor: number,
  into: Buffer,
  position: number,
  size = Number.POSITIVE_INFINITY,
): Promise<number> {
  if (size <= shortBytes) return readSync(descriptor, into, 0, into.length, position);
  return await new Promise((resolve, reject) => {
    read(descriptor, into, 0, into.length, position, (error, count) =>
      error === null ? resolve(count) : reject(error),
    );
  });
}

async function writeSome(descriptor: number, bytes: Uint8Array, offset: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    write(descriptor, bytes, offset, bytes.length - offset, null, (error, count) =>
      error === null ? resolve(count) : reject(error),
    );
  });
}

/** Yields a range of a file in chunks. Each chunk has its own buffer. */
export async function* readRangeInChunks(descriptor: number, from: number, to: number): AsyncGenerator<Buffer> {
  for (let position = from; position < to; ) {
    const piece = Buffer.allocUnsafe(Math.min(fileChunkBytes, to - position));
    const count = await readChunkAt(descriptor, piece, position, to - from);
    if (count === 0) return;
    yield piece.subarray(0, count);
    position += count;
  }
}
