// Swaps a folder for a link to another place and back, as fast as it can, until it is told to end.
import { renameSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { folder, link, aside, stop } = workerData;
while (Atomics.load(stop, 0) === 0) {
  renameSync(folder, aside);
  renameSync(link, folder);
  renameSync(folder, link);
  renameSync(aside, folder);
  Atomics.add(stop, 1, 1);
}
