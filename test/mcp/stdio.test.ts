import { describe, expect, test } from 'vitest';
import * as fc from '../support/property.ts';
import { sampleToolset } from '../support/sample-toolset.ts';
import { openInitialized, startServer } from '../support/wire.ts';

const sample = sampleToolset();

const initialized = (desk?: Parameters<typeof sampleToolset>[0]) =>
  openInitialized({ toolsets: [sampleToolset(desk)] });

function call(id: string | number, name: string, args: object = {}) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

const ping = (id: string | number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const invalid = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32600, message: expect.any(String) } });

describe('the stdio server', () => {
  test.each([
    [
      'a line that is not JSON',
      'hello',
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } },
    ],
    [
      'an incomplete message',
      '{"jsonrpc":"2.0"',
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } },
    ],
    ['a JSON-RPC batch', [ping(1), ping(2)], invalid(null)],
    ['an empty batch', [], invalid(null)],
    ['a bare number', '5', invalid(null)],
    ['null', 'null', invalid(null)],
    ['an empty object', {}, invalid(null)],
    ['another JSON-RPC version', { ...ping(3), jsonrpc: '1.0' }, invalid(3)],
    ['a message without a JSON-RPC version', { id: 3, method: 'ping' }, invalid(3)],
    ['an id of null', { jsonrpc: '2.0', id: null, method: 'ping' }, invalid(null)],
    ['an id that is a fraction', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, invalid(null)],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, invalid(null)],
    ['a method that is a number', { jsonrpc: '2.0', id: 3, method: 5 }, invalid(3)],
    ['params that are a list', { ...ping(3), params: [] }, invalid(3)],
    ['a _meta that is a number', { ...ping(3), params: { _meta: 5 } }, invalid(3)],
    ['a progress token that is an object', { ...ping(3), params: { _meta: { progressToken: {} } } }, invalid(3)],
    [
      'a related task without an id',
      { ...ping(3), params: { _meta: { 'io.modelcontextprotocol/related-task': 1 } } },
      invalid(3),
    ],
    ['a message without a method', { jsonrpc: '2.0', id: 3 }, invalid(3)],
  ])('returns an error response for %s and continues', async (_, line, answer) => {
    const wire = await initialized();
    wire.send(line);
    expect(await wire.next()).toEqual(answer);
    wire.send(ping('after'));
    expect(await wire.next()).toMatchObject({ id: 'after', result: {} });
  });

  test.each([
    ['a blank line', ''],
    ['a line of blanks', '  \r'],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/nothing' }],
    ['a malformed notification', { jsonrpc: '2.0', method: 5 }],
    ['a notification with params that are a list', { jsonrpc: '2.0', method: 'notifications/x', params: [] }],
    ['a cancellation without a request id', { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }],
    [
      'a cancellation of an unknown request',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } },
    ],
    ['a response to an unknown request', { jsonrpc: '2.0', id: 5, result: {} }],
    ['an error response without an id', { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'x' } }],
    ['an error response to an unknown request', { jsonrpc: '2.0', id: 5, error: { code: 1, message: 'x' } }],
    [
      'a progress notification for an unknown request',
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
    ],
  ])('ignores %s', async (_, line) => {
    const wire = await initialized();
    wire.send(line);
    wire.send(ping('after'));
    expect(await wire.next()).toEqual({ jsonrpc: '2.0', id: 'after', result: {} });
    expect(wire.pending()).toEqual([]);
  });

  test.each([
    ['params', { ...ping(3), params: null }],
    ['_meta', { ...ping(3), params: { _meta: null } }],
    ['a progress token', { ...ping(3), params: { _meta: { progressToken: null } } }],
    ['a related task', { ...ping(3), params: { _meta: { 'io.modelcontextprotocol/related-task': null } } }],
    ['a protocol version', { ...ping(3), params: { _meta: { 'io.modelcontextprotocol/protocolVersion': null } } }],
    ['a task', { ...ping(3), params: { task: null } }],
    ['a cursor', { ...ping(3), method: 'tools/list', params: { cursor: null } }],
    ['arguments', { ...ping(3), method: 'tools/call', params: { name: 'say', arguments: null, _meta: null } }],
  ])('treats null for %s as absent', async (_, line) => {
    const wire = await initialized();
    wire.send(line);
    expect(await wire.next()).toMatchObject({ id: 3, result: {} });
  });

  test('aborts a call after a cancellation with the value null for _meta', async () => {
    const desk = { greeting: '', cancelled: 0 };
    const wire = await initialized(desk);
    wire.send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'wait' } });
    wire.send(ping('begun'));
    await wire.next();
    wire.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 3, _meta: null, reason: null },
    });
    await expect.poll(() => desk.cancelled).toBe(1);
  });

  test('reads a message that arrives byte by byte or ends with CRLF, and several messages that arrive together', async () => {
    const { input, output } = startServer({ toolsets: [sample] });
    const bytes = Buffer.from(`${JSON.stringify(ping('é'))}\r\n${JSON.stringify(ping(2))}\n`);
    for (const byte of bytes) input.write(Buffer.of(byte));
    const lines: string[] = [];
    output.on('data', (chunk: Buffer) => lines.push(chunk.toString('utf8')));
    await expect
      .poll(() => lines.join(''))
      .toBe('{"result":{},"jsonrpc":"2.0","id":"é"}\n{"result":{},"jsonrpc":"2.0","id":2}\n');
  });

  test('reads the last line without a line break', async () => {
    const { input, output, ended } = startServer({ toolsets: [sample] });
    const lines: string[] = [];
    output.on('data', (chunk: Buffer) => lines.push(chunk.toString('utf8')));
    input.end(JSON.stringify(ping(1)));
    await ended;
    expect(lines.join('')).toBe('{"result":{},"jsonrpc":"2.0","id":1}\n');
  });

  const long = 'x'.repeat(17 * 1024 * 1024);
  test.each([
    ['without an id', long, null],
    ['with the id before the parameters', `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"${long}"}}`, 7],
    [
      'with the id behind the parameters',
      `{"method":"tools/call","params":{"a":"${long}"},"jsonrpc":"2.0","id":"\\"7"}`,
      '"7',
    ],
    [
      'with the id of the request, not one of the parameters',
      `{"id":1,"params":{"id":2,"a":"${long}","b":{"id":3}}}`,
      1,
    ],
    [
      'without an id, if only the parameters have one',
      `{"params":{"id":2,"a":"${long} ,\\"id\\":3}","b":{"id":4}}}`,
      null,
    ],
    ['without an id, if it is invalid', `{"id":1.5,"params":"${long}"}`, null],
  ])('rejects a line above 16 MiB without storing it: %s', async (_, line, id) => {
    const wire = await initialized();
    wire.send(line);
    expect(await wire.next()).toEqual(invalid(id));
    wire.send(ping('after'));
    expect(await wire.next()).toMatchObject({ id: 'after' });
  });

  test('reads a line of exactly 16 MiB, and rejects a line with one byte more', async () => {
    const wire = await initialized();
    const line = JSON.stringify(ping('limit')).padEnd(16 * 1024 * 1024);
    wire.send(line);
    expect(await wire.next()).toMatchObject({ id: 'limit', result: {} });
    wire.send(`${line} `);
    expect(await wire.next()).toEqual(invalid('limit'));
  });

  test('rejects a request with the id of a running request', async () => {
    const wire = await initialized();
    wire.send(call(1, 'wait'));
    wire.send(call(1, 'say'));
    expect(await wire.next()).toEqual(invalid(1));
  });
});

