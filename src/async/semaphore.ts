/** Limits the number of concurrent tasks. Tasks start in the order of the calls. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Runs the task when a slot is free. A task that is cancelled while it waits passes its slot to the next task. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
