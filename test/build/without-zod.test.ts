import { readFileSync } from 'node:fs';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bundle, longTimeouts, runProgram } from '../support/program.ts';
import { has, known } from '../support/toolsets.ts';
import { initialize, modernMeta, openWire } from '../support/wire.ts';

const hasOj = has('oj');

const modern = { _meta: modernMeta };
const tool = { name: 'get_problem', arguments: { source: 'orchard', id: '1' } };

/** Each line is a valid or invalid message, and together they are of every kind. */
const lines: unknown[] = [
  request('early', 'tools/list'),
  initialize,
  notification('notifications/initialized'),
  request(1, 'ping'),
  request(2, 'tools/list'),
  request(3, 'tools/call', tool),
  request(4, 'tools/call', { ...tool, task: { ttl: 1 } }),
  request(5, 'tools/call', { ...tool, _meta: { progressToken: 5 } }),
  request(6, 'tools/call', { ...tool, _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'x' } } }),
  request(7, 'tools/call', { name: 'no_such_tool' }),
  request(8, 'tools/call', {}),
  request(9, 'initialize', { protocolVersion: 'none', capabilities: 5 }),
  request(10, 'tasks/get', { taskId: 'x' }),
  request(11, 'tasks/list'),
  request(12, 'logging/setLevel', { level: 'debug' }),
  request(13, 'resources/list'),
  request(14, 'completion/complete', {}),
  request(15, 'toString'),
  request('string id', 'ping'),
  request(16, 'ping', { _meta: 5 }),
  request(17, 'ping', []),
  request(null, 'ping'),
  request(1.5, 'ping'),
  notification('notifications/cancelled', { requestId: 99, reason: 'gone' }),
  notification('notifications/cancelled', {}),
  notification('notifications/progress', { progressToken: 5, progress: 1 }),
  notification('notifications/progress', { progressToken: {}, progress: 'x' }),
  notification('notifications/roots/list_changed'),
  notification('notifications/nobody/knows', { a: [1] }),
  notification('notifications/tasks/status', { taskId: 5 }),
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 77, result: { task: { taskId: 'x' } } },
  { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } },
  { jsonrpc: '2.0', id: 1, error: 'no' },
  { jsonrpc: '2.0', id: 18, method: 'ping', result: {}, error: {} },
  { jsonrpc: '1.0', id: 19, method: 'ping' },
  { id: 20, method: 'ping' },
  [],
  5,
  'no json',
  request(21, 'server/discover', modern),
  request(22, 'tools/list', modern),
  request(23, 'tools/call', { ...tool, ...modern }),
  request(24, 'ping', modern),
  request(25, 'server/discover'),
  request(26, 'server/discover', { _meta: { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }),
  request('last', 'ping'),
];

describe.runIf(hasOj)('the built server, which does not contain zod,', () => {
  test('sends the same responses as the sources to every kind of message', async () => {
    await import('../support/long-timeouts.cjs');
    const wire = openWire({ toolsets: [known.get('oj')].filter(toolset => toolset !== undefined), isDemo: true });
    for (const line of lines) wire.send(line);
    wire.end();
    await wire.ended;
    const { stdout } = await runProgram(['--demo'], { input: lines.map(asLine).join(''), nodeArgs: longTimeouts });
    const answers: Record<string, unknown>[] = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(answers.toSorted(byId)).toEqual(wire.pending().toSorted(byId));
    expect(answers.length).toBeGreaterThan(30);
  });

  test('contains no code of zod', () => {
    expect(readFileSync(bundle, 'utf8')).not.toContain('ZodError');
  });

  test('works with the SDK client for protocol revisions up to 2025', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { roots: { listChanged: true } } });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [bundle, '--demo'], stderr: 'ignore' }),
    );
    onTestFinished(async () => await client.close());
    expect(client.getServerVersion()?.name).toBe('oj-mcp');
    await client.ping();
    await client.sendRootsListChanged();
    expect((await client.listTools()).tools).toHaveLength(5);
    expect(await client.callTool(tool)).toMatchObject({ isError: false });
    const gone = new AbortController();
    const call = client.callTool(tool, undefined, { signal: gone.signal });
    gone.abort('enough');
    await expect(call).rejects.toThrow('enough');
    await expect(client.listResources()).rejects.toThrow('Method not found');
    await client.ping();
  });

  test.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)(
    'works with the SDK client for protocol revision 2026-07-28 in version negotiation mode %j',
    async mode => {
      const client = new ModernClient({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
      await client.connect(
        new ModernTransport({ command: process.execPath, args: [bundle, '--demo'], stderr: 'ignore' }),
      );
      onTestFinished(async () => await client.close());
      expect(client.getServerVersion()?.name).toBe('oj-mcp');
      expect((await client.listTools()).tools).toHaveLength(5);
      expect(await client.callTool(tool)).toMatchObject({ isError: false });
      const gone = new AbortController();
      const call = client.callTool(tool, { signal: gone.signal });
      gone.abort('enough');
      await expect(call).rejects.toThrow('enough');
      expect(await client.callTool({ name: 'get_platform_status' })).toMatchObject({ isError: false });
    },
  );
});

function request(id: unknown, method: string, params?: unknown): object {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

function notification(method: string, params?: unknown): object {
  return { jsonrpc: '2.0', method, ...(params !== undefined && { params }) };
}

function asLine(line: unknown): string {
  return `${typeof line === 'string' ? line : JSON.stringify(line)}\n`;
}

/** Sorts the responses by id, because they arrive in any order. */
function byId({ id: one }: Record<string, unknown>, { id: other }: Record<string, unknown>): number {
  return String(one).localeCompare(String(other));
}
