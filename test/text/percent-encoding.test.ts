import { expect, test } from 'vitest';
import { decodePercentEncoding } from '../../src/text/percent-encoding.ts';

test.each([
  ['a%20b%C3%A9', 'x', 'a bé'],
  ['100%', 'x', 'x'],
  ['%C3', undefined, '%C3'],
])('decodePercentEncoding(%j, %j) returns %j', (text, original, expected) => {
  expect(decodePercentEncoding(text, original)).toBe(expected);
});
