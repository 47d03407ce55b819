import type { Worker } from 'node:worker_threads';
import { isResourceShortage } from '../../../errors/system-error.ts';
import { refusal, storageFailure } from '../model/refusal.ts';
import type { LineHit, LineJob, LineReply, LineThreadData } from './line-thread.ts';

/** For a page of hits, from its first file on; the next page has as long again. */
const limitMs = 10_000;
/** Limits the memory that one pattern can take. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

export interface LineFinder {
  /** The lines of a text that match; its bytes are transferred. `stopped`: the time is up, no more files are searched. */
  find(bytes: Buffer, limit: number, afterLine: number): Promise<LineHit[] | 'noText' | 'stopped'>;
  close(): Promise<void>;
}

/** Searches lines in a thread, which is stopped when the time is up or the call is cancelled. */
export async function openLineFinder(pattern: string, signal: AbortSignal): Promise<LineFinder> {
  // Neither is read before there is something to search: 3 ms of every start.
  const { Worker } = await import('node:worker_threads');
  const { default: source } = await import('worker:./line-thread.ts');
  signal.throwIfAborted();
  const workerData: LineThreadData = { pattern };
  const options = { eval: true, workerData, resourceLimits, stdout: true, stderr: true };
  const thread = new LineThread(
    startThread(() => new Worker(source, options)),
    signal,
  );
  const first = await thread.reply();
  signal.throwIfAborted();
  if (first?.kind !== 'ready') {
    await thread.close();
    if (isResourceShortage(thread.error)) throw noThread(thread.error);
    throw badPattern(first?.kind === 'refused' ? first.reason : 'it takes too long to read');
  }
  thread.clearLimit();
  let isSearching = false;
  return {
    close: async () => await thread.close(),
    find: async (bytes, limit, afterLine) => {
      // Listing the files has taken its own time.
      if (!isSearching) thread.stopAfter(limitMs);
      isSearching = true;
      const own = bytes.length === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
      const reply = await thread.ask({ bytes: own, limit, afterLine });
      if (reply?.kind === 'hits') return reply.hits;
      return reply?.kind === 'noText' ? 'noText' : 'stopped';
    },
  };
}

/** Too many files are seen in the thread, too many threads before there is one. */
function startThread(start: () => Worker): Worker {
  try {
    return start();
  } catch (error) {
    throw isResourceShortage(error) ? noThread(error) : error;
  }
}

/** One question at a time; no reply comes from a thread that has been stopped. */
class LineThread {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;
  readonly #stop = (): void => {
    this.#isStopped = true;
    this.#answer?.(undefined);
    void this.#worker.terminate();
  };
  #answer: ((reply: LineReply | undefined) => void) | undefined;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** What it has died of. */
  error: unknown;

  constructor(worker: Worker, signal: AbortSignal) {
    this.#worker = worker;
    this.#worker.unref();
    this.#worker.on('message', (reply: LineReply) => this.#answer?.(reply));
    // Out of memory, most likely; a text that large has no lines to show.
    this.#worker.on('error', error => {
      this.error = error;
      this.#stop();
    });
    this.#signal = signal;
    signal.addEventListener('abort', this.#stop, { once: true });
    this.stopAfter(limitMs);
  }

  stopAfter(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(this.#stop, ms);
  }

  clearLimit(): void {
    clearTimeout(this.#timer);
  }

  async ask(job: LineJob): Promise<LineReply | undefined> {
    const { buffer } = job.bytes;
    if (!this.#isStopped) this.#worker.postMessage(job, buffer instanceof ArrayBuffer ? [buffer] : []);
    return await this.reply();
  }

  async reply(): Promise<LineReply | undefined> {
    if (this.#isStopped) return undefined;
    return await new Promise(resolve => {
      this.#answer = resolve;
    });
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

function noThread(cause: unknown): Error {
  const message = 'The search cannot begin: too many files are open, or there is no memory for one more thread.';
  const suggestion = 'Try again in a moment. If it stays so, the user can raise the limit of open files (ulimit -n).';
  return storageFailure('UNAVAILABLE', message, { suggestion }, cause);
}
