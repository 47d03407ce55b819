import type { WordMatch } from '../match/word-match.ts';
import { type CallTimeControl, ConditionVariable } from '../workers/control.ts';
import {
  cpuLimitOfFirstAttemptMs,
  cpuLimitOfLastAttemptMs,
  type ReaderJobSource,
  type ReaderPoolJob,
} from '../workers/job-source.ts';
import type { FileReaderPool } from '../workers/pool.ts';
import type { FileStatus, ReaderAnswer, ReaderJob } from '../workers/reader-job.ts';
import type { FileTable } from './file-table.ts';
import type { TableFile } from './folder.ts';
import { type FileQueue, PriorityQueues } from './priority-queues.ts';
import { markSlowDocument, markUnparsedDocument, storeReaderResults } from './reader-results.ts';

/** The task that workers execute for each file of a queue. */
export type ReadQueueTask = Pick<ReaderJob, 'allowedRoot' | 'phrases' | 'terms'>;

export interface ReadQueueEvents {
  /** Called for each file that was read, and for each file that exceeded the CPU limit at the last attempt. */
  onRead(file: TableFile, status: FileStatus, match: WordMatch): void;
  /** Called for a file that another queue has read since it was added to this queue. */
  onKnown(file: TableFile): void;
  /** Called after each job, with the number of files that were read. */
  onBatch(count: number): void;
}

/** A job that a worker is executing. */
interface Work {
  files: readonly TableFile[];
  /** The queue from which the files of the job were taken. Unread files return to it. */
  from: FileQueue;
  /** The time when the job was sent, as Date.now() returns it. */
  sentAt: number;
}

const noMatch: WordMatch = { qualities: 0, closeness: 0 };

/** Sends files to the worker threads, for one call or for the background index, and stores each result in the table. */
export class FileReadQueue implements ReaderJobSource {
  spentMs = 0;
  /** True if no worker thread could be started. This is then the reason for unread files, and not the time limit. */
  hasNoWorkers = false;
  readonly files: PriorityQueues;
  readonly #table: FileTable;
  readonly #readers: FileReaderPool;
  readonly #task: ReadQueueTask;
  readonly #control: CallTimeControl | undefined;
  readonly #events: Partial<ReadQueueEvents>;
  readonly #work = new Map<ReaderPoolJob, Work>();
  readonly #changed = new ConditionVariable();
  #isStopped = false;

  constructor(
    table: FileTable,
    readers: FileReaderPool,
    task: ReadQueueTask,
    control: CallTimeControl | undefined,
    events: Partial<ReadQueueEvents> = {},
    files = new PriorityQueues(table),
  ) {
    [this.#table, this.#readers, this.#task, this.#control] = [table, readers, task, control];
    [this.#events, this.files] = [events, files];
  }

  get isBackground(): boolean {
    return this.#control === undefined;
  }

  get isOver(): boolean {
    return this.#control?.isOver === true;
  }

  start(): void {
    this.#readers.join(this);
  }

  /**
   * Stops sending files. Files that a worker thread reads at this moment remain in the queue, but their results are
   * still stored in the table.
   */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#readers.leave(this);
    for (const { files, from } of this.#work.values()) from.putBack(files);
    this.#changed.notify();
  }

  wake(): void {
    this.#readers.wake();
  }

  /** Waits until the condition is true, the call ends, or no worker thread can be started. */
  async until(isTrue: () => boolean): Promise<void> {
    this.wake();
    const reached = this.#changed.until(() => this.hasNoWorkers || this.#isStopped || isTrue());
    await (this.#control === undefined ? reached : Promise.race([reached, this.#control.over]));
  }

  /** Returns whether all files, or all files of one queue, were read. */
  isDone(queue?: FileQueue): boolean {
    if (queue === undefined) return this.files.size === 0 && this.#work.size === 0;
    return queue.size === 0 && [...this.#work.values()].every(({ from }) => from !== queue);
  }

  next(): ReaderPoolJob | undefined {
    for (const from of this.files.inOrder) {
      const files = this.files.take(from, this.#readers.size, file => this.#events.onKnown?.(file));
      if (files.length > 0) return this.#begin(files, from);
    }
    // Re-evaluates the condition of `until`, because another call may have read the last files of this queue.
    this.#changed.notify();
    // `onKnown` can add files to the first queue, which the loop has already passed.
    return this.files.first.size === 0 ? undefined : this.next();
  }

  #begin(files: readonly TableFile[], from: FileQueue): ReaderPoolJob {
    const isFirst = from === this.files.first;
    const job: ReaderPoolJob = {
      ...this.#task,
      paths: files.map(({ path }) => path),
      // No trigram signatures are created for the text files of the first queue. In a search for a phrase these files
      // usually have a signature already. A search by words puts all files into this queue, and their signatures are
      // created later in the background.
      isSigning: !isFirst,
      cpuMs: isFirst || from === this.files.slow ? cpuLimitOfLastAttemptMs : cpuLimitOfFirstAttemptMs,
      ...(isFirst && {
        texts: files.map(({ path, folder, index }) => this.#table.texts.find(path, folder.stat(index))),
      }),
    };
    this.#work.set(job, { files, from, sentAt: Date.now() });
    return job;
  }

  onAnswer(job: ReaderPoolJob, answer: ReaderAnswer): void {
    const work = this.#work.get(job);
    if (work === undefined) return;
    storeReaderResults(this.#table, work.files, answer, work.sentAt, (file, status, index) => {
      const [qualities = 0, closeness = 0] = [answer.qualities[index], answer.closeness[index]];
      this.#tell(file, status, { qualities, closeness });
    });
    this.#finishJob(job, work, work.files.slice(answer.done));
    if (!this.#isStopped) this.#events.onBatch?.(answer.done);
  }

  #tell(file: TableFile, status: FileStatus, match = noMatch): void {
    if (!this.#isStopped) this.#events.onRead?.(file, status, match);
  }

  onWorkerLost(job: ReaderPoolJob, index: number): void {
    const work = this.#work.get(job);
    if (work === undefined) return;
    // There is no culprit if the worker had not begun with a file.
    const culprit = work.files[index];
    if (culprit !== undefined && job.cpuMs < cpuLimitOfLastAttemptMs) {
      markSlowDocument(this.#table, culprit);
      if (!this.#isStopped) this.files.slow.putBack([culprit]);
    } else if (culprit !== undefined) {
      markUnparsedDocument(this.#table, culprit);
      this.#tell(culprit, 'unparsed');
    }
    const rest = work.files.filter(file => file !== culprit);
    this.#finishJob(job, work, rest);
  }

  onNoWorkers(): void {
    this.hasNoWorkers = true;
    this.#changed.notify();
  }

  /** Puts the unread files of a finished job back into the queue from which they came. */
  #finishJob(job: ReaderPoolJob, { from, files }: Work, rest: readonly TableFile[]): void {
    this.#work.delete(job);
    for (const { path } of files) this.#table.documentsInProgress.delete(path);
    if (!this.#isStopped) from.putBack(rest);
    this.#changed.notify();
  }
}