test('the server sends exactly one response to each request with random content', async () => {
  const wire = await initialized();
  const params = fc.record(
    {
      name: fc.oneof(fc.constantFrom('say', 'count'), fc.jsonValue()),
      arguments: fc.jsonValue(),
      task: fc.jsonValue(),
      cursor: fc.jsonValue(),
      protocolVersion: fc.jsonValue(),
      capabilities: fc.jsonValue(),
      clientInfo: fc.jsonValue(),
      _meta: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(
          fc.constantFrom(
            'progressToken',
            ...['related-task', 'protocolVersion', 'clientCapabilities'].map(key => `io.modelcontextprotocol/${key}`),
          ),
          fc.oneof(fc.jsonValue(), fc.constant('2026-07-28'), fc.constant({ taskId: 'x' })),
        ),
      ),
    },
    { requiredKeys: [] },
  );
  const method = fc.oneof(
    fc.constantFrom('initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'tasks/get', '__proto__'),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(
      method,
      fc.oneof({ weight: 5, arbitrary: params }, { weight: 1, arbitrary: fc.jsonValue() }),
      async (name, value) => {
        wire.send({ jsonrpc: '2.0', id: 'asked', method: name, params: value });
        expect(await wire.next()).toMatchObject({ jsonrpc: '2.0', id: 'asked' });
        expect(wire.pending()).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});

describe('the cancellation of a request', () => {
  test.each([0, 1, '0', 'id'])('aborts the call with the request id %j, and no response is sent', async id => {
    const desk = { greeting: 'hello', cancelled: 0 };
    const wire = await initialized(desk);
    wire.send(call(id, 'wait'));
    wire.send(ping('begun'));
    await wire.next();
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    wire.send(ping('after'));
    expect(await wire.next()).toMatchObject({ id: 'after' });
    expect(desk.cancelled).toBe(1);
    expect(wire.pending()).toEqual([]);
  });

  test('prevents the call if it directly follows the request', async () => {
    const desk: Parameters<typeof sampleToolset>[0] = { greeting: 'hello', cancelled: 0 };
    const wire = await initialized(desk);
    wire.send(call(0, 'say'));
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } });
    wire.send(ping('after'));
    expect(await wire.next()).toMatchObject({ id: 'after' });
    expect(wire.pending()).toEqual([]);
    expect(desk.said).toBeUndefined();
  });

  test('keeps the request id in use until the call has ended', async () => {
    const wire = await initialized();
    wire.send(call(8, 'wait'));
    wire.send(ping('begun'));
    await wire.next();
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 8 } });
    wire.send(call(8, 'say'));
    expect(await wire.next()).toEqual(invalid(8));
  });

  test('distinguishes the request id 0 from the request id "0"', async () => {
    const desk = { greeting: 'hello', cancelled: 0 };
    const wire = await initialized(desk);
    wire.send(call(0, 'wait'));
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '0' } });
    wire.send(ping('after'));
    await wire.next();
    expect(desk.cancelled).toBe(0);
  });
});

