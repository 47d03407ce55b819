// node bench/connections.mjs [BUNDLE …]: how many calls are lost when a backend closes idle connections at the very moment
// they are used again. Compares bundles side by side; without any it measures dist/oj-mcp.cjs.
import net from 'node:net';
import path from 'node:path';
import { openServer, textOf } from './client.mjs';

const idleMs = 300;
const oneWayMs = 50;
const callsEach = 125;
const programsEach = 8;

const bundles = process.argv.slice(2);
if (bundles.length === 0) bundles.push(path.join(import.meta.dirname, '../dist/oj-mcp.cjs'));

const body = JSON.stringify({ id: '1', source: 'leetcode', title: 'Title', tags: [], content: 'x' });
const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** A backend as it is seen from far away: what either side says, its last word included, arrives later. */
function startBackend() {
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, socket => {
    let isClosed = false;
    const close = () => {
      isClosed = true;
      setTimeout(() => socket.end(), oneWayMs);
    };
    let idle; // a connection is idle once it has been used
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    socket.on('close', () => clearTimeout(idle));
    socket.on('data', () => {
      setTimeout(() => {
        if (isClosed) {
          socket.resetAndDestroy();
          return;
        }
        clearTimeout(idle);
        idle = setTimeout(close, idleMs);
        setTimeout(() => socket.write(answer), oneWayMs);
      }, oneWayMs);
    });
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function lostCalls(bundle, origin) {
  const server = openServer([process.execPath, bundle, '--base-url', origin]);
  await server.initialize();
  let lost = 0;
  for (let call = 0; call < callsEach; call++) {
    try {
      textOf(await server.getProblem('leetcode', '1'));
    } catch {
      lost++;
    }
    // Around the limit: half of them are under way when the connection is closed.
    await new Promise(resolve => setTimeout(resolve, idleMs - 3 * oneWayMs + Math.random() * 4 * oneWayMs));
  }
  await server.close();
  return lost;
}

const backend = await startBackend();
const origin = `http://127.0.0.1:${backend.address().port}`;
const runs = bundles.flatMap(bundle => Array.from({ length: programsEach }, () => ({ bundle })));
await Promise.all(
  runs.map(async run => {
    run.lost = await lostCalls(run.bundle, origin);
  }),
);
backend.close();
console.log('| bundle | calls | lost |\n|---|---:|---:|');
for (const bundle of bundles) {
  const lost = runs.filter(run => run.bundle === bundle).reduce((sum, run) => sum + run.lost, 0);
  console.log(
    `| ${path.basename(path.dirname(path.resolve(bundle)))}/${path.basename(bundle)} | ${programsEach * callsEach} | ${lost} |`,
  );
}
process.exit();
