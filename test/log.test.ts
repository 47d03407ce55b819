import { LogLevels } from 'consola/core';
import { expect, test } from 'vitest';
import { logLevel } from '../src/log.ts';

test.each([
  [undefined, LogLevels.info],
  ['', LogLevels.info],
  ['nonsense', LogLevels.info],
  ['off', LogLevels.silent],
  ['error', LogLevels.error],
  ['warn', LogLevels.warn],
  ['INFO', LogLevels.info],
  [' debug ', LogLevels.debug],
  ['trace', LogLevels.trace],
  ['warn,oj_mcp=trace', LogLevels.trace],
  ['oj-mcp=error,debug', LogLevels.error],
  ['oj_mcp::request=debug', LogLevels.debug],
  ['hyper=trace', LogLevels.info],
  ['warn,hyper=trace', LogLevels.warn],
  ['oj_mcp=nonsense', LogLevels.info],
])('%j means level %d', (spec, level) => {
  expect(logLevel(spec)).toBe(level);
});
