import { expect, onTestFinished, test, vi } from 'vitest';
import { EventLoopYielder } from '../../src/async/yielder.ts';

test('there is nothing to wait for before the slice is over', () => {
  expect(new EventLoopYielder(60_000).yieldIfDue()).toBeUndefined();
});

test('after the slice other work gets its turn, and a new slice begins', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const yielder = new EventLoopYielder(20);
  let turns = 0;
  setImmediate(() => turns++);
  now = 20;
  expect(yielder.isDue).toBe(false);
  now = 21;
  await yielder.yieldIfDue();
  expect(turns).toBe(1);
  expect(yielder.isDue).toBe(false);
});

test('work that nobody wants any more ends, in a slice and after it', async () => {
  const call = new AbortController();
  const [short, long] = [new EventLoopYielder(0, call.signal), new EventLoopYielder(60_000, call.signal)];
  while (!short.isDue);
  const turn = short.yieldIfDue();
  call.abort(new Error('enough'));
  await expect(turn).rejects.toThrow('enough');
  expect(() => long.yieldIfDue()).toThrow('enough');
});
