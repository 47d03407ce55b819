import { LogLevels } from 'consola/core';
import { expect, test } from 'vitest';
import { formatUtc, parseLogLevel } from '../../src/log/log.ts';
import { runProgram } from '../support/program.ts';
import * as fc from '../support/property.ts';
import { initialize } from '../support/wire.ts';

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
])('parseLogLevel reads the setting %j as level %d', (spec, level) => {
  expect(parseLogLevel(spec)).toBe(level);
});

test('formatUtc formats a date like Date.toISOString', () => {
  const [min, max] = [new Date('1970-01-01'), new Date('9999-12-31T23:59:59.999Z')];
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), date => {
      expect(formatUtc(date)).toBe(date.toISOString());
    }),
  );
});

test('the log contains each of many equal events that happen in the same millisecond', async () => {
  // The log lines fit into the buffer of a pipe, because the server drops lines if the test reads them too late.
  const params = { progressToken: 'unknown', progress: 1 };
  const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
  const input = `${JSON.stringify(initialize)}\n${`${notification}\n`.repeat(100)}`;
  const { stderr } = await runProgram(['--demo'], { input, env: { OJ_MCP_LOG: 'debug' } });
  expect(stderr.match(/ DEBUG oj-mcp: protocol: /g)).toHaveLength(100);
});
