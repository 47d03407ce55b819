import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createLog, type EventLog, parseLogLevel } from '../../src/log/log.ts';
import { createRedactor } from '../../src/log/redact.ts';
import { serveMcp } from '../../src/mcp/server.ts';
import { StdioTransport } from '../../src/mcp/stdio.ts';
import { type FlagValues, openToolset, type Toolset } from '../../src/toolset/toolset.ts';

export interface ServerOptions {
  toolsets: readonly Toolset[];
  /** All toolsets, if some of them are disabled. */
  known?: readonly Toolset[];
  values?: FlagValues;
  isDemo?: boolean;
  log?: EventLog;
}

/** Starts the server in this process on a pair of streams. Returns its input, its output and a promise for its end. */
export function startServer({ toolsets, known = toolsets, values = {}, isDemo = false, log }: ServerOptions): {
  input: PassThrough;
  output: PassThrough;
  ended: Promise<void>;
} {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new StdioTransport(input, output);
  const run = async (): Promise<void> => {
    const open = await Promise.all(toolsets.map(toolset => openToolset(toolset, values, { isDemo })));
    const redact = createRedactor(open.flatMap(({ secrets }) => secrets));
    await serveMcp(transport, { open, known, redact, log: log ?? createLog(parseLogLevel('off'), redact) });
  };
  const ended = run();
  onTestFinished(() => transport.close());
  return { input, output, ended };
}

export interface Wire {
  /** Sends one line: a value as JSON, a string unchanged. */
  send(line: unknown): void;
  /** Returns the next message of the server. */
  next(): Promise<Record<string, unknown>>;
  /** Returns the messages that the test has not read with `next` yet. */
  pending(): readonly Record<string, unknown>[];
  end(): void;
  ended: Promise<void>;
}

/** Opens a server that the test controls by raw lines, for messages that a correct client does not send. */
export function openWire(options: ServerOptions): Wire {
  const { input, output, ended } = startServer(options);
  const arrived: Record<string, unknown>[] = [];
  const waiting: ((message: Record<string, unknown>) => void)[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message: Record<string, unknown> = JSON.parse(line);
      const take = waiting.shift();
      if (take) take(message);
      else arrived.push(message);
    }
  });
  return {
    send: line => void input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    next: async () => arrived.shift() ?? (await new Promise(resolve => waiting.push(resolve))),
    pending: () => arrived,
    end: () => void input.end(),
    ended,
  };
}

export const initialize = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
} as const;

/** Sends a request and returns the next message as its response. */
export async function ask(wire: Wire, method: string, params?: unknown): Promise<Record<string, unknown>> {
  wire.send({ jsonrpc: '2.0', id: 7, method, ...(params !== undefined && { params }) });
  return await wire.next();
}

/** Opens a server with raw lines and completes the handshake. */
export async function openInitialized(options: ServerOptions): Promise<Wire> {
  const wire = openWire(options);
  wire.send(initialize);
  await wire.next();
  wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return wire;
}

/** The metadata in every request of a protocol revision without `initialize`. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
