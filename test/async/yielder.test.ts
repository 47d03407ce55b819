import { expect, onTestFinished, test, vi } from 'vitest';
import { Pause } from '../../src/async/yielder.ts';

test('there is nothing to wait for before the slice is over', () => {
  expect(new Pause(60_000).take()).toBeUndefined();
});

test('after the slice other work gets its turn, and a new slice begins', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const pause = new Pause(20);
  let turns = 0;
  setImmediate(() => turns++);
  now = 20;
  expect(pause.isDue).toBe(false);
  now = 21;
  await pause.take();
  expect(turns).toBe(1);
  expect(pause.isDue).toBe(false);
});

test('work that nobody wants any more ends, in a slice and after it', async () => {
  const call = new AbortController();
  const [short, long] = [new Pause(0, call.signal), new Pause(60_000, call.signal)];
  while (!short.isDue);
  const turn = short.take();
  call.abort(new Error('enough'));
  await expect(turn).rejects.toThrow('enough');
  expect(() => long.take()).toThrow('enough');
});
