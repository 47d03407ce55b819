import source from 'worker:./line-thread.ts';
import { Worker } from 'node:worker_threads';
import { refusal } from '../../model/refusal.ts';
import type { LineHit, LineJob, LineReply, LineThreadData } from './line-messages.ts';

/** A search of everything a library should have takes a fraction of this. */
const limitMs = 10_000;
/** For patterns that need backtracking, which may take for ever over a single line. */
const backtrackingLimitMs = 2000;
/** A pattern gone wild must not take the server's memory along. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

export interface LineFinder {
  readonly isLinear: boolean;
  /** The lines of a text that match; its bytes are given away. `stopped`: the time is up, and that is the end. */
  find(bytes: Buffer, limit: number, afterLine: number): Promise<LineHit[] | 'noText' | 'stopped'>;
  close(): Promise<void>;
}

/** Searches lines in a thread, which is stopped when the time is up or the call is cancelled. */
export async function openLineFinder(pattern: string, signal: AbortSignal): Promise<LineFinder> {
  const workerData: LineThreadData = { pattern };
  const worker = new Worker(source, { eval: true, workerData, resourceLimits, stdout: true, stderr: true });
  worker.unref();
  let answer: (reply: LineReply | undefined) => void = () => {};
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    answer(undefined);
    void worker.terminate();
  };
  const next = async (): Promise<LineReply | undefined> =>
    isStopped
      ? undefined
      : await new Promise(resolve => {
          answer = resolve;
        });
  worker.on('message', (reply: LineReply) => answer(reply));
  // Out of memory, most likely; a text that large has no lines to show.
  worker.on('error', stop);
  signal.addEventListener('abort', stop, { once: true });
  let timer = setTimeout(stop, limitMs);
  const close = async (): Promise<void> => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  };

  const first = await next();
  signal.throwIfAborted();
  if (first?.kind !== 'ready') {
    await close();
    throw badPattern(first?.kind === 'refused' ? first.reason : 'it takes too long to read');
  }
  const { isLinear } = first;
  if (!isLinear) {
    clearTimeout(timer);
    timer = setTimeout(stop, backtrackingLimitMs);
  }
  return {
    isLinear,
    close,
    find: async (bytes, limit, afterLine) => {
      if (isStopped) return 'stopped';
      const own = bytes.length === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
      const job: LineJob = { bytes: own, limit, afterLine };
      worker.postMessage(job, own.buffer instanceof ArrayBuffer ? [own.buffer] : []);
      const reply = await next();
      if (reply?.kind === 'hits') return reply.hits;
      return reply?.kind === 'noText' ? 'noText' : 'stopped';
    },
  };
}

function badPattern(reason: string): Error {
  return refusal('ValidationError', `invalid_regex: "pattern" is not a regular expression: ${reason}`, {
    suggestion: 'RE2 syntax, as in Go; lookaround and backreferences as in JavaScript.',
  });
}
