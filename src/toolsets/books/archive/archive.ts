import { randomBytes } from 'node:crypto';
import { ftruncateSync } from 'node:fs';
import { Failure } from '../../../errors/failure.ts';
import type { CallContext } from '../../../toolset/toolset.ts';
import type { BookFiles } from '../library/book-files.ts';
import { mapInParallelInOrder } from '../library/map-in-order.ts';
import {
  type ArchiveScope,
  archivedFolderOf,
  createArchiveEntryName,
  createArchiveNames,
  explainUnsafeName,
  isAlreadyCompressed,
} from '../model/archive-plan.ts';
import { archivesFolder, compareCodePoints } from '../model/key.ts';
import { createStorageFailure } from '../model/refusal.ts';
import type { FileStorage, StorageEntry } from '../storage/file-storage.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';
import { toStorageFailure } from '../storage/system-error.ts';
import { type CompressedFile, compressFile, ZipWriter } from './zip-writer.ts';

/** Files up to this size are compressed in memory, several in parallel. Their buffers are reused. */
const smallBytes = 1 << 20;
/** The number of files that are compressed before they are needed. */
const packedAhead = 1;
const progressMs = 100;
/** This compression level gives nearly the size of the default level in two thirds of its time. */
const level = 5;

export interface ArchiveOptions {
  book: string;
  scope: ArchiveScope;
  limitMs: number;
  ttlMs: number;
  signal: AbortSignal;
  progress: CallContext['progress'];
}

export interface ArchiveResult {
  key: string;
  fileCount: number;
  contentBytes: number;
  archiveBytes: number;
  failures: Failed[];
  isTimedOut: boolean;
  elapsedMs: number;
  peakMemoryBytes: number;
  expiresMs: number;
}

interface Job {
  key: string;
  name: string;
  /** The size of the file when it was listed. */
  size: number;
}

/** Creates a ZIP archive of a book or of a part of it, and publishes it. */
export async function createArchive(
  { storage, createArchive: create }: Pick<StorageBackend, 'storage' | 'createArchive'>,
  files: BookFiles,
  order: ArchiveOptions,
  now: () => number,
): Promise<ArchiveResult> {
  const started = performance.now();
  const { jobs, failures } = await plan(files, order);
  const date = new Date(now()).toISOString().slice(0, 10);
  const { part, finished } = createArchiveNames(order.book, order.scope, date, randomBytes(8).toString('hex'));
  const made = await create(part);
  let isFinished = false;
  try {
    const work = new ArchiveWork(storage, order, failures, new ZipWriter(made.descriptor, level), started);
    await work.run(jobs);
    ftruncateSync(made.descriptor, work.zip.bytes);
    const expiresMs = now() + order.ttlMs;
    const name = finished(expiresMs);
    await made.finish(name);
    isFinished = true;
    return work.result(`${archivesFolder}/${name}`, expiresMs);
  } catch (error) {
    throw toStorageFailure(error, `Making the archive of ${order.book} failed`, archivesFolder);
  } finally {
    if (!isFinished) await made.discard();
  }
}

interface Failed {
  path: string;
  error: string;
}

/** Selects the files of an archive. A file that cannot be included is listed with the reason. */
async function plan(
  files: BookFiles,
  { book, scope, signal }: ArchiveOptions,
): Promise<{ jobs: Job[]; failures: Failed[] }> {
  const jobs: Job[] = [];
  const failures: Failed[] = [];
  const entries = await files.list(book, archivedFolderOf(scope), signal);
  if (entries === undefined) await files.require(book);
  for (const { key, kind, size, unreadable } of entries ?? []) {
    const name = createArchiveEntryName(book, key);
    if (name === undefined) continue;
    const error = unreadable ?? explainUnsafeName(name) ?? otherKinds[kind];
    if (error === undefined) jobs.push({ key, name, size });
    else failures.push({ path: name, error });
  }
  return { jobs, failures };
}

const otherKinds: Readonly<Record<StorageEntry['kind'], string | undefined>> = {
  file: undefined,
  link: 'A symbolic link, not followed.',
  other: 'Not a plain file.',
};

class TimeIsUp extends Error {}

