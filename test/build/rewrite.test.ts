import { expect, test } from 'vitest';
import { pathFilter } from '../../build/rewrite.mjs';

test.each([
  ['/home/me/oj-mcp/node_modules/@modelcontextprotocol/sdk/dist/esm/types.js', true],
  ['C:\\me\\oj-mcp\\node_modules\\@modelcontextprotocol\\sdk\\dist\\esm\\types.js', true],
  ['sdk/dist/esm/types.js', true],
  ['/a/sdk/dist/esm/types.jsx', false],
  ['/a/sdk/dist/esm/typesxjs', false],
  ['/a/other-sdk/dist/esm/types.js', false],
  ['/a/sdk/dist/esm/spec.types.js', false],
])('the path filter of the build matches the same file with slashes and backslashes: %s → %s', (path, expected) => {
  expect(pathFilter('sdk/dist/esm/types.js').test(path)).toBe(expected);
});
