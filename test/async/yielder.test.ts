import { expect, onTestFinished, test, vi } from 'vitest';
import { EventLoopYielder } from '../../src/async/yielder.ts';

test('EventLoopYielder.yieldIfDue returns undefined while the time slice has not ended', () => {
  expect(new EventLoopYielder(60_000).yieldIfDue()).toBeUndefined();
});

test('EventLoopYielder.yieldIfDue lets other events run after the end of the time slice and starts a new slice', async () => {
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

test('EventLoopYielder.yieldIfDue throws the abort reason of a cancelled call, during and after the time slice', async () => {
  const call = new AbortController();
  const [short, long] = [new EventLoopYielder(0, call.signal), new EventLoopYielder(60_000, call.signal)];
  while (!short.isDue);
  const turn = short.yieldIfDue();
  call.abort(new Error('enough'));
  await expect(turn).rejects.toThrow('enough');
  expect(() => long.yieldIfDue()).toThrow('enough');
});
