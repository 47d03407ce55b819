import { expect, test } from 'vitest';
import { memoize } from '../../src/async/memoize.ts';

test('the value is made once, when it is first asked for', () => {
  let made = 0;
  const value = memoize(() => ++made);
  expect(made).toBe(0);
  expect([value(), value()]).toEqual([1, 1]);
});

test('undefined is a value too', () => {
  let made = 0;
  const value = memoize(() => void made++);
  value();
  value();
  expect(made).toBe(1);
});

test('a promise is shared while it is open, kept when it is fulfilled, and made anew when it was rejected', async () => {
  const outcomes = [() => Promise.reject(new Error('not yet')), () => Promise.resolve('there')];
  let made = 0;
  const value = memoize(async () => await outcomes[made++]?.());
  for (const one of [value(), value()]) await expect(one).rejects.toThrow('not yet');
  expect(await value()).toBe('there');
  expect(await value()).toBe('there');
  expect(made).toBe(2);
});
