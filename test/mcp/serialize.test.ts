import { describe, expect, test } from 'vitest';
import { serializeMessage } from '../../src/mcp/serialize.ts';
import { sampleToolset } from '../support/sample-toolset.ts';
import { modernMeta, startServer } from '../support/wire.ts';

/**
 * The pattern skips pairs of backslashes, because `\\\\ud800` is a text with a backslash and not an escaped surrogate.
 */
const escapedSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;
const lone = '\ud800';
const versionKey = 'io.modelcontextprotocol/protocolVersion';

describe('serializeMessage', () => {
  test('replaces lone surrogates in values and keys, but not in the id', () => {
    const message = { jsonrpc: '2.0', id: `x${lone}`, result: { [`k${lone}`]: [`v${lone}`, { deep: '\udfff!' }] } };
    const line = serializeMessage(message).toString('utf8');
    expect(line).toBe('{"jsonrpc":"2.0","id":"x\\ud800","result":{"k\ufffd":["v\ufffd",{"deep":"\ufffd!"}]}}\n');
  });

  test.each(['plain', '😀 pairs', String.raw`C:\udata`, 'line\nbreak'])('keeps well-formed text: %s', text => {
    expect(JSON.parse(serializeMessage({ id: 1, result: { text } }).toString('utf8'))).toEqual({
      id: 1,
      result: { text },
    });
  });
});

describe('the output of the server', () => {
  const call = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: args } });
  const progressToken = `token${lone}`;
  test.each([
    ['a text', call('say', { text: lone })],
    ['an unknown tool', call(`no${lone}`, {})],
    ['an unknown argument', call('say', { [`no${lone}`]: 1 })],
    ['an argument of a wrong type', call('say', { text: [lone] })],
    ['a structured result', call('count', { text: `a${lone}` })],
    ['notes', call('skip', { notes: [lone] })],
    ['an error result with a hint', call('refuse', { text: lone })],
    ['an error object', call('object', { text: lone })],
    ['a protocol error', call('lose', { text: lone })],
    ['an unknown method', { method: `no${lone}`, params: {} }],
    ['an unknown version', { method: 'ping', params: { _meta: { [versionKey]: lone } } }],
    ['a progress notification', { method: 'tools/call', params: { name: 'work', _meta: { progressToken } } }],
  ])('contains no lone surrogate in %s', async (_, { method, params }) => {
    const { input, output } = startServer({ toolsets: [sampleToolset()] });
    const meta = { ...modernMeta, ...('_meta' in params && params['_meta']) };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } })}\n`);
    let text = '';
    for await (const chunk of output) {
      text += String(chunk);
      if (text.includes('"id":1')) break;
    }
    expect(text).not.toMatch(escapedSurrogate);
  });
});
