import { expect, test } from 'vitest';
import { isRecord, readJson } from '../../src/text/json.ts';

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', undefined],
  ['{"a":', undefined],
  ['"\u0001"', undefined],
])('readJson parses %j to %j, or returns undefined for invalid JSON', (text, value) => {
  expect(readJson(text)).toEqual(value);
});

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['a', false],
  [() => {}, false],
])('isRecord(%j) returns %s', (value, expected) => {
  expect(isRecord(value)).toBe(expected);
});
