// The built server with the toolset `files`, a minimal client, and functions that measure the cost of a search or of
// another program.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { cpuMs } from './process-stats.mjs';

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
    /** Returns the structured content of a result. It is undefined for an error. */
    search: async args => (await ask('tools/call', { name: 'search', arguments: args })).structuredContent,
    end: () => new Promise(resolve => child.on('exit', resolve).stdin.end()),
  };
}

/** Measures the wall time and CPU time of a search from the request to the result. */
export async function measureSearch({ pid, search }, args) {
  const [cpuBefore, started] = [cpuMs(pid), performance.now()];
  const answer = await search(args);
  const wallMs = performance.now() - started;
  if (answer === undefined || answer.timedOut) throw new Error(`no whole answer for ${JSON.stringify(args)}`);
  return { wallMs, cpuMs: cpuMs(pid) - cpuBefore, answer };
}

/** Measures the wall time and CPU time of a program from its start to its end. */
export function measureProgram(command, args, input = '') {
  const [cpuBefore, started] = [cpuMs('self', 'children'), performance.now()];
  const { stdout, error } = spawnSync(command, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw error;
  return { wallMs: performance.now() - started, cpuMs: cpuMs('self', 'children') - cpuBefore, stdout };
}
