import path from 'node:path';
import { createInterface } from 'node:readline';
import { emptyFolder, spawnProgram } from './program.ts';
import { modernMeta } from './wire.ts';

const fileOpener = path.resolve(import.meta.dirname, 'open-all-files.cjs');

/** Starts the program with a limit of 64 open files. `toggle` makes it open all of them except `spare`. */
export function startWithFileLimit(args: readonly string[], spare = 0) {
  const env = { SPARE: String(spare) };
  const child = spawnProgram({ args, env, nodeArgs: ['--require', fileOpener], cwd: emptyFolder(), maxFiles: 64 });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')));
  return {
    stderr: () => errors.join(''),
    /** No file descriptor is free between the first and the second call. */
    toggle: () => child.kill('SIGUSR2'),
    ask: async (name: string, given: object): Promise<string> => {
      const params = { name, arguments: given, _meta: modernMeta };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
      return (await answers.next()).value;
    },
  };
}
