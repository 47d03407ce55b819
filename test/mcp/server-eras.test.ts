import { describe, expect, test } from 'vitest';
import { sampleToolset } from '../support/sample-toolset.ts';
import { ask, initialize, modernMeta, openInitialized, openWire } from '../support/wire.ts';

const sample = sampleToolset();
const serverInfo = { name: 'oj-mcp', title: 'oj-mcp', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) };

describe('a client of protocol revisions up to 2025-11-25', () => {
  test('gets the server name and only the tools capability from initialize (INVARIANT S3.1, S3.2)', async () => {
    const wire = openWire({ toolsets: [sample] });
    wire.send(initialize);
    expect(await wire.next()).toEqual({
      jsonrpc: '2.0',
      id: 'init',
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: false } },
        serverInfo,
        instructions: sample.instructions,
      },
    });
  });

  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2026-07-28', '2025-11-25'],
    ['nonsense', '2025-11-25'],
  ])('requests revision %s and is offered revision %s', async (requested, offered) => {
    const wire = openWire({ toolsets: [sample] });
    wire.send({ ...initialize, params: { ...initialize.params, protocolVersion: requested } });
    expect(await wire.next()).toMatchObject({ result: { protocolVersion: offered } });
  });

  test.each([
    ['no params', undefined, '"protocolVersion" must be a string'],
    [
      'a protocol version that is no string',
      { ...initialize.params, protocolVersion: 1 },
      '"protocolVersion" must be a string',
    ],
    ['no capabilities', { ...initialize.params, capabilities: undefined }, '"capabilities" must be an object'],
    ['no client name', { ...initialize.params, clientInfo: {} }, '"clientInfo" must have a name and a version'],
  ])('gets an error for initialize with %s, and can repeat initialize', async (_, params, message) => {
    const wire = openWire({ toolsets: [sample] });
    expect(await ask(wire, 'initialize', params)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32602, message: `The parameters of initialize are invalid: ${message}` },
    });
    expect(await ask(wire, 'initialize', initialize.params)).toHaveProperty('result');
  });

  test('is accepted if it declares unknown capabilities', async () => {
    const wire = openWire({ toolsets: [sample] });
    const params = {
      ...initialize.params,
      capabilities: { experimental: { a: 1 } },
      clientInfo: { name: 'x', version: '1', icons: 5 },
    };
    expect(await ask(wire, 'initialize', params)).toHaveProperty('result');
  });

  test('gets an error for every request before initialize except ping', async () => {
    const wire = openWire({ toolsets: [sample] });
    expect(await ask(wire, 'tools/list')).toMatchObject({ error: { code: -32600 } });
    expect(await ask(wire, 'ping')).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  });

  test.each([
    'server/discover',
    'resources/list',
    'prompts/list',
    'logging/setLevel',
    'completion/complete',
    'tasks/list',
    'tools/nothing',
    '__proto__',
  ])('gets the error "Method not found" for %s', async method => {
    const wire = await openInitialized({ toolsets: [sample] });
    expect(await ask(wire, method, {})).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32601, message: `Method not found: ${method}` },
    });
  });
});

describe('a client of protocol revision 2026-07-28', () => {
  test('gets a response to server/discover without initialize', async () => {
    const wire = openWire({ toolsets: [sample] });
    expect(await ask(wire, 'server/discover', { _meta: modernMeta })).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: false } },
        instructions: sample.instructions,
        resultType: 'complete',
        ttlMs: 3_600_000,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      },
    });
  });

  test('gets cache hints in the result of tools/list, but not of tools/call', async () => {
    const wire = openWire({ toolsets: [sample] });
    expect(await ask(wire, 'tools/list', { _meta: modernMeta })).toMatchObject({
      result: { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'private' },
    });
    const called = await ask(wire, 'tools/call', { name: 'say', arguments: {}, _meta: modernMeta });
    expect(called).toMatchObject({ result: { resultType: 'complete', isError: false } });
    expect(called['result']).not.toHaveProperty('ttlMs');
  });

  test('gets the error "Method not found" for ping', async () => {
    const wire = openWire({ toolsets: [sample] });
    expect(await ask(wire, 'ping', { _meta: modernMeta })).toMatchObject({ error: { code: -32601 } });
  });

  test.each(['2099-01-01', '2025-11-25', 7])(
    'gets an error with the supported versions for the unsupported version %s',
    async requested => {
      const wire = openWire({ toolsets: [sample] });
      const _meta = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': requested };
      expect(await ask(wire, 'tools/list', { _meta })).toEqual({
        jsonrpc: '2.0',
        id: 7,
        error: {
          code: -32022,
          message: 'Unsupported protocol version',
          data: { supported: ['2026-07-28'], requested },
        },
      });
    },
  );

  test('gets an error for a request that does not state the client capabilities', async () => {
    const wire = openWire({ toolsets: [sample] });
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    expect(await ask(wire, 'tools/list', { _meta })).toMatchObject({ error: { code: -32602 } });
  });

  test('gets fields in results that a client of revision 2025-11-25 does not get', async () => {
    const wire = await openInitialized({ toolsets: [sample] });
    const { result } = await ask(wire, 'tools/call', { name: 'say', arguments: { text: 'x' } });
    expect(result).toEqual({ content: [{ type: 'text', text: 'hello x' }], isError: false });
  });
});
