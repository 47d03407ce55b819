import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { createLog, parseLogLevel } from '../../../src/log/log.ts';
import { serveMcp } from '../../../src/mcp/server.ts';
import { StdioTransport } from '../../../src/mcp/stdio.ts';
import { defineToolset, openToolset } from '../../../src/toolset/toolset.ts';
import { sampleToolset } from '../../support/sample-toolset.ts';
import { defineTarget } from '../target.ts';

const sample = sampleToolset();
/**
 * The sample tool that never returns is excluded, because the server waits two seconds for it at the end of its input.
 */
const toolset = defineToolset({
  ...sample,
  async load() {
    const loaded = await sample.load();
    return { ...loaded, tools: loaded.tools.filter(({ name }) => name !== 'wait') };
  },
});
const log = createLog(parseLogLevel('off'), text => text);
const lastPing = { jsonrpc: '2.0', id: 'the last ping', method: 'ping' };

const line = (value: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`;
const handshake = line({
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const call = (id: unknown, name: string, args: object): string =>
  line({ id, method: 'tools/call', params: { name, arguments: args } });

export const target = defineTarget({
  name: 'mcp-lines',
  corpus: [
    handshake + line({ method: 'notifications/initialized' }) + line({ id: 1, method: 'tools/list' }),
    handshake + call(1, 'say', { text: 'x' }) + call('2', 'count', { text: 'é\ud800' }) + call(3, 'nothing', {}),
    handshake + call(4, 'refuse', { text: 'x' }) + call(5, 'lose', { text: 'y' }) + call(6, 'object', { text: 'z' }),
    handshake + call(7, 'crash', {}) + call(8, 'work', {}) + call(9, 'skip', { notes: ['a'] }),
    `${handshake + line({ id: 1, method: 'ping' })}[1]\n{"jsonrpc":"2.0"}\nnull\n\n{`,
    line({
      id: 1,
      method: 'server/discover',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', progressToken: 1 } },
    }),
    handshake + line({ id: 1, method: 'ping' }) + line({ method: 'notifications/cancelled', params: { requestId: 1 } }),
  ],
  dictionary: [
    ...'"jsonrpc":"2.0"|"id":|null|1.5|{}|[]|"method":|"ping"|"tools/call"|"tools/list"|"initialize"|"params":'.split(
      '|',
    ),
    ...'"name":|"arguments":|"say"|"count"|"_meta":|"progressToken":|\\ud800|\\u0000|"__proto__":|,|:|"'.split('|'),
    '\n',
    '\r\n',
    handshake,
  ],
  mutations: 400,
  async run(bytes) {
    // The server loads this module when it lists tools. If it is loaded already, the order of the answers is always the same.
    await import('../../../src/mcp/tool-list.ts');
    const requests = bytes.toString('utf8').split('\n').flatMap(requestIdOf);
    const output = await outputOf(bytes);
    const answered = output.flatMap(message => ('id' in message ? [message['id']] : []));
    assert.ok(answered.includes(lastPing.id), 'the server does not answer a ping after these lines');
    const expected = new Map<unknown, number>();
    for (const id of requests) expected.set(id, (expected.get(id) ?? 0) + 1);
    for (const id of requests) {
      const count = answered.filter(other => other === id).length;
      assert.ok(count <= (expected.get(id) ?? 0), `the id ${JSON.stringify(id)} has more responses than requests`);
    }
    return output;
  },
});

function requestIdOf(text: string): unknown[] {
  try {
    const message: unknown = JSON.parse(text);
    // The id is null in errors that belong to no request.
    return typeof message === 'object' && message !== null && 'id' in message
      ? [message.id].filter(id => id !== null)
      : [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}

/** Returns the parsed lines that a new server writes for this input. */
async function outputOf(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const written: Buffer[] = [];
  output.on('data', (chunk: Buffer) => written.push(chunk));
  const transport = new StdioTransport(input, output);
  const open = [await openToolset(toolset, {}, { isDemo: false })];
  const ended = serveMcp(transport, { open, known: [toolset], redact: text => text, log });
  input.write(bytes);
  input.end(`\n${JSON.stringify(lastPing)}`);
  await ended;
  const text = Buffer.concat(written).toString('utf8');
  assert.ok(text.endsWith('\n'), 'the output does not end with a line break');
  return text
    .slice(0, -1)
    .split('\n')
    .map(message => {
      const parsed: unknown = JSON.parse(message);
      assert.ok(typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed), 'a line is not a message');
      return { ...parsed };
    });
}
