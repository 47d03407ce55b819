// A minimal MCP client over stdio, so that the figures show the time of the server and not of the client.
import { spawn } from 'node:child_process';

const exitMs = 2000;
const newline = 0x0a;

/** Starts a server. `sentAt`, `receivedAt` and `startedAt` use the same clock. */
export function openServer([file, ...args], env = {}) {
  const startedAt = performance.now();
  // The server does not inherit proxies, tokens and Node options.
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'], env: { PATH: process.env.PATH, ...env } });
  const waiting = new Map();
  let nextId = 1;
  let isAlive = true;

  const exited = new Promise(resolve => {
    const end = reason => {
      isAlive = false;
      for (const { reject } of waiting.values()) reject(new Error(reason));
      waiting.clear();
      resolve();
    };
    child.on('error', error => end(`the server cannot be started: ${error.message}`));
    child.on('exit', (code, signal) => end(`the server died (${signal ?? `exit code ${code}`})`));
  });
  // The error is ignored, because the exit event reports a server that ends during a write.
  child.stdin.on('error', () => {});
  readLines(child.stdout, (line, receivedAt) => {
    const message = JSON.parse(line);
    const call = waiting.get(message.id);
    if (call === undefined) return;
    waiting.delete(message.id);
    call.resolve({ ...message, sentAt: call.sentAt, receivedAt });
  });

  const send = message => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      if (!isAlive) {
        reject(new Error('the server is dead'));
        return;
      }
      const id = nextId++;
      waiting.set(id, { resolve, reject, sentAt: performance.now() });
      send({ id, method, ...(params && { params }) });
    });

  return {
    pid: child.pid,
    startedAt,
    request,
    get isAlive() {
      return isAlive;
    },

    async initialize() {
      const answer = await request('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'bench', version: '0' },
      });
      send({ method: 'notifications/initialized' });
      return answer;
    },

    getProblem: (source, id) => request('tools/call', { name: 'get_problem', arguments: { source, id } }),

    async close() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), exitMs);
      await exited;
      clearTimeout(timer);
    },

    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function readLines(stream, onLine) {
  let pieces = [];
  stream.on('data', chunk => {
    const receivedAt = performance.now();
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      pieces.push(chunk.subarray(start, end));
      const line = Buffer.concat(pieces).toString('utf8');
      pieces = [];
      start = end + 1;
      onLine(line, receivedAt);
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  });
}

/** Returns the text of a tool result. Throws for an error and for a result without text. */
export function textOf({ result, error }) {
  const text = result?.content?.[0]?.text;
  if (error !== undefined) throw new Error(`JSON-RPC error ${error.code}: ${error.message}`);
  if (result.isError === true) throw new Error(`tool error: ${text}`);
  if (typeof text !== 'string') throw new Error('a result without text');
  return text;
}
