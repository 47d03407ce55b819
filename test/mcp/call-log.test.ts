import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Failure, type FailureCode } from '../../src/errors/failure.ts';
import type { EventLog } from '../../src/log/log.ts';
import { defineTool } from '../../src/toolset/toolset.ts';
import { type Reply, startJudge } from '../support/judge.ts';
import { sampleToolset } from '../support/sample-toolset.ts';
import { has, known } from '../support/toolsets.ts';
import { ask, openInitialized, type ServerOptions } from '../support/wire.ts';

/** Returns a log that writes its lines into an array, with their level and with N in place of the milliseconds. */
function recordLog(): { log: EventLog; lines: string[] } {
  const lines: string[] = [];
  const at =
    (level: string) =>
    (...words: unknown[]): void =>
      void lines.push(`${level} ${words.join(' ').replace(/\d+ ms/, 'N ms')}`);
  const log: EventLog = {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
  };
  return { log, lines };
}

/** Returns the log lines of one call. */
async function logOf(options: ServerOptions, params: object, meanwhile?: object): Promise<string[]> {
  const { log, lines } = recordLog();
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
  ['a result', { name: 'say', arguments: { text } }, 'debug say: answered, N ms'],
  ['an error result', { name: 'refuse', arguments: { text } }, 'debug refuse: refused, N ms'],
  [
    'a network failure',
    { name: 'lose', arguments: { text: 'Cannot reach http://backend: refused.' } },
    'warn lose: Cannot reach http://backend: refused, N ms',
  ],
  ['invalid arguments', { name: 'count', arguments: { [text]: 1 } }, 'warn count: arguments refused, N ms'],
  ['an unknown tool', { name: `${text}\nwarn`, arguments: {} }, 'debug unknown tool: refused, N ms'],
  ['a bug', { name: 'crash', arguments: {} }, 'error crash: bug, N ms TimeoutError: secret details'],
])('the log of a call that ends with %s is one line without arguments or results', async (_, params, line) => {
  expect(await logOf({ toolsets: [sampleToolset()] }, params)).toEqual([line]);
});

test('a bug that does not prevent the result of a call is logged as an error', async () => {
  expect(await logOf({ toolsets: [sampleToolset()] }, { name: 'stumble', arguments: {} })).toEqual([
    'error stumble: recovered from a bug, N ms TypeError: secret details',
    'debug stumble: answered, N ms',
  ]);
});

test('a cancelled call is logged as one line', async () => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  expect(await logOf({ toolsets: [sampleToolset()] }, { name: 'wait', arguments: {} }, cancelled)).toEqual([
    'debug wait: cancelled, N ms',
  ]);
});

const cut: Reply = ({ req }) => void req.socket.destroy();
const moved: Reply = response => {
  const location = `https://${response.req.headers.host}/`;
  response.writeHead(308, { location }).end();
};

test.runIf(has('oj')).each<[string, Reply, RegExp]>([
  ['its status, without a warning', { status: 404, json: { title: text } }, /^debug get_problem: upstream 404, N ms$/],
  ['its status as a warning', { status: 503, json: { title: text } }, /^warn get_problem: upstream 503, N ms$/],
  ['that the response is malformed', { json: text }, /^warn get_problem: unusable response of the backend, N ms$/],
  [
    'that the response is too large',
    { json: 'x'.repeat(1_100_000) },
    /^warn get_problem: unusable response of the backend, N ms$/,
  ],
  ['the reason of a lost connection', cut, /^warn get_problem: Cannot reach http:\/\/127\.0\.0\.1:\d+: .+, N ms$/],
  ['the origin of a refused redirect', moved, /^warn get_problem: http:\S+ redirects to https:\S+, which .+, N ms$/],
])('the log of a call with an error response of the backend contains only %s', async (_, reply, line) => {
  const { origin } = await startJudge(reply);
  const params = { name: 'get_problem', arguments: { source: text, id: text } };
  const toolsets = [known.get('oj')].filter(toolset => toolset !== undefined);
  const lines = await logOf({ toolsets, values: { 'base-url': origin, token: 'a-secret-token' } }, params);
  expect(lines).toEqual([expect.stringMatching(line)]);
  expect(lines.join()).not.toMatch(/never|a-secret-token/);
});

