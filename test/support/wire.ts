import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createLog, type Log, logLevel } from '../../src/log/log.ts';
import { createRedactor } from '../../src/log/redact.ts';
import { serve } from '../../src/mcp/server.ts';
import { StdioTransport } from '../../src/mcp/stdio.ts';
import { type FlagValues, openToolset, type Toolset } from '../../src/toolset/toolset.ts';

export interface ServerOptions {
  toolsets: readonly Toolset[];
  /** All toolsets, when some of them are off. */
  known?: readonly Toolset[];
  values?: FlagValues;
  isDemo?: boolean;
  log?: Log;
}

/** The server in this process, on a pair of streams: what it reads, what it writes, and when it has ended. */
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
    await serve(transport, { open, known, redact, log: log ?? createLog(logLevel('off'), redact) });
  };
  const ended = run();
  onTestFinished(() => transport.close());
  return { input, output, ended };
}

export interface Wire {
  /** Sends one line: a value as JSON, a string as it is. */
  send(line: unknown): void;
  /** The next message the server writes. */
  next(): Promise<Record<string, unknown>>;
  /** Everything written so far that `next` has not taken. */
  pending(): readonly Record<string, unknown>[];
  end(): void;
  ended: Promise<void>;
}

/** The server seen as raw lines, for what no well-behaved client would send. */
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

/** Sends a request and takes the next message for its answer. */
export async function ask(wire: Wire, method: string, params?: unknown): Promise<Record<string, unknown>> {
  wire.send({ jsonrpc: '2.0', id: 7, method, ...(params !== undefined && { params }) });
  return await wire.next();
}

/** A wire whose handshake is done. */
export async function openInitialized(options: ServerOptions): Promise<Wire> {
  const wire = openWire(options);
  wire.send(initialize);
  await wire.next();
  wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return wire;
}

/** What every request of a modern client carries. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
