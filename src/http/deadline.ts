/** Thrown when the time limit of a request has passed. */
export class TimeoutError extends Error {}

export interface DeadlineOptions {
  /** If this signal is aborted, the request ends with the reason of the signal. */
  signal?: AbortSignal;
  /** The time limit of the whole request, from the wait for a connection to the last byte of the response. */
  timeoutMs?: number;
}

/** Ends one request and all its attempts when the caller cancels it or its time limit passes. */
export class Deadline {
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #abort = (): void => this.#end(this.#signal?.reason);
  #onEnd: ((reason: unknown) => void) | undefined;
  ended: { readonly reason: unknown } | undefined;

  constructor({ signal, timeoutMs }: DeadlineOptions) {
    this.#signal = signal;
    if (signal?.aborted === true) this.#end(signal.reason);
    signal?.addEventListener('abort', this.#abort);
    if (timeoutMs === undefined) return;
    this.#timer = setTimeout(() => this.#end(new TimeoutError(`no response within ${timeoutMs} ms`)), timeoutMs);
  }

  /** Replaces the callback. If the deadline has already passed, the new callback is called immediately. */
  onEnd(callback: (reason: unknown) => void): void {
    this.#onEnd = callback;
    if (this.ended !== undefined) callback(this.ended.reason);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  #end(reason: unknown): void {
    this.ended = { reason };
    this.clear();
    this.#onEnd?.(reason);
  }
}
