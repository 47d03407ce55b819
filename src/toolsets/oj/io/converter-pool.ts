import type { Worker } from 'node:worker_threads';
import { Semaphore } from '../../../async/semaphore.ts';
import type { ConversionResult, ConverterJob } from './converter-thread.ts';

/**
 * Limits the number of threads that convert statements. A new thread needs 90 ms of CPU for a statement that a used
 * thread converts in 20 ms.
 */
const maxThreads = 2;
/** An idle thread is terminated after this number of milliseconds to release its memory. */
const idleMs = 10_000;
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 56 };

const threads = new Semaphore(maxThreads);
const idle = new Map<Worker, { timer: NodeJS.Timeout; drop: () => void }>();

/**
 * Converts a statement in a worker thread. The promise resolves with undefined if the thread exits without a message.
 */
export async function convertStatementInThread(
  job: ConverterJob,
  signal: AbortSignal,
): Promise<ConversionResult | undefined> {
  return await threads.run(signal, async () => {
    const worker = takeIdle() ?? (await startWorker());
    const stop = (): void => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const converted = await answerOf(worker, job);
      if (converted !== undefined && !signal.aborted) keepIdle(worker);
      return converted;
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  });
}

async function startWorker(): Promise<Worker> {
  const { Worker } = await import('node:worker_threads');
  const { default: source } = await import('worker:./converter-thread.ts');
  const options = { eval: true, resourceLimits, stdout: true, stderr: true };
  const worker = new Worker(`${source}\nmodule.exports.runConverterJobs();`, options);
  worker.unref();
  return worker;
}

/** The promise resolves with undefined if the thread exits, for example because the call was cancelled. */
async function answerOf(worker: Worker, job: ConverterJob): Promise<ConversionResult | undefined> {
  return await new Promise((resolve, reject) => {
    const onExit = (): void => end(() => resolve(undefined));
    const onError = (error: unknown): void => end(() => reject(error));
    const onMessage = (converted: ConversionResult): void => end(() => resolve(converted));
    const end = (settle: () => void): void => {
      worker.off('exit', onExit).off('error', onError).off('message', onMessage);
      settle();
    };
    worker.on('exit', onExit).on('error', onError).on('message', onMessage);
    worker.postMessage(job);
  });
}

/** Keeps an idle thread for the next job. After an error the thread is not used again. */
function keepIdle(worker: Worker): void {
  const drop = (): void => {
    idle.delete(worker);
    void worker.terminate();
  };
  const timer = setTimeout(drop, idleMs);
  timer.unref();
  worker.on('error', drop);
  idle.set(worker, { timer, drop });
}

function takeIdle(): Worker | undefined {
  const [entry] = idle;
  if (entry === undefined) return undefined;
  const [worker, { timer, drop }] = entry;
  clearTimeout(timer);
  worker.off('error', drop);
  idle.delete(worker);
  return worker;
}
