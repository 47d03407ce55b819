import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { bundle } from './program.ts';
import { modernMeta } from './wire.ts';

const hoarder = path.resolve(import.meta.dirname, 'hoarder.cjs');

/** The program where it may open few files, and all of them but some to spare are open while it is told so. */
export function startPoor(args: readonly string[], spare = 0) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  const start = ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath, '--require', hoarder, bundle, ...args];
  const child = spawn('/bin/sh', start, { cwd, env: { SPARE: String(spare) }, stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(cwd, { recursive: true });
  });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')));
  return {
    stderr: () => errors.join(''),
    /** From the first to the second time no file is left. */
    toggle: () => child.kill('SIGUSR2'),
    ask: async (name: string, given: object): Promise<string> => {
      const params = { name, arguments: given, _meta: modernMeta };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
      return (await answers.next()).value;
    },
  };
}
