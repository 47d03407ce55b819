import { setImmediate } from 'node:timers/promises';

/** Long work in slices: between two of them messages come in and other calls get on. */
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

  /** Nothing to wait for before the slice is over; throws when nobody wants the work any more. */
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
