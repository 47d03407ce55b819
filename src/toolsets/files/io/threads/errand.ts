import type { Control } from './control.ts';
import { type ReaderAnswer, type ReaderJob } from './messages.ts';
import type { PoolJob, ReaderPool, Reading } from './reader-pool.ts';

/** Has some jobs done for a call, and gives what came of each: nothing when the call was over before, or a reader was lost. */
export async function runJobs(
  readers: ReaderPool,
  jobs: readonly ReaderJob[],
  cpuMs: number,
  control: Control,
): Promise<readonly (ReaderAnswer | undefined)[]> {
  const errand = new Errand(jobs, cpuMs, control);
  readers.join(errand);
  await Promise.race([errand.done, control.over]);
  readers.leave(errand);
  return errand.answers;
}

class Errand implements Reading {
  spentMs = 0;
  readonly canWait = false;
  readonly answers: (ReaderAnswer | undefined)[];
  readonly done: Promise<void>;
  readonly #jobs: PoolJob[];
  readonly #control: Control;
  #next = 0;
  #left: number;
  #resolve = (): void => {};

  constructor(jobs: readonly ReaderJob[], cpuMs: number, control: Control) {
    this.#jobs = jobs.map(job => ({ ...job, cpuMs }));
    this.#control = control;
    this.#left = jobs.length;
    this.answers = jobs.map(() => undefined);
    this.done = new Promise(resolve => {
      this.#resolve = resolve;
    });
    if (jobs.length === 0) this.#resolve();
  }

  get isOver(): boolean {
    return this.#control.isOver;
  }

  next(): PoolJob | undefined {
    return this.#jobs[this.#next++];
  }

  take(job: PoolJob, answer: ReaderAnswer): void {
    this.answers[this.#jobs.indexOf(job)] = answer;
    this.#settle();
  }

  lose(): void {
    this.#settle();
  }

  #settle(): void {
    if (--this.#left === 0) this.#resolve();
  }
}
