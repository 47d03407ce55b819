import { cpuLimitOfLastAttemptMs, type ReaderJobSource, type ReaderPoolJob } from './job-source.ts';
import type { FileReaderPool } from './pool.ts';
import { notBegun, type ReaderAnswer, type ReaderJob } from './reader-job.ts';

/**
 * A long loop yields to the event loop after this time, so that workers can get their next files. Time limits and
 * cancellations also take effect only when the loop yields.
 */
export const eventLoopTimeSliceMs = 3;

/** The state of a call. The call ends when it is cancelled or when its time limit has passed. */
export interface CallTimeControl {
  readonly isOver: boolean;
  readonly isTimedOut: boolean;
  readonly remainingMs: number;
  /** Resolves when the call is cancelled or its time limit has passed. */
  readonly over: Promise<void>;
  progress(done: number, total: number): void;
}

/** A call with a time limit. Its creator must call `settle` when the call has a result, which stops the timer. */
export interface TimedCallControl extends CallTimeControl {
  cancel(): void;
  settle(): void;
}

export function startCallTimeControl(timeoutMs: number, progress: CallTimeControl['progress']): TimedCallControl {
  let [isOver, isTimedOut] = [false, false];
  let resolve = (): void => {};
  const over = new Promise<void>(done => {
    resolve = done;
  });
  const end = (): void => {
    isOver = true;
    resolve();
  };
  const endsAt = performance.now() + timeoutMs;
  const timer = setTimeout(() => {
    isTimedOut = true;
    end();
  }, timeoutMs);
  return {
    get isOver() {
      return isOver;
    },
    get isTimedOut() {
      return isTimedOut;
    },
    get remainingMs() {
      return endsAt - performance.now();
    },
    over,
    progress,
    cancel: end,
    settle: () => clearTimeout(timer),
  };
}

/** Lets functions wait until a condition is true. Any code that changes the condition must call `notify`. */
export class ConditionVariable {
  #waiting: (() => void)[] = [];

  notify(): void {
    for (const test of this.#waiting.splice(0)) test();
  }

  until(isTrue: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const test = (): void => {
        if (isTrue()) resolve();
        else this.#waiting.push(test);
      };
      test();
    });
  }
}

/**
 * Lets workers execute jobs for a call, and returns their responses. A response is undefined if the call ended before
 * it arrived, or if no worker thread could be started.
 */
export async function runReaderJobs(
  readers: FileReaderPool,
  jobs: readonly ReaderJob[],
  control: CallTimeControl,
): Promise<readonly (ReaderAnswer | undefined)[]> {
  const all = jobs.map(job => ({ ...job, cpuMs: cpuLimitOfLastAttemptMs }));
  const todo = [...all];
  const answers = new Map<ReaderPoolJob, ReaderAnswer>();
  const changed = new ConditionVariable();
  let left = all.length;
  const countAnswers = (count: number): void => {
    left -= count;
    changed.notify();
  };
  const errand: ReaderJobSource = {
    spentMs: 0,
    isBackground: false,
    get isOver() {
      return control.isOver;
    },
    next: () => todo.shift(),
    onAnswer(job, answer) {
      answers.set(job, answer);
      countAnswers(1);
    },
    onWorkerLost: (job, index) => (index === notBegun ? void todo.push(job) : countAnswers(1)),
    onNoWorkers: () => countAnswers(left),
  };
  readers.join(errand);
  await Promise.race([changed.until(() => left <= 0), control.over]);
  readers.leave(errand);
  return all.map(job => answers.get(job));
}
