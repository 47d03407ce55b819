import { availableParallelism } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { CacheFolder } from '../access/cache-folder.ts';

/**
 * The pool has one worker thread more than can run in parallel, which is reserved for small calls. More than four
 * parallel threads are not faster.
 */
const readerCount = Math.min(4, Math.max(2, availableParallelism())) + 1;

/** The parameters with which a worker thread starts, either as the owner of the index or as a reader of files. */
export type WorkerThreadParameters =
  | { role: 'catalogue'; source: string; cache: CacheFolder | undefined }
  | { role: 'reader'; state: Int32Array };

async function run(port: MessagePort, data: WorkerThreadParameters): Promise<void> {
  if (data.role === 'reader') {
    const { startReaderThread } = await import('../workers/reader.ts');
    startReaderThread(port, data.state);
  } else {
    const { startCatalogueThread } = await import('./catalogue-thread.ts');
    startCatalogueThread(port, data.source, readerCount, data.cache);
  }
}

if (parentPort !== null) void run(parentPort, workerData);