class ArchiveWork {
  readonly zip: ZipWriter;
  readonly #storage: FileStorage;
  readonly #order: ArchiveOptions;
  readonly #started: number;
  readonly #failures: Failed[];
  readonly #memory: Buffer[] = [];
  readonly #startMemory = process.memoryUsage.rss();
  #peakMemory = 0;
  #fileCount = 0;
  #contentBytes = 0;
  #isTimedOut = false;
  /** The progress in steps: one for each byte and one for each file, so that empty files count too. */
  #steps = 0;
  #allSteps = 0;
  #toldAt = 0;
  #told = 0;

  constructor(storage: FileStorage, order: ArchiveOptions, failures: Failed[], zip: ZipWriter, started: number) {
    this.#storage = storage;
    this.#order = order;
    this.#failures = failures;
    this.zip = zip;
    this.#started = started;
  }

  async run(jobs: readonly Job[]): Promise<void> {
    this.#allSteps = jobs.reduce((sum, { size }) => sum + size + 1, 0);
    const pack = async (job: Job): Promise<CompressedFile | Error | undefined> => await this.#tryPack(job);
    // Files are compressed in memory while earlier files are written. Both follow the order of the names.
    for await (const [job, packed] of mapInParallelInOrder(jobs, packedAhead, pack)) {
      await this.#enter(job, packed);
      this.#peakMemory = Math.max(this.#peakMemory, process.memoryUsage.rss() - this.#startMemory);
      this.#steps += job.size + 1;
      this.#tell(this.#steps, job.name);
    }
    await this.zip.finish();
  }

  /** Reports the progress, at most once in a time interval. */
  #tell(steps: number, name: string): void {
    const now = performance.now();
    if (steps <= this.#told || (steps < this.#allSteps && now - this.#toldAt < progressMs)) return;
    this.#toldAt = now;
    this.#told = steps;
    this.#order.progress(steps, this.#allSteps, name);
  }

  result(key: string, expiresMs: number): ArchiveResult {
    return {
      key,
      fileCount: this.#fileCount,
      contentBytes: this.#contentBytes,
      archiveBytes: this.zip.bytes,
      failures: this.#failures.sort((one, other) => compareCodePoints(one.path, other.path)),
      isTimedOut: this.#isTimedOut,
      elapsedMs: performance.now() - this.#started,
      peakMemoryBytes: this.#peakMemory,
      expiresMs,
    };
  }

  /** Compresses a file in memory in advance. Returns undefined if it is too large or already compressed. */
  async #tryPack(job: Job): Promise<CompressedFile | Error | undefined> {
    if (isAlreadyCompressed(job.name)) return undefined;
    const memory = this.#memory.pop() ?? Buffer.allocUnsafe(smallBytes);
    try {
      this.#check();
      const source = await this.#storage.stream(job.key, this.#order.signal);
      if (source === undefined) return createStorageFailure('UNAVAILABLE', 'The file was deleted.');
      if (source.size > smallBytes) {
        await source.close();
        return undefined;
      }
      let filled = 0;
      for await (const piece of source.pieces) {
        memory.set(piece, filled);
        filled += piece.length;
      }
      return await compressFile(memory.subarray(0, filled), level);
    } catch (error) {
      // The error is returned and not thrown, because the promise is awaited later, when the file is written.
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#memory.push(memory);
    }
  }

  async #enter({ key, name, size }: Job, packed: CompressedFile | Error | undefined): Promise<void> {
    try {
      this.#check();
      if (packed instanceof Error) throw packed;
      if (packed === undefined) {
        const source = await this.#storage.stream(key, this.#order.signal);
        if (source === undefined) throw createStorageFailure('UNAVAILABLE', 'The file was deleted.');
        const method = isAlreadyCompressed(name) ? 'store' : 'deflate';
        await this.zip.addPieces(name, method, source.size, source.pieces, seen => {
          this.#check();
          this.#tell(this.#steps + Math.min(seen, size), name);
        });
        this.#contentBytes += source.size;
      } else {
        await this.zip.addPacked(name, packed);
        this.#contentBytes += packed.size;
      }
      this.#fileCount++;
    } catch (error) {
      if (error instanceof TimeIsUp) this.#isTimedOut = true;
      else if (!(error instanceof Failure) || this.#order.signal.aborted) throw error;
      this.#failures.push({ path: name, error: error.message });
    }
  }

  #check(): void {
    this.#order.signal.throwIfAborted();
    if (performance.now() - this.#started >= this.#order.limitMs)
      throw new TimeIsUp('Left out: the time limit was reached.');
  }
}
