import { basename } from 'node:path';
import { EventLoopYielder } from '../../../async/yielder.ts';
import { countSkipped, countUnparsedFile, createSkippedFileCounts } from '../access/skip.ts';
import type { FileTable } from '../index/file-table.ts';
import {
  type FileIndexState,
  type FolderTableRows,
  isIndexed,
  needsIndexing,
  type TableFile,
  tableFileAt,
} from '../index/folder.ts';
import type { PriorityQueues } from '../index/priority-queues.ts';
import { FileReadQueue, type ReadQueueTask } from '../index/work-queue.ts';
import { compareNewestFirst, NewestFirstQueue } from '../match/newest-queue.ts';
import { trigramHashesOf } from '../match/trigrams.ts';
import { type CallTimeControl, eventLoopTimeSliceMs } from '../workers/control.ts';
import type { FileReaderPool } from '../workers/pool.ts';
import type { FileStatus } from '../workers/reader-job.ts';

/**
 * The number of candidate files that are read first. The number is small, because a result page is often full after a
 * few files. Each further step reads twice as many.
 */
const firstCandidates = 24;
const maxCandidates = 512;
/** Idle workers are woken each time this number of files was added to the queue. */
const wakeEvery = 128;

/**
 * Searches phrases in the contents of files: it reads the files whose trigram signatures match, and those that are not
 * indexed.
 */
export class ContentSearch {
  readonly skipped = createSkippedFileCounts();
  readonly hits: TableFile[] = [];
  /** The documents whose text cannot be extracted. */
  readonly unparsed: TableFile[] = [];
  readonly #table: FileTable;
  /** Contains the hashes for each phrase. The trigram signature of a file with the phrase contains all of them. */
  readonly #hashes: readonly Uint32Array[];
  readonly #control: CallTimeControl;
  readonly #queue: FileReadQueue;
  /** The files whose trigram signatures match the phrases, and the hits of the previous call or of Spotlight. */
  #candidates: TableFile[];
  readonly #remembered = new Set<string>();
  #scanned = 0;
  #done = 0;

  /** `files` contains the files that a previous call has not read yet. */
  constructor(
    table: FileTable,
    readers: FileReaderPool,
    scope: string,
    phrases: readonly string[],
    control: CallTimeControl,
    files?: PriorityQueues,
  ) {
    [this.#table, this.#control] = [table, control];
    this.#hashes = phrases.map(phrase => trigramHashesOf(Buffer.from(phrase, 'utf8')));
    const task: ReadQueueTask = { allowedRoot: scope, phrases };
    const events = {
      onRead: (file: TableFile, status: FileStatus) => this.#onRead(file, status),
      onKnown: (file: TableFile) => this.#considerKnown(file),
      onBatch: (count: number) => this.#onBatch(count),
    };
    this.#queue = new FileReadQueue(table, readers, task, control, events, files);
    // The candidates that the previous call has not read are sorted again, together with those of this call.
    this.#candidates = this.#queue.files.first.take(Number.POSITIVE_INFINITY);
    this.#scanned = this.#queue.files.size;
  }

  /** True if no worker thread could be started. */
  get hasNoWorkers(): boolean {
    return this.#queue.hasNoWorkers;
  }

  /** Returns `index` if only files with a matching trigram signature were read, and `scan` otherwise. */
  get engine(): 'scan' | 'index' {
    return this.#scanned === 0 && this.#hashes.every(({ length }) => length > 0) ? 'index' : 'scan';
  }

  start(): void {
    this.#queue.start();
  }

  /** Stops the search and returns the unread files. */
  leave(): PriorityQueues {
    this.#queue.stop();
    const { files } = this.#queue;
    const candidates = [...files.first.take(Number.POSITIVE_INFINITY), ...this.#candidates];
    // The next call gets the remembered files from the hits of this call.
    files.first.putBack(candidates.filter(({ path }) => !this.#remembered.has(path)));
    return files;
  }

  /**
   * Adds a file to the queue if it is not indexed, or to the candidates if its trigram signature matches. Any other
   * file is skipped.
   */
  consider(folder: FolderTableRows, index: number): void {
    const state = folder.state(index);
    if (needsIndexing(state)) {
      this.#queue.files.add(folder, index);
      if (++this.#scanned % wakeEvery === 0) this.#queue.wake();
      return;
    }
    this.#count(state, folder.names[index] ?? '');
    if (isIndexed(state) && this.#mayHold(folder.signature(index))) this.#candidates.push(tableFileAt(folder, index));
  }

  /** Adds a hit of a previous call with the same query or of Spotlight, so that the file is read. */
  remember(file: TableFile): void {
    this.#remembered.add(file.path);
    this.#candidates.push(file);
  }

  /**
   * Reads candidate files, the newest first, until the page is full of hits that are newer than all remaining
   * candidates.
   */
  async readCandidates(needed: number): Promise<void> {
    const candidates = new NewestFirstQueue(this.#candidates);
    this.#candidates = [];
    const yielder = new EventLoopYielder(eventLoopTimeSliceMs);
    const { first } = this.#queue.files;
    let size = firstCandidates;
    for (
      let { next } = candidates;
      next !== undefined && !this.#control.isOver && !this.hasNoWorkers;
      { next } = candidates
    ) {
      const oldest = next;
      // A later call with the same query may request more results, for which it needs the remaining candidates.
      if (this.hits.filter(hit => compareNewestFirst(hit, oldest) < 0).length >= needed) break;
      for (const { folder, index } of candidates.takeSome(size)) {
        first.add(folder, index);
        await yielder.yieldIfDue();
      }
      await this.#queue.until(() => this.#queue.isDone(first));
      size = Math.min(size * 2, maxCandidates);
    }
    this.#candidates = candidates.rest();
  }

  /** Waits until all files are read or the call ends. */
  async finish(): Promise<void> {
    await this.#queue.until(() => this.#queue.isDone());
  }

  /** Tests a file again after another call has read and indexed this file. */
  #considerKnown(file: TableFile): void {
    const state = file.folder.state(file.index);
    this.#count(state, file.path);
    if (isIndexed(state) && this.#mayHold(file.folder.signature(file.index)))
      this.#queue.files.first.add(file.folder, file.index);
  }

  #mayHold(signature: number): boolean {
    return this.#hashes.every(hashes => this.#table.signatures.mayHold(signature, hashes));
  }

  #onRead(file: TableFile, status: FileStatus): void {
    if (status === 'match') this.hits.push(file);
    else this.#count(status, file.path);
    if (status === 'unparsed') this.unparsed.push(file);
  }

  #onBatch(count: number): void {
    this.#done += count;
    if (this.#scanned > 0) this.#control.progress(Math.min(this.#done, this.#scanned), this.#scanned);
  }

  #count(state: FileIndexState | FileStatus, file: string): void {
    if (state === 'unparsed') countUnparsedFile(this.skipped, file);
    else if (state === 'tooLarge' || state === 'online' || state === 'unreadable' || state === 'partly')
      countSkipped(this.skipped, state, basename(file));
  }
}
