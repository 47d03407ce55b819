import { expect, test } from 'vitest';
import { ConnectionSlots } from '../../src/http/connection-slots.ts';
import { Deadline } from '../../src/http/deadline.ts';

/** Requests a slot and reports in `order` when it is granted. */
function request(slots: ConnectionSlots, order: string[], name: string, signal?: AbortSignal): Promise<() => void> {
  return slots.acquire(new Deadline(signal === undefined ? {} : { signal })).then(release => {
    order.push(name);
    return release;
  });
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('ConnectionSlots grants as many slots as it has, and the others in the order of the requests', async () => {
  const slots = new ConnectionSlots(2);
  const order: string[] = [];
  expect(slots.isIdle).toBe(true);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(name => request(slots, order, name));
  await turn();
  expect([order, slots.isIdle]).toEqual([['a', 'b'], false]);
  (await b)?.();
  await turn();
  expect(order).toEqual(['a', 'b', 'c']);
  (await b)?.(); // a second release of the same slot has no effect
  await turn();
  expect(order).toEqual(['a', 'b', 'c']);
  (await a)?.();
  await turn();
  expect([order, slots.isIdle]).toEqual([['a', 'b', 'c', 'd'], false]);
  (await c)?.();
  expect(slots.isIdle).toBe(false);
  (await d)?.();
  expect(slots.isIdle).toBe(true);
});

test('ConnectionSlots passes a slot over requests that were cancelled while they waited', async () => {
  const slots = new ConnectionSlots(1);
  const order: string[] = [];
  const call = new AbortController();
  const first = request(slots, order, 'first');
  const cancelled = request(slots, order, 'cancelled', call.signal);
  const last = request(slots, order, 'last');
  call.abort(new Error('enough'));
  await expect(cancelled).rejects.toThrow('enough');
  (await first)();
  (await last)();
  expect([order, slots.isIdle]).toEqual([['first', 'last'], true]);
  await request(slots, order, 'again');
  expect(order).toEqual(['first', 'last', 'again']);
});
