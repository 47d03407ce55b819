// Measures the first call of a new server, which loads the modules that the start does not need.
import { openServer, textOf } from '../client.mjs';
import { rotated } from '../sample.mjs';

/** The two distances to the backend: on this machine, and at the other end of a country. */
const kinds = ['small', 'late'];

/** Returns the milliseconds of the first call by kind of response and by name, with one value for each round. */
export async function measureFirst({ candidates, node, origin, rounds }) {
  const results = Object.fromEntries(
    kinds.map(kind => [kind, Object.fromEntries(candidates.map(({ name }) => [name, []]))]),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const kind of kinds) {
      for (const candidate of rotated(candidates, round)) {
        const server = openServer(candidate.command(node.path, origin));
        await server.initialize();
        const answer = await server.getProblem('leetcode', `${kind}-${round}`);
        textOf(answer);
        results[kind][candidate.name].push(answer.receivedAt - answer.sentAt);
        await server.kill();
      }
    }
  }
  return { version: node.version, ...results };
}
