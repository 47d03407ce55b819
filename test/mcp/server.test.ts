import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';
import { defineTool } from '../../src/toolset/toolset.ts';
import { connect } from '../support/client.ts';
import { sampleToolset } from '../support/sample-toolset.ts';
import { ask, modernMeta, openInitialized, openWire } from '../support/wire.ts';

const sample = sampleToolset();

describe('tools/list', () => {
  test('returns all tools on one page', async () => {
    const wire = await openInitialized({ toolsets: [sample] });
    expect(await ask(wire, 'tools/list', { cursor: 'x' })).toMatchObject({ error: { code: -32602 } });
  });

  test('publishes a title, strict schemas and four annotations for every tool', async () => {
    const { client } = await connect({ toolsets: [sample] });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'say',
      'count',
      'skip',
      'work',
      'wait',
      'refuse',
      'object',
      'lose',
      'stumble',
      'crash',
    ]);
    expect(tools[1]).toEqual({
      name: 'count',
      title: 'Count',
      description: 'Returns how many characters the text has.',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          characters: { type: 'number' },
          notes: { type: 'array', items: { type: 'string' } },
        },
        required: ['text', 'characters'],
      },
      annotations: {
        title: 'Count',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
  });
});

describe('tools/call', () => {
  test.each([
    ['a task, which the server does not support', { task: { ttl: 1000 } }],
    ['a malformed task', { task: 5 }],
    ['a related task in _meta', { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'x' } } }],
    ['a progress token', { _meta: { progressToken: 1 } }],
    ['unknown members', { other: 1 }],
  ])('ignores %s in a request', async (_, extra) => {
    const wire = await openInitialized({ toolsets: [sample] });
    const answer = await ask(wire, 'tools/call', { name: 'say', arguments: {}, ...extra });
    expect(answer).toMatchObject({ result: { isError: false } });
  });

  test('returns a string as text, and an object as text and structured content', async () => {
    const { call } = await connect({ toolsets: [sample] });
    expect(await call('say', { text: 'you' })).toMatchObject({
      isError: false,
      text: 'hello you',
      structured: undefined,
    });
    expect(await call('count', { text: 'four' })).toMatchObject({
      text: '{"text":"four","characters":4}',
      structured: { text: 'four', characters: 4 },
    });
  });

  test.each([
    ['null for all arguments', null],
    ['null for an optional argument', { text: null }],
    ['an undefined arguments object', undefined],
  ])('treats %s as absent', async (_, args) => {
    const wire = await openInitialized({ toolsets: [sample] });
    expect(await ask(wire, 'tools/call', { name: 'say', arguments: args })).toMatchObject({
      result: { content: [{ text: 'hello ' }] },
    });
  });

  test.each([
    ['a missing argument', {}, 'count: "text" is required'],
    [
      'all arguments nested under an undeclared name',
      { params: { text: 'x' } },
      'count: unknown argument "params", it takes "text"',
    ],
    [
      'an unknown argument that is null',
      { text: 'x', txet: null },
      'count: unknown argument "txet", did you mean "text"?',
    ],
    [
      'an unknown argument with the name of an object method',
      { text: 'x', toString: null },
      'count: unknown argument "toString", it takes "text"',
    ],
    ['null for a required argument', { text: null }, 'count: "text" is required'],
    ['an argument of a wrong type', { text: 5 }, 'count: "text" must be a string, got the number 5'],
    ['an unknown argument', { text: 'x', txt: 1 }, 'count: unknown argument "txt", did you mean "text"?'],
    [
      'an unknown argument without a similar name',
      { text: 'x', ['__proto__x']: 1 },
      'count: unknown argument "__proto__x", it takes "text"',
    ],
  ])('returns an error result that names the argument for %s', async (_, args, text) => {
    const { call } = await connect({ toolsets: [sample] });
    const { isError, text: report } = await call('count', args);
    expect({ isError, report: JSON.parse(report) }).toEqual({
      isError: true,
      report: { error: 'BadArgument', message: text },
    });
  });

  test.each([
    ['no name', {}],
    ['a name that is no string', { name: 5 }],
    ['arguments that are a list', { name: 'say', arguments: [] }],
    ['arguments that are a string', { name: 'say', arguments: 'x' }],
  ])('returns a protocol error for a request with %s', async (_, params) => {
    const wire = await openInitialized({ toolsets: [sample] });
    expect(await ask(wire, 'tools/call', params)).toMatchObject({ error: { code: -32602 } });
  });

  test('returns an error result with the message and the hint for an expected failure', async () => {
    const { call } = await connect({ toolsets: [sample] });
    expect(await call('refuse', { text: 'never' })).toMatchObject({
      isError: true,
      texts: ['No: never\n\nAsk otherwise.'],
    });
  });

  test('returns the report object of a failure as compact JSON in an error result, also for invalid arguments', async () => {
    const { call } = await connect({ toolsets: [sample] });
    const { isError, texts } = await call('object', { text: 'no' });
    expect({ isError, texts }).toEqual({ isError: true, texts: ['{"error":"Objection","text":"no"}'] });
    const refusal = { error: 'BadArgument', message: 'object: "text" is required' };
    expect(JSON.parse((await call('object')).text)).toEqual(refusal);
  });

  test.each([
    [
      { hint: 'Try again.', report: { error: 'E' } },
      { error: 'E', suggestion: 'Try again.' },
    ],
    [
      { hint: 'Try again.', report: { error: 'E', suggestion: 'Wait.' } },
      { error: 'E', suggestion: 'Try again.' },
    ],
    [{ report: { error: 'E', suggestion: 'Wait.' } }, { error: 'E', suggestion: 'Wait.' }],
    [{ report: { error: 'E' } }, { error: 'E' }],
  ])('adds the hint of a failure to its report object: %j', async (options, report) => {
    const fail = defineTool({
      name: 'fail',
      title: 'Fail',
      description: 'Fails.',
      input: v.strictObject({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      handler() {
        throw new Failure('refused', 'not shown', options);
      },
    });
    const toolset = { ...sample, load: async () => ({ tools: [fail], createContext: () => undefined }) };
    const { call } = await connect({ toolsets: [toolset] });
    expect(JSON.parse((await call('fail')).text)).toEqual(report);
  });

  test('returns each note as a separate text and in the structured content', async () => {
    const { call } = await connect({ toolsets: [sample], values: { 'sample-secret': 'hunter2_hunter2' } });
    expect(await call('skip', { notes: ['One folder was closed.', 'hunter2_hunter2'] })).toEqual({
      isError: false,
      text: '{"found":0}',
      texts: ['{"found":0}', 'One folder was closed.', '[redacted]'],
      structured: { found: 0, notes: ['One folder was closed.', '[redacted]'] },
    });
    expect((await call('skip', { notes: [] })).structured).toEqual({ found: 0 });
    expect((await call('skip', { notes: ['x'.repeat(2000)] })).texts[1]).toBe(`${'x'.repeat(1000)}\n\n... (truncated)`);
  });

  test('returns the links of a result as resource links in the content', async () => {
    const wire = await openInitialized({ toolsets: [sample] });
    const link = { type: 'resource_link', uri: 'file:///result.txt', name: 'result.txt', mimeType: 'text/plain' };
    expect(await ask(wire, 'tools/call', { name: 'work' })).toMatchObject({
      result: { content: [{ type: 'text', text: 'done' }, link], structuredContent: { agent: 'test' } },
    });
  });

  test('passes the client name of a request of protocol revision 2026-07-28 to the handler', async () => {
    const wire = openWire({ toolsets: [sample] });
    const client = { 'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' } };
    const named = await ask(wire, 'tools/call', { name: 'work', _meta: { ...modernMeta, ...client } });
    expect(named).toMatchObject({ result: { structuredContent: { agent: 'modern' } } });
    const nameless = await ask(wire, 'tools/call', { name: 'work', _meta: modernMeta });
    expect(nameless).toMatchObject({ result: { structuredContent: {} } });
  });

  test.each([0, 'token'])(
    'sends progress notifications to a client with the progress token %j',
    async progressToken => {
      const wire = await openInitialized({ toolsets: [sample] });
      const first = await ask(wire, 'tools/call', { name: 'work', _meta: { progressToken } });
      const notification = { jsonrpc: '2.0', method: 'notifications/progress' };
      expect(first).toEqual({ ...notification, params: { progressToken, progress: 1, total: 2, message: 'half' } });
      expect(await wire.next()).toEqual({ ...notification, params: { progressToken, progress: 2 } });
      expect(await wire.next()).toMatchObject({ id: 7, result: { isError: false } });
    },
  );

  test('returns a JSON-RPC error of at most 1,000 characters for a network failure', async () => {
    const wire = await openInitialized({ toolsets: [sample] });
    const short = await ask(wire, 'tools/call', { name: 'lose', arguments: { text: 'Lost.' } });
    expect(short['error']).toEqual({ code: -32603, message: 'Lost. Try again.' });
    const long = await ask(wire, 'tools/call', { name: 'lose', arguments: { text: '😀'.repeat(5000) } });
    expect(long['error']).toEqual({ code: -32603, message: '😀'.repeat(1000) });
  });

  test('truncates the message of a failure at 100 KiB and keeps its hint', async () => {
    const { call } = await connect({ toolsets: [sample] });
    const { text } = await call('refuse', { text: 'x'.repeat(200_000) });
    expect(text).toBe(`No: ${'x'.repeat(102_400 - 4)}\n\n... (truncated)\n\nAsk otherwise.`);
  });

  test('returns a JSON-RPC error without internal details for a bug', async () => {
    const wire = await openInitialized({ toolsets: [sample] });
    const answer = await ask(wire, 'tools/call', { name: 'crash', arguments: {} });
    expect(answer['error']).toEqual({ code: -32603, message: expect.stringContaining('this is a bug in oj-mcp') });
  });

  test('returns an error result with the known tools for an unknown tool', async () => {
    const { call } = await connect({ toolsets: [sample] });
    expect(await call('sayy')).toMatchObject({
      isError: true,
      texts: [
        'There is no tool "sayy". Did you mean "say"?\n\nKnown tools: say, count, skip, work, wait, refuse, object, lose, stumble, crash.',
      ],
    });
    expect(await call('__proto__')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^There is no tool "__proto__"\.\n/),
    });
    expect((await call('x'.repeat(1000))).text).toMatch(/^There is no tool "x{80}"\.\n/);
  });

  test('returns an error result with the required flag for a tool of a disabled toolset', async () => {
    const { call } = await connect({ toolsets: [], known: [sample] });
    const { isError, texts } = await call('say');
    expect(isError).toBe(true);
    expect(texts).toEqual([
      'The tool "say" belongs to the toolset "sample", which is disabled.\n\nThe user can enable the tool by adding --toolsets sample to the arguments of this server in the configuration of the host.',
    ]);
  });

  test('truncates a text at the size limit of the toolset', async () => {
    const { call } = await connect({ toolsets: [sample] });
    expect((await call('say', { text: 'x'.repeat(2000) })).text).toBe(`hello ${'x'.repeat(994)}\n\n... (truncated)`);
  });

  test('removes a secret from texts, objects and errors before they are truncated', async () => {
    const secret = 'hunter2_hunter2';
    const { call } = await connect({ toolsets: [sample], values: { 'sample-secret': secret } });
    expect((await call('say', { text: `a ${secret} b hunter2\\_hunter2` })).text).toBe(
      'hello a [redacted] b [redacted]',
    );
    expect(await call('count', { text: secret })).toMatchObject({
      text: '{"text":"[redacted]","characters":15}',
      structured: { text: '[redacted]', characters: 15 },
    });
    expect((await call('refuse', { text: secret })).text).toBe('No: [redacted]\n\nAsk otherwise.');
    await expect(call('lose', { text: secret })).rejects.toThrow('[redacted]');
    await expect(call('lose', { text: `${'x'.repeat(990)}${secret}` })).rejects.not.toThrow('hunter');
    expect((await call('say', { text: `${'x'.repeat(985)}${secret}` })).text).not.toContain('hunter');
  });
});

describe('the test client', () => {
  test.each([
    ['has an undeclared field', { sum: 1, took: 1 }],
    ['lacks a declared field', {}],
    ['has a field of another type', { sum: '1' }],
    ['has notes that are not strings', { sum: 1, notes: [1] }],
    ['has no structured content', undefined],
  ])('rejects a result that %s', async (_, structured) => {
    const misfit = defineTool({
      name: 'misfit',
      title: 'Misfit',
      description: 'Answers what it does not declare.',
      input: v.strictObject({}),
      output: v.strictObject({ sum: v.number() }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      // JSON.parse returns `any`. With it the test can pass values that the types forbid.
      handler: () => JSON.parse(JSON.stringify({ text: '', structured })),
    });
    const { call } = await connect({
      toolsets: [{ ...sample, load: async () => ({ tools: [misfit], createContext: () => undefined }) }],
    });
    await expect(call('misfit')).rejects.toThrow(/structured content/i);
  });
});
