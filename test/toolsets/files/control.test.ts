import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConditionVariable, startCallTimeControl } from '../../../src/toolsets/files/workers/control.ts';

afterEach(() => void vi.useRealTimers());

describe('startCallTimeControl', () => {
  test('ends the call at its time limit, as a call that timed out', async () => {
    vi.useFakeTimers();
    const reports: [number, number][] = [];
    const control = startCallTimeControl(100, (done, total) => reports.push([done, total]));
    control.progress(1, 2);
    vi.advanceTimersByTime(60);
    expect([control.isOver, control.isTimedOut, control.remainingMs, reports]).toEqual([false, false, 40, [[1, 2]]]);
    vi.advanceTimersByTime(40);
    expect([control.isOver, control.isTimedOut, control.remainingMs]).toEqual([true, true, 0]);
    await control.over;
  });

  test('ends a cancelled call, which has not timed out', async () => {
    vi.useFakeTimers();
    const control = startCallTimeControl(100, () => {});
    control.cancel();
    await control.over;
    expect([control.isOver, control.isTimedOut]).toEqual([true, false]);
    control.settle();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a ConditionVariable resolves only the promises whose condition is true at a notification', async () => {
  const changed = new ConditionVariable();
  const ended: string[] = [];
  let count = 0;
  const waits = [1, 2].map(async wanted => {
    await changed.until(() => count >= wanted);
    ended.push(`${wanted} at ${count}`);
  });
  await Promise.resolve();
  count = 1;
  changed.notify();
  await waits[0];
  expect(ended).toEqual(['1 at 1']);
  count = 2;
  changed.notify();
  await Promise.all(waits);
  expect(ended).toEqual(['1 at 1', '2 at 2']);
  await changed.until(() => true);
});