test.runIf(has('oj')).each<[string, Reply, RegExp]>([
  [
    'a rejected token',
    { status: 401, json: { title: text } },
    /^warn get_problem: upstream 401 \(The backend rejects the token: .+\), N ms$/,
  ],
  [
    'a forbidden request',
    { status: 403, body: text },
    /^warn get_problem: upstream 403 \(The token was sent, .+\), N ms$/,
  ],
  [
    'a web page',
    { type: 'text/html', body: text },
    /^warn get_problem: upstream 200 \(This may be the answer .+\), N ms$/,
  ],
])('the log of two calls warns of %s once, with the tool and the remedy', async (_, reply, line) => {
  const { origin } = await startJudge(reply);
  const params = { name: 'get_problem', arguments: { source: text, id: text } };
  const toolsets = [known.get('oj')].filter(toolset => toolset !== undefined);
  const again = { jsonrpc: '2.0', id: 8, method: 'tools/call', params };
  const lines = await logOf({ toolsets, values: { 'base-url': origin, token: 'a-secret-token' } }, params, again);
  await expect.poll(() => lines.length).toBe(2);
  expect(lines).toEqual([
    expect.stringMatching(line),
    expect.stringMatching(/^debug get_problem: upstream \d+, N ms$/),
  ]);
  expect(lines.join()).not.toMatch(/never|a-secret-token/);
});

test.each<[FailureCode, status: number | undefined, first: string, second: string]>([
  ['upstream', 599, 'warn upstream 599', 'warn upstream 599'],
  ['upstream', 500, 'warn upstream 500', 'warn upstream 500'],
  ['upstream', 499, 'debug upstream 499', 'debug upstream 499'],
  ['upstream', 400, 'debug upstream 400', 'debug upstream 400'],
  ['upstream', 399, 'warn upstream 399 (The hint.)', 'debug upstream 399'],
  ['upstream', 200, 'warn upstream 200 (The hint.)', 'debug upstream 200'],
  ['upstream', 401, 'warn upstream 401 (The hint.)', 'debug upstream 401'],
  ['upstream', 403, 'warn upstream 403 (The hint.)', 'debug upstream 403'],
  ['upstream', 407, 'warn upstream 407 (The hint.)', 'debug upstream 407'],
  ['upstream', undefined, 'warn upstream error (The hint.)', 'debug upstream error'],
  ['network', undefined, 'warn Not reached', 'warn Not reached'],
  ['setting', undefined, 'warn Not reached', 'warn Not reached'],
  ['malformed', undefined, 'warn unusable response of the backend', 'warn unusable response of the backend'],
  ['argument', undefined, 'warn arguments refused', 'warn arguments refused'],
  ['refused', undefined, 'debug refused', 'debug refused'],
  ['unknown-tool', undefined, 'debug refused', 'debug refused'],
])(
  'two calls with a failure of the kind "%s" and the status %s are logged as "%s" and "%s"',
  async (code, status, ...outcomes) => {
    const fail = defineTool({
      name: 'fail',
      title: 'Fail',
      description: 'Fails.',
      input: v.strictObject({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      handler() {
        throw new Failure(code, 'Not reached.', { hint: 'The hint.', ...(status !== undefined && { status }) });
      },
    });
    const toolset = { ...sampleToolset(), load: async () => ({ tools: [fail], createContext: () => undefined }) };
    const { log, lines } = recordLog();
    const wire = await openInitialized({ toolsets: [toolset], log });
    for (const _ of outcomes) await ask(wire, 'tools/call', { name: 'fail', arguments: {} });
    expect(lines).toEqual(outcomes.map(outcome => `${outcome.replace(' ', ' fail: ')}, N ms`));
  },
);
