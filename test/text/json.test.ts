import { expect, test } from 'vitest';
import { readJson } from '../../src/text/json.ts';

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', undefined],
  ['{"a":', undefined],
  ['"\u0001"', undefined],
])('readJson parses %j to %j, or returns undefined for invalid JSON', (text, value) => {
  expect(readJson(text)).toEqual(value);
});
