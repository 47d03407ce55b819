// A server with the book library and a client that calls its tools like a host.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Starts a built file with these arguments. The process inherits no environment variables, and only `env` is passed.
 */
export async function startServer(file, args, env = {}) {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // No request is sent to this address. It is required, because the default toolset does not start without an
    // address.
    env: { PATH: process.env.PATH, OJ_MCP_BASE_URL: 'http://127.0.0.1:9', OJ_MCP_LOG: 'error', ...env },
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', line => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let id = 0;
  const send = message => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method, params) =>
    new Promise(resolve => {
      waiting.set(++id, resolve);
      send({ id, method, params });
    });
  const clientInfo = { name: 'bench', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  /** Returns the result of a tool call, including an error result. */
  const ask = async (name, callArgs) => {
    const begun = performance.now();
    const { result, error } = await request('tools/call', { name, arguments: callArgs });
    const tookMs = performance.now() - begun;
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return { ...result, tookMs };
  };
  return {
    pid: child.pid,
    ask,
    /** Calls a tool and returns its structured content. Throws an error if the call failed. */
    async call(name, callArgs) {
      const { isError, content, structuredContent } = await ask(name, callArgs);
      if (isError) throw new Error(JSON.stringify(content).slice(0, 500));
      return structuredContent;
    },
    async ping() {
      const begun = performance.now();
      await request('ping', {});
      return performance.now() - begun;
    },
    stop() {
      child.stdin.end();
      return new Promise(resolve => child.on('exit', resolve));
    },
  };
}

export const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)];
