// This module starts one comparing thread for each processor and gives each batch to the thread with the fewest
// batches.
import os from 'node:os';
import { Worker } from 'node:worker_threads';

export function startJudges(count = os.availableParallelism()) {
  const threads = Array.from({ length: count }, () => {
    const worker = new Worker(new URL('judge-thread.mjs', import.meta.url));
    const waiting = [];
    worker.on('message', results => waiting.shift().resolve(results));
    worker.on('error', error => waiting.splice(0).forEach(({ reject }) => reject(error)));
    return { worker, waiting };
  });
  return {
    judge(tasks) {
      const thread = threads.reduce((least, each) => (each.waiting.length < least.waiting.length ? each : least));
      return new Promise((resolve, reject) => {
        thread.waiting.push({ resolve, reject });
        thread.worker.postMessage(tasks);
      });
    },
    stop: () => Promise.all(threads.map(({ worker }) => worker.terminate())),
  };
}
