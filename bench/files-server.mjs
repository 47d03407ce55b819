// The built server with the room `files`, and a client as thin as can be: what is measured is the answer.
import { spawn } from 'node:child_process';
import path from 'node:path';

const server = path.resolve('dist/oj-mcp.cjs');
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

export async function startServer(root, flags = [], program = server) {
  const child = spawn(process.execPath, [program, '--toolsets', 'files', '--files-root', root, ...flags], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  let [rest, id] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', chunk => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message.result ?? message.error);
      waiting.delete(message.id);
    }
  });
  const ask = (method, params) =>
    new Promise(resolve => {
      waiting.set(++id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await ask('initialize', hello);
  return {
    pid: child.pid,
    ask,
    /** The structured half of an answer; undefined for a refusal. */
    search: async args => (await ask('tools/call', { name: 'search', arguments: args })).structuredContent,
    end: () => new Promise(resolve => child.on('exit', resolve).stdin.end()),
  };
}
