import { expect, test } from 'vitest';
import { memoize } from '../../src/async/memoize.ts';

test('memoize computes the value on the first call only', () => {
  let made = 0;
  const value = memoize(() => ++made);
  expect(made).toBe(0);
  expect([value(), value()]).toEqual([1, 1]);
});

test('memoize caches undefined as a value', () => {
  let made = 0;
  const value = memoize(() => void made++);
  value();
  value();
  expect(made).toBe(1);
});

test('memoize shares a pending promise, caches a fulfilled promise and recomputes after a rejected promise', async () => {
  const outcomes = [() => Promise.reject(new Error('not yet')), () => Promise.resolve('there')];
  let made = 0;
  const value = memoize(async () => await outcomes[made++]?.());
  for (const one of [value(), value()]) await expect(one).rejects.toThrow('not yet');
  expect(await value()).toBe('there');
  expect(await value()).toBe('there');
  expect(made).toBe(2);
});
