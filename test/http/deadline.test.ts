import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Deadline, TimeoutError } from '../../src/http/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Deadline', () => {
  test('calls its callback with a TimeoutError exactly at the time limit, and leaves no listener', () => {
    const { signal } = new AbortController();
    const deadline = new Deadline({ signal, timeoutMs: 50 });
    const ends: unknown[] = [];
    deadline.onEnd(reason => ends.push(reason));
    vi.advanceTimersByTime(49);
    expect([ends, deadline.ended]).toEqual([[], undefined]);
    vi.advanceTimersByTime(1);
    expect(ends).toEqual([new TimeoutError('no response within 50 ms')]);
    expect(ends[0]).toBeInstanceOf(TimeoutError);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('calls its callback with the reason when the caller cancels, and leaves no timer', () => {
    const controller = new AbortController();
    const deadline = new Deadline({ signal: controller.signal, timeoutMs: 50 });
    const ends: unknown[] = [];
    deadline.onEnd(reason => ends.push(reason));
    controller.abort('given up');
    expect([ends, deadline.ended]).toEqual([['given up'], { reason: 'given up' }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('calls a callback immediately if the deadline has passed or the caller has cancelled before', () => {
    const deadline = new Deadline({ signal: AbortSignal.abort('before') });
    expect(deadline.ended).toEqual({ reason: 'before' });
    const ends: unknown[] = [];
    deadline.onEnd(reason => ends.push(reason));
    expect(ends).toEqual(['before']);
  });

  test('has no timer without a time limit, and neither a timer nor a listener after clear', () => {
    const { signal } = new AbortController();
    const deadline = new Deadline({ signal });
    expect(vi.getTimerCount()).toBe(0);
    const limited = new Deadline({ signal, timeoutMs: 50 });
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 2]);
    deadline.clear();
    limited.clear();
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
    expect([deadline.ended, limited.ended]).toEqual([undefined, undefined]);
  });
});
