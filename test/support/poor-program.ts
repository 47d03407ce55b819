import path from 'node:path';
import { createInterface } from 'node:readline';
import { emptyFolder, spawnProgram } from './program.ts';
import { modernMeta } from './wire.ts';

const hoarder = path.resolve(import.meta.dirname, 'hoarder.cjs');

/** The program where it may open few files, and all of them but some to spare are open while it is told so. */
export function startPoor(args: readonly string[], spare = 0) {
  const env = { SPARE: String(spare) };
  const child = spawnProgram({ args, env, nodeArgs: ['--require', hoarder], cwd: emptyFolder(), maxFiles: 64 });
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