describe('the stdio server at the end of its input', () => {
  test('closes the connection immediately if no call is running', async () => {
    const wire = await initialized();
    wire.end();
    await expect(wire.ended).resolves.toBeUndefined();
  });

  test('waits for running calls before it closes the connection', async () => {
    const wire = await initialized();
    wire.send(call(1, 'say', { text: 'bye' }));
    wire.end();
    await wire.ended;
    expect(wire.pending()).toMatchObject([{ id: 1, result: { content: [{ text: 'hello bye' }] } }]);
  });

  test('aborts calls that run longer than the grace period', async () => {
    const desk = { greeting: 'hello', cancelled: 0 };
    const wire = await initialized(desk);
    wire.send(call(1, 'wait'));
    wire.end();
    await wire.ended;
    expect(desk.cancelled).toBe(1);
    expect(wire.pending()).toEqual([]);
  });

  test('closes the connection when the last running call is cancelled', async () => {
    const wire = await initialized();
    wire.send(call(1, 'wait'));
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    wire.end();
    await expect(wire.ended).resolves.toBeUndefined();
  });

  test.each(['input', 'output'] as const)('closes the connection after an error of the %s stream', async side => {
    const server = startServer({ toolsets: [sample] });
    server[side].destroy(new Error('EPIPE'));
    await expect(server.ended).resolves.toBeUndefined();
  });
});
