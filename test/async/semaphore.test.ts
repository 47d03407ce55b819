import { expect, test } from 'vitest';
import { Semaphore } from '../../src/async/semaphore.ts';

const calm = new AbortController().signal;

test('Semaphore runs all tasks, and at most the limit of them at the same time', async () => {
  const semaphore = new Semaphore(2);
  let [working, most] = [0, 0];
  const work = async (): Promise<void> => {
    working++;
    most = Math.max(most, working);
    await new Promise(resolve => setImmediate(resolve));
    working--;
  };
  await Promise.all(Array.from({ length: 9 }, async () => await semaphore.run(calm, work)));
  expect([working, most]).toEqual([0, 2]);
});

test('Semaphore runs the next task after one task has failed and a waiting task was cancelled', async () => {
  const semaphore = new Semaphore(1);
  const cancelled = new AbortController();
  const fail = async (): Promise<never> => await Promise.reject(new Error('refused'));
  const first = semaphore.run(calm, fail);
  const second = semaphore.run(cancelled.signal, async () => await Promise.resolve('done'));
  const third = semaphore.run(calm, async () => await Promise.resolve('done'));
  cancelled.abort();
  await expect(first).rejects.toThrow('refused');
  await expect(second).rejects.toThrow('abort');
  expect(await third).toBe('done');
});
