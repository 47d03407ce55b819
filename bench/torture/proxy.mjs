// A proxy to a store on loopback. It disturbs requests and responses like bad networks and busy stores.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const manners = {
  straight: [],
  /**
   * In the mode `lossy` the response is lost, delayed or repeated after the store has executed the request, or the
   * store executes the request late or twice.
   */
  lossy: [
    { name: 'answers lost', share: 0.04, after: 'lose' },
    { name: 'answers cut in the middle', share: 0.02, after: 'cut' },
    { name: 'answers delayed', share: 0.05, after: 'delay' },
    { name: 'answers sent twice', share: 0.02, after: 'double' },
    { name: 'requests delayed', share: 0.05, before: 'delay' },
    { name: 'requests sent twice', share: 0.04, before: 'double' },
  ],
  refusing: [
    { name: '503 instead of acting', share: 0.05, before: 'refuse', status: 503, code: 'SlowDown' },
    { name: '503 after it has acted', share: 0.04, after: 'refuse', status: 503, code: 'ServiceUnavailable' },
    { name: '500 after it has acted', share: 0.02, after: 'refuse', status: 500, code: 'InternalError' },
    { name: '409 instead of acting', share: 0.05, before: 'refuse', status: 409, code: 'ConditionalRequestConflict' },
    { name: '409 after it has acted', share: 0.04, after: 'refuse', status: 409, code: 'ConditionalRequestConflict' },
  ],
};
const delaysAtMostMs = 1000;

/** Starts the proxy. In the mode `straight` no proxy is started, and the endpoint of the store is returned. */
export async function startProxy(endpoint, manner) {
  const mishaps = manners[manner];
  if (mishaps === undefined) throw new Error(`--through wants one of ${Object.keys(manners).join(', ')}`);
  if (mishaps.length === 0) return { endpoint, facts: () => [], close() {} };
  const counts = new Map(mishaps.map(({ name }) => [name, 0]));
  let total = 0;
  const agent = new http.Agent({ keepAlive: true });
  const meet = async (request, response) => {
    const body = await bytesOf(request);
    total++;
    const possible = mishaps.filter(({ status }) => status !== 409 || request.method === 'PUT');
    const mishap = pick(possible);
    if (mishap !== undefined) counts.set(mishap.name, counts.get(mishap.name) + 1);
    await serve({ endpoint, agent, request, body, response }, mishap ?? {});
  };
  const server = http.createServer((request, response) => {
    meet(request, response).catch(() => request.destroy());
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${server.address().port}`,
    facts: () => [`${total} requests: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`],
    close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

function pick(mishaps) {
  let chance = Math.random();
  return mishaps.find(({ share }) => {
    chance -= share;
    return chance < 0;
  });
}

async function serve(exchange, { before, after, status, code }) {
  const { response } = exchange;
  if (before === 'refuse') {
    refuse(response, status, code);
    return;
  }
  // The store executes the request late, even if the client no longer waits for it.
  if (before === 'delay') await pause(Math.random() * delaysAtMostMs);
  if (before === 'double') await forward(exchange);
  const answer = await forward(exchange);
  if (after === 'delay') await pause(Math.random() * delaysAtMostMs);
  if (after === 'refuse') refuse(response, status, code);
  else if (after === 'lose') response.destroy();
  else give(response, answer, after);
}

function give(response, { status, headers, rawHeaders, bytes }, after) {
  response.writeHead(status, headers);
  if (after === 'cut' && bytes.length > 1) {
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    return;
  }
  const { socket } = response;
  response.end(bytes);
  if (after !== 'double') return;
  // The response is sent twice, so that it looks like the response to the next request on this connection.
  const lines = Array.from(
    { length: rawHeaders.length / 2 },
    (_, n) => `${rawHeaders[2 * n]}: ${rawHeaders[2 * n + 1]}`,
  );
  socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Again\r\n${lines.join('\r\n')}\r\n\r\n`), bytes]));
}

function refuse(response, status, code) {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
}

/** Forwards the request unchanged. Its signature contains the host name of the proxy, which the store accepts. */
async function forward({ endpoint, agent, request, body }) {
  return await new Promise((resolve, reject) => {
    const { hostname, port } = new URL(endpoint);
    const sent = http.request({
      hostname,
      port,
      method: request.method,
      path: request.url,
      headers: request.rawHeaders,
      agent,
      setHost: false,
    });
    sent.on('error', reject);
    sent.on('response', answer => {
      const { statusCode: status, headers, rawHeaders } = answer;
      bytesOf(answer).then(bytes => resolve({ status, headers, rawHeaders, bytes }), reject);
    });
    sent.end(body);
  });
}

async function bytesOf(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
