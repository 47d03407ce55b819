import type { ReaderAnswer, ReaderJob } from './reader-job.ts';

/** A source of jobs for the worker threads: a call, or the background index. */
export interface ReaderJobSource {
  /** True if the call has ended. Its running job is then stopped after the current file. */
  readonly isOver: boolean;
  /** True for background work, which has lower priority than all calls. */
  readonly isBackground: boolean;
  /**
   * The worker time that the jobs of this source have used. The scheduler assigns the next free worker to the source
   * with the least time.
   */
  spentMs: number;
  /** Returns the next job, or undefined if there is none at the moment. */
  next(): ReaderPoolJob | undefined;
  /**
   * Receives the response to a job. The first `answer.done` files of the job were read. The source must send the others
   * again.
   */
  onAnswer(job: ReaderPoolJob, answer: ReaderAnswer): void;
  /**
   * Reports that a job ended because its worker thread ended. `index` is the file that took too much time or memory, or
   * `notBegun`. The source must send the other files again.
   */
  onWorkerLost(job: ReaderPoolJob, index: number): void;
  /**
   * Reports that no worker thread can be started. The pool has removed the source, so that the source must join again.
   */
  onNoWorkers(): void;
}

export interface ReaderPoolJob extends ReaderJob {
  /** The CPU time limit for one document in milliseconds. */
  cpuMs: number;
}

/**
 * The CPU limits for the first and the last attempt to read a document. The last attempt follows after all other files
 * were read. Candidates, excerpts and metadata have only one attempt, the last one.
 */
export const cpuLimitOfFirstAttemptMs = 600;
export const cpuLimitOfLastAttemptMs = 3000;
