import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

/** Runs `npm run test:s3` without the build. */
function startTests(env: Record<string, string>, ...files: string[]): { child: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, ['test/real-store.mjs', ...files], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => said.push(chunk.toString('utf8')));
  return { child, said: () => said.join('') };
}

test('npm run test:s3 fails when one of the ports for the object store is already in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const { child, said } = startTests({ BOOKS_STORE_PORT: `${port}` });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said()).toContain(`BOOKS_STORE_PORT=${port}: of 10 ports from there on, one is taken`);
});
