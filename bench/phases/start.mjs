// Measures the time from the start to the response to initialize, and the memory directly after it, with every given
// Node.
import { setTimeout as sleep } from 'node:timers/promises';
import { openServer } from '../client.mjs';
import { residentMiB } from '../process-stats.mjs';
import { rotated } from '../sample.mjs';

/** The time for work that a server does after its response. */
const settleMs = 100;

/** Returns `startMs` and `residentMiB` by Node version and name, with one value for each round. */
export async function measureStart({ candidates, nodes, origin, rounds }) {
  const results = nodes.map(({ version }) => ({
    version,
    ...Object.fromEntries(['startMs', 'residentMiB'].map(key => [key, emptyColumns(candidates)])),
  }));
  // Round 0 only fills the file cache and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, node] of nodes.entries()) {
      for (const candidate of rotated(candidates, round)) {
        const server = openServer(candidate.command(node.path, origin));
        const { receivedAt } = await server.initialize();
        await sleep(settleMs);
        const resident = residentMiB(server.pid);
        await server.kill();
        if (round === 0) continue;
        results[index].startMs[candidate.name].push(receivedAt - server.startedAt);
        results[index].residentMiB[candidate.name].push(resident);
      }
    }
  }
  return results;
}

function emptyColumns(candidates) {
  return Object.fromEntries(candidates.map(({ name }) => [name, []]));
}
