import source from 'worker:./echo-worker.ts';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

test('a worker import is code that runs as a thread of its own', async () => {
  const worker = new Worker(source, { eval: true, workerData: 'thread' });
  expect(await once(worker, 'message')).toEqual([{ greeting: 'hello thread' }]);
  await worker.terminate();
});

test('the code is bundled: it holds no import of a file', () => {
  expect(source).not.toMatch(/from ['"]\.|require\(['"]\./);
});

test('the built file does not tell where it was built', () => {
  expect(readFileSync('dist/oj-mcp.cjs', 'utf8').includes(process.cwd())).toBe(false);
});
