import { expect, test } from 'vitest';
import type { Log } from '../../src/log/log.ts';
import { type Reply, startJudge } from '../support/judge.ts';
import { sampleToolset } from '../support/sample-toolset.ts';
import { has, known } from '../support/toolsets.ts';
import { ask, openInitialized, type ServerOptions } from '../support/wire.ts';

/** What one call leaves in the log, level and words, with its milliseconds as N. */
async function logOf(options: ServerOptions, params: object, meanwhile?: object): Promise<string[]> {
  const lines: string[] = [];
  const at =
    (level: string) =>
    (...words: unknown[]): void =>
      void lines.push(`${level} ${words.join(' ').replace(/\d+ ms/, 'N ms')}`);
  const log: Log = { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug'), trace: at('trace') };
  const wire = await openInitialized({ ...options, log });
  if (meanwhile === undefined) {
    await ask(wire, 'tools/call', params);
    return lines;
  }
  wire.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
  wire.send(meanwhile);
  await expect.poll(() => lines).not.toEqual([]);
  return lines;
}

const text = 'never to be logged';

test.each([
  ['answered', { name: 'say', arguments: { text } }, 'debug say: answered, N ms'],
  ['a rule that says no', { name: 'refuse', arguments: { text } }, 'debug refuse: refused, N ms'],
  ['the network', { name: 'lose', arguments: { text } }, 'debug lose: network, N ms'],
  ['arguments that do not fit', { name: 'count', arguments: { [text]: 1 } }, 'warn count: arguments refused, N ms'],
  ['no such tool', { name: `${text}\nwarn`, arguments: {} }, 'debug unknown tool: refused, N ms'],
  ['a bug', { name: 'crash', arguments: {} }, 'error crash: bug, N ms TimeoutError: secret details'],
])('a call that ends with %s leaves one line, without a word of what was said', async (_, params, line) => {
  expect(await logOf({ toolsets: [sampleToolset()] }, params)).toEqual([line]);
});

test('a bug that does not prevent a result is logged as an error', async () => {
  expect(await logOf({ toolsets: [sampleToolset()] }, { name: 'stumble', arguments: {} })).toEqual([
    'error stumble: recovered from a bug, N ms TypeError: secret details',
    'debug stumble: answered, N ms',
  ]);
});

test('a cancelled call is logged with one line', async () => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  expect(await logOf({ toolsets: [sampleToolset()] }, { name: 'wait', arguments: {} }, cancelled)).toEqual([
    'debug wait: cancelled, N ms',
  ]);
});

test.runIf(has('oj')).each<[string, Reply, string]>([
  ['its status', { status: 404, json: { title: text } }, 'upstream 404'],
  ['that it cannot be read', { json: text }, 'malformed'],
])('of what a backend answers the log has only %s', async (_, reply, outcome) => {
  const { origin } = await startJudge(reply);
  const params = { name: 'get_problem', arguments: { source: text, id: text } };
  expect(
    await logOf(
      { toolsets: [known.get('oj')].filter(toolset => toolset !== undefined), values: { 'base-url': origin } },
      params,
    ),
  ).toEqual([`debug get_problem: ${outcome}, N ms`]);
});
