import source from 'worker:./worker.ts';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../../../failure.ts';
import type { Call } from '../../../../toolset.ts';
import type { CachePlace } from '../catalogue/cache-place.ts';
import type { Attributes, Found, FromCatalogue, Question, ToCatalogue } from './messages.ts';
import type { WorkerData } from './worker.ts';

interface Waiting {
  call: Call;
  resolve(message: FromCatalogue): void;
  reject(failure: Failure): void;
}

/** The catalogue's end in the thread that speaks to the client. The other end is started by the first question. */
export class CatalogueClient {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #cache: CachePlace | undefined;

  constructor(cache?: CachePlace) {
    this.#cache = cache;
  }

  async find(question: Exclude<Question, { kind: 'describe' }>, timeoutMs: number, call: Call): Promise<Found> {
    const reply = await this.#ask(question, timeoutMs, call);
    if ('found' in reply) return reply.found;
    throw unexpected(reply);
  }

  /** Undefined when the file is gone. */
  async describe(
    path: string,
    plist: string | undefined,
    timeoutMs: number,
    call: Call,
  ): Promise<Attributes | undefined> {
    const reply = await this.#ask({ kind: 'describe', path, plist }, timeoutMs, call);
    if ('description' in reply) return reply.description;
    throw unexpected(reply);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(question: Question, timeoutMs: number, call: Call): Promise<FromCatalogue> {
    call.signal.throwIfAborted();
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#waiting.delete(id);
        worker.postMessage({ id, isCancelled: true } satisfies ToCatalogue);
        reject(new Failure('upstream', 'The call was cancelled.'));
      };
      const settle = (): void => call.signal.removeEventListener('abort', cancel);
      this.#waiting.set(id, {
        call,
        resolve: message => (settle(), resolve(message)),
        reject: failure => (settle(), reject(failure)),
      });
      call.signal.addEventListener('abort', cancel, { once: true });
      worker.postMessage({ id, question, timeoutMs } satisfies ToCatalogue);
    });
  }

  #start(): Worker {
    const workerData: WorkerData = { role: 'catalogue', source, cache: this.#cache };
    const resourceLimits = { maxYoungGenerationSizeMb: 8 };
    const worker = new Worker(source, { eval: true, workerData, resourceLimits, stdout: true, stderr: true });
    let reason = 'it ended';
    worker.on('message', (message: FromCatalogue) => this.#take(message));
    worker.on('error', error => {
      reason = error.message;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const [id, waiting] of this.#waiting) {
        this.#waiting.delete(id);
        waiting.call.report(new Error(`the thread that searches was lost: ${reason}`));
        waiting.reject(queryFailed(`the thread that searches was lost: ${reason}`));
      }
    });
    worker.unref();
    return worker;
  }

  #take(message: FromCatalogue): void {
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

function unexpected(reply: FromCatalogue): Error {
  return new Error('error' in reply ? reply.error : 'the catalogue gave an answer to another question');
}

function queryFailed(what: string): Failure {
  return new Failure('upstream', `The search failed: ${what}.`, { hint: 'Try again; a smaller scope may help.' });
}
