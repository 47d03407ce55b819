import { expect, test } from 'vitest';
import { formatTomlKey, formatTomlTable, formatTomlValue } from '../../../src/cli/host-config/toml-text.ts';

test.each([
  ['text', '"text"'],
  ['"C:\\\\x"\n\u007f', String.raw`"\"C:\\\\x\"\n\u007f"`],
  [true, 'true'],
  [1.5, '1.5'],
  [new Date(Date.UTC(2026, 0, 2, 3)), '2026-01-02T03:00:00.000Z'],
  [[], '[]'],
  [['a', 1], '["a", 1]'],
  [{}, '{}'],
  [{ a: 1, 'b c': { d: [] } }, '{ a = 1, "b c" = { d = [] } }'],
])('formatTomlValue writes %o as %s', (value, expected) => {
  expect(formatTomlValue(value)).toBe(expected);
});

test('formatTomlTable quotes the parts of a key that are not bare', () => {
  expect(formatTomlKey(['a-B_1', '', 'x.y'])).toBe('a-B_1.""."x.y"');
  expect(formatTomlTable(['servers', 'oj'], { command: 'node', 'a b': 1 })).toEqual([
    '[servers.oj]',
    'command = "node"',
    '"a b" = 1',
  ]);
});
