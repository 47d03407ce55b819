import type { ReaderAnswer, ReaderJob } from './protocol.ts';

/** A source of jobs for the readers: a call, or the background index. */
export interface ReaderJobSource {
  /** True if the call has ended. Its running job is then stopped after the current file. */
  readonly isOver: boolean;
  /** True for background work, which has lower priority than all calls. */
  readonly isBackground: boolean;
  /**
   * The time that workers have spent on the jobs of this source. The source with the least time gets the next worker.
   */
  spentMs: number;
  /** Returns the next job, or undefined if there is none at the moment. */
  next(): ReaderPoolJob | undefined;
  /** Receives the answer to a job. The first `answer.done` files were read; the source must send the others again. */
  onAnswer(job: ReaderPoolJob, answer: ReaderAnswer): void;
  /**
   * Reports that a job ended because its worker was lost. `index` is the file that took too much time or memory, or -1.
   * The source must send the other files again.
   */
  onWorkerLost(job: ReaderPoolJob, index: number): void;
  /** Reports that no worker can be started. The source was removed from the pool and must join again. */
  onNoWorkers(): void;
}

export interface ReaderPoolJob extends ReaderJob {
  /** The limit in milliseconds on the CPU time for one document. */
  cpuMs: number;
}

/**
 * The CPU limits for the first and the last attempt to read a document. A second attempt follows after all other files
 * were read.
 */
export const firstAttemptCpuMs = 600;
export const lastAttemptCpuMs = 3000;
