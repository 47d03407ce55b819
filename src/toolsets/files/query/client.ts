import source from 'worker:./start-thread.ts';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../../errors/failure.ts';
import { isResourceShortage } from '../../../errors/system-error.ts';
import type { CallContext } from '../../../toolset/toolset.ts';
import type { CacheFolder } from '../access/cache-folder.ts';
import type { FileAttributes } from '../access/inspect.ts';
import type {
  CatalogueRequest,
  MessageFromCatalogue,
  MessageToCatalogue,
  SearchRequest,
  SearchResultPage,
} from './protocol.ts';
import type { WorkerThreadParameters } from './start-thread.ts';

/** A call that waits for the response of the catalogue thread, which owns the index. */
interface WaitingCall {
  call: CallContext;
  resolve(message: MessageFromCatalogue): void;
  reject(failure: Failure): void;
}

/** Sends requests to the catalogue thread, which owns the index. The first request starts the thread. */
export class CatalogueClient {
  readonly #waiting = new Map<number, WaitingCall>();
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #cache: CacheFolder | undefined;

  constructor(cache?: CacheFolder) {
    this.#cache = cache;
  }

  async find(request: SearchRequest, timeoutMs: number, call: CallContext): Promise<SearchResultPage> {
    const reply = await this.#ask(request, timeoutMs, call);
    if ('found' in reply) return reply.found;
    throw toError(reply);
  }

  /** Returns the attributes of a file, or undefined if it was deleted. */
  async describe(
    path: string,
    plist: string | undefined,
    timeoutMs: number,
    call: CallContext,
  ): Promise<FileAttributes | undefined> {
    const reply = await this.#ask({ kind: 'describe', path, plist }, timeoutMs, call);
    if ('description' in reply) return reply.description;
    throw toError(reply);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(request: CatalogueRequest, timeoutMs: number, call: CallContext): Promise<MessageFromCatalogue> {
    call.signal.throwIfAborted();
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#waiting.delete(id);
        worker.postMessage({ id, isCancelled: true } satisfies MessageToCatalogue);
        reject(new Failure('upstream', 'The call was cancelled.'));
      };
      const removeListener = (): void => call.signal.removeEventListener('abort', cancel);
      this.#waiting.set(id, {
        call,
        resolve: message => (removeListener(), resolve(message)),
        reject: failure => (removeListener(), reject(failure)),
      });
      call.signal.addEventListener('abort', cancel, { once: true });
      worker.postMessage({ id, request, timeoutMs } satisfies MessageToCatalogue);
    });
  }

  #start(): Worker {
    const workerData: WorkerThreadParameters = { role: 'catalogue', source, cache: this.#cache };
    const resourceLimits = { maxYoungGenerationSizeMb: 8 };
    const worker = new Worker(source, { eval: true, workerData, resourceLimits, stdout: true, stderr: true });
    let lost: unknown;
    worker.on('message', (message: MessageFromCatalogue) => this.#take(message));
    worker.on('error', error => {
      lost = error;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const [id, waiting] of this.#waiting) {
        this.#waiting.delete(id);
        waiting.reject(isResourceShortage(lost) ? noThread(lost) : lostThread(lost, waiting.call));
      }
    });
    worker.unref();
    return worker;
  }

  #take(message: MessageFromCatalogue): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if ('progress' in message) {
      waiting.call.progress(message.progress.done, message.progress.total, 'files read');
      return;
    }
    this.#waiting.delete(message.id);
    waiting.resolve(message);
  }
}

function toError(reply: MessageFromCatalogue): Error {
  const message = 'error' in reply ? reply.error : undefined;
  return new Error(message ?? 'the catalogue thread sent the result of a different request');
}

function lostThread(error: unknown, call: CallContext): Failure {
  const what = `the search thread ended: ${error instanceof Error ? error.message : 'it exited'}`;
  call.report(new Error(what));
  return new Failure('upstream', `The search failed: ${what}.`, { hint: 'Try again; a smaller scope may help.' });
}

function noThread(cause: unknown): Failure {
  const sentence =
    'The search cannot start: too many files are open, or there is not enough memory for another thread.';
  const hint = 'Try again in a moment. If this persists, the user can raise the limit of open files (ulimit -n).';
  return new Failure('upstream', sentence, { hint, cause });
}
