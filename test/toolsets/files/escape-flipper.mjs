// Replaces a folder by a symbolic link and back until the process is stopped. The pause leaves the CPU to the searches.
import { renameSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { folder, link, aside, stop } = workerData;
while (Atomics.load(stop, 0) === 0) {
  renameSync(folder, aside);
  renameSync(link, folder);
  renameSync(folder, link);
  renameSync(aside, folder);
  Atomics.add(stop, 1, 1);
  Atomics.wait(stop, 0, 0, 0.1);
}
