import { expect, onTestFinished, test, vi } from 'vitest';
import { EventLoopYielder } from '../../src/async/yielder.ts';

test('yieldIfDue returns undefined before the end of the time slice', () => {
  expect(new EventLoopYielder(60_000).yieldIfDue()).toBeUndefined();
});

test('yieldIfDue runs other events after the time slice and starts a new one', async () => {
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

test('yieldIfDue throws for a cancelled call, in a time slice and after it', async () => {
  const call = new AbortController();
  const [short, long] = [new EventLoopYielder(0, call.signal), new EventLoopYielder(60_000, call.signal)];
  while (!short.isDue);
  const turn = short.yieldIfDue();
  call.abort(new Error('enough'));
  await expect(turn).rejects.toThrow('enough');
  expect(() => long.yieldIfDue()).toThrow('enough');
});
