import { expect, test } from 'vitest';
import { mapStrings } from '../../src/text/map-strings.ts';

const upper = (text: string): string => text.toUpperCase();

test('mapStrings replaces strings and keys at every depth and keeps other values', () => {
  const value = { a: ['b', 1, null, true, { c: 'd' }], e: undefined };
  expect(mapStrings(value, upper)).toEqual({ A: ['B', 1, null, true, { C: 'D' }], E: undefined });
});

test('mapStrings returns the same object when no string changes', () => {
  const value = { A: ['B', 1, { C: 'D' }] };
  expect(mapStrings(value, upper)).toBe(value);
});

test('mapStrings returns a string in place of a number if the callback changes its digits', () => {
  expect(mapStrings([12345, 7], text => text.replace('234', 'x'))).toEqual(['1x5', 7]);
});
