import { availableParallelism } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { CacheFolder } from '../access/cache-folder.ts';

/** One more than work at once: it is kept for those who want little. More than four gain nothing on any disk. */
const readerCount = Math.min(4, Math.max(2, availableParallelism())) + 1;

/** What this thread is: the one that knows the files, or one of those that read them. */
export type WorkerData =
  | { role: 'catalogue'; source: string; cache: CacheFolder | undefined }
  | { role: 'reader'; state: Int32Array };

async function run(port: MessagePort, data: WorkerData): Promise<void> {
  if (data.role === 'reader') {
    const { startReader } = await import('../workers/reader.ts');
    startReader(port, data.state);
  } else {
    const { startCatalogue } = await import('./catalogue-thread.ts');
    startCatalogue(port, data.source, readerCount, data.cache);
  }
}

if (parentPort !== null) void run(parentPort, workerData);
