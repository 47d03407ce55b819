/** How long other calls may have to wait for a long one. */
const breathMs = 25;

/** Lets other calls in between, and ends work nobody wants any more. */
export class Breath {
  readonly #signal: AbortSignal | undefined;
  #last = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isDue(): boolean {
    return performance.now() - this.#last > breathMs;
  }

  async take(): Promise<void> {
    if (this.isDue) {
      await new Promise(resolve => setImmediate(resolve));
      this.#last = performance.now();
    }
    this.#signal?.throwIfAborted();
  }
}
