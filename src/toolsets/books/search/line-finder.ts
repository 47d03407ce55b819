import type { Worker } from 'node:worker_threads';
import { isResourceShortage } from '../../../errors/system-error.ts';
import { createStorageFailure, refusal } from '../model/refusal.ts';
import type { LineSearchRequest, LineThreadMessage, LineThreadParameters, MatchingLine } from './line-thread.ts';

/** The time limit in milliseconds for one page of matching lines. */
const limitMs = 10_000;
/** The memory limit of the search thread, so that no pattern can use all memory. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

/** Starts a thread that searches lines. The thread is terminated at the time limit, or when the call is cancelled. */
export async function startLineFinder(pattern: string, signal: AbortSignal): Promise<LineFinder> {
  // The module is loaded at the first use, because loading it takes 3 ms.
  const { Worker } = await import('node:worker_threads');
  const { default: source } = await import('worker:./line-thread.ts');
  signal.throwIfAborted();
  const workerData: LineThreadParameters = { pattern };
  const options = { eval: true, workerData, resourceLimits, stdout: true, stderr: true };
  const finder = new LineFinder(
    startThread(() => new Worker(source, options)),
    signal,
  );
  const first = await finder.reply();
  signal.throwIfAborted();
  if (first?.kind === 'ready') return finder;
  await finder.close();
  if (first?.kind === 'refused') throw badPattern(first.reason);
  if (isResourceShortage(finder.error)) throw noThread(finder.error);
  throw finder.error === undefined ? slowStart() : badPattern('it needs too much memory');
}

/** Starts a thread. Converts a system error, such as too many threads, to a Failure. */
function startThread(start: () => Worker): Worker {
  try {
    return start();
  } catch (error) {
    throw isResourceShortage(error) ? noThread(error) : error;
  }
}

/** Sends one request at a time to the thread. A terminated thread sends no response. */
export class LineFinder {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;
  readonly #stop = (): void => {
    this.#isStopped = true;
    this.#answer?.(undefined);
    void this.#worker.terminate();
  };
  #answer: ((reply: LineThreadMessage | undefined) => void) | undefined;
  #isStopped = false;
  #isSearching = false;
  #timer: NodeJS.Timeout | undefined;
  /** The error that has ended the thread. */
  error: unknown;

  constructor(worker: Worker, signal: AbortSignal) {
    this.#worker = worker;
    this.#worker.unref();
    this.#worker.on('message', (reply: LineThreadMessage) => this.#answer?.(reply));
    // The most probable reason for an error is that the thread is out of memory.
    this.#worker.on('error', error => {
      this.error = error;
      this.#stop();
    });
    this.#signal = signal;
    signal.addEventListener('abort', this.#stop, { once: true });
    this.#stopInTime();
  }

  /**
   * Returns the matching lines of a text. The buffer of the text is transferred to the thread. `stopped` means that the
   * time limit was reached.
   */
  async find(bytes: Buffer, limit: number, afterLine: number): Promise<MatchingLine[] | 'noText' | 'stopped'> {
    // The time limit starts with the first search, so that the time for listing files is not included.
    if (!this.#isSearching) this.#stopInTime();
    this.#isSearching = true;
    const own = bytes.length === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
    const job: LineSearchRequest = { bytes: own, limit, afterLine };
    if (!this.#isStopped) this.#worker.postMessage(job, own.buffer instanceof ArrayBuffer ? [own.buffer] : []);
    const reply = await this.reply();
    if (reply?.kind === 'hits') return reply.hits;
    return reply?.kind === 'noText' ? 'noText' : 'stopped';
  }

  /** Waits for the next message of the thread. */
  async reply(): Promise<LineThreadMessage | undefined> {
    if (this.#isStopped) return undefined;
    const reply = await new Promise<LineThreadMessage | undefined>(resolve => {
      this.#answer = resolve;
    });
    if (!this.#isSearching) clearTimeout(this.#timer);
    return reply;
  }

  #stopInTime(): void {
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = setTimeout(this.#stop, limitMs);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#stop);
    await this.#worker.terminate();
  }
}

function badPattern(reason: string): Error {
  return refusal('ValidationError', `invalid_regex: "pattern" is not a regular expression: ${reason}`, {
    suggestion: 'Use RE2 syntax, as in Go.',
  });
}

function slowStart(): Error {
  const message = 'The search did not start in time: the machine is busy, or the pattern is too large.';
  return createStorageFailure('UNAVAILABLE', message, { suggestion: 'Try again, or use a shorter pattern.' });
}

function noThread(cause: unknown): Error {
  const message = 'The search cannot start: too many files are open, or there is not enough memory for another thread.';
  const suggestion = 'Try again in a moment. If this persists, the user can raise the limit of open files (ulimit -n).';
  return createStorageFailure('UNAVAILABLE', message, { suggestion }, cause);
}
