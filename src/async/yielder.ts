import { setImmediate } from 'node:timers/promises';

/** Divides long work into time slices. Between two slices the event loop handles messages and other calls. */
export class EventLoopYielder {
  readonly #sliceMs: number;
  readonly #signal: AbortSignal | undefined;
  #started = performance.now();

  constructor(sliceMs: number, signal?: AbortSignal) {
    this.#sliceMs = sliceMs;
    this.#signal = signal;
  }

  get isDue(): boolean {
    return performance.now() - this.#started > this.#sliceMs;
  }

  /**
   * Returns undefined during a time slice, and otherwise a promise for the next slice. Throws if the call is cancelled.
   */
  yieldIfDue(): Promise<void> | undefined {
    this.#signal?.throwIfAborted();
    return this.isDue ? this.#turn() : undefined;
  }

  async #turn(): Promise<void> {
    await setImmediate();
    this.#started = performance.now();
    this.#signal?.throwIfAborted();
  }
}
