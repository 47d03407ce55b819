import { expect, test } from 'vitest';
import { OversizedLine } from '../../src/mcp/long-line.ts';

/** Returns the id of a line that arrives in these pieces. */
function idOf(first: string, ...others: string[]): unknown {
  const line = new OversizedLine(Buffer.from(first));
  for (const piece of others) line.add(Buffer.from(piece));
  return line.id();
}

const long = `"params":{"x":"${'y'.repeat(5000)}"}`;

test.each([
  ['after the version and the method', `{"jsonrpc":"2.0","method":"a\\"b","id":7,${long}}`, 7],
  ['at the start, with blanks', ` { "id" : "a" , ${long}}`, 'a'],
  ['as the only member', '{"id":-3}', -3],
  ['as an escaped text', `{"id":"a\\"\\u0062",${long}}`, 'a"b'],
  ['after the parameters', `{${long},"id":8}`, 8],
  ['after the parameters, before version and method', `{${long}, "id": 8 , "method":"m","jsonrpc":"2.0" } \r`, 8],
  ['with 16 digits', '{"id":9007199254740991}', 9_007_199_254_740_991],
  ['with 17 digits', '{"id":10000000000000000}', null],
  ['as a fraction', `{"id":1.5,${long}}`, null],
  ['as null', `{"id":null,${long}}`, null],
  ['inside the parameters only', `{"params":{"id":5},${long}}`, null],
  ['between two long members', `{${long},"id":5,${long}}`, null],
  ['after an unknown member', `{"other":"1","id":5,${long}}`, null],
])('the id of a line that is too long is found %s', (_, line, id) => {
  expect(idOf(line)).toBe(id);
});

test('the id of a line that is too long is found in the first and the last 4,096 bytes, in pieces of any size', () => {
  const padded = (length: number): string => `{"id":5,"method":"${'m'.repeat(length)}"`;
  expect(idOf(`${' '.repeat(4096 - 8)}{"id":5,${long}}`)).toBe(5);
  expect(idOf(`${' '.repeat(4096 - 7)}{"id":5,${long}}`)).toBeNull();
  expect(idOf(`{${long},"id":5}${' '.repeat(4096 - 8)}`)).toBe(5);
  expect(idOf(`{${long},"id":5}${' '.repeat(4096 - 7)}`)).toBeNull();
  expect(idOf(`{${long}`, ',"id"', ':', '5}')).toBe(5);
  expect(idOf(`{${long},`, `"a":"${'b'.repeat(9000)}","id":5}`)).toBe(5);
  expect(idOf(`{${long}`, ',"id":5}', ' '.repeat(5000))).toBeNull();
  expect(idOf(padded(10))).toBe(5);
});
