import { spawnSync } from 'node:child_process';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as v from 'valibot';
import { bundle, connectProgram } from '../../support/program.ts';

const Result = v.looseObject({
  content: v.array(v.looseObject({ type: v.string(), text: v.string() })),
  structuredContent: v.optional(v.record(v.string(), v.unknown())),
  isError: v.optional(v.boolean()),
});

/** The result of a call: its text blocks, joined by line breaks, and its structured content. */
export interface Outcome {
  text: string;
  types: string[];
  structured: Record<string, unknown> | undefined;
  isError: boolean;
}

export interface Connection {
  client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<Outcome>;
  close(): Promise<void>;
}

/** Starts the built program as a host does. */
export async function connect(...flags: string[]): Promise<Connection> {
  const { client } = await connectProgram({ args: flags });
  return {
    client,
    call: async (name, args = {}) => readOutcome(await client.callTool({ name, arguments: args })),
    close: async () => await client.close(),
  };
}

/** Sends one call with arguments as JSON text, because JSON.stringify cannot produce some numbers. */
export function callRaw(name: string, args: string): Outcome {
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const lines = [
    JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello }),
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args}}}`,
  ];
  const input = `${lines.join('\n')}\n`;
  const { stdout } = spawnSync(process.execPath, [bundle, '--toolsets', 'clerk'], { input, encoding: 'utf8' });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const Answer = v.looseObject({ id: v.literal(1), result: v.unknown() });
  return readOutcome(
    v.parse(
      Answer,
      answers.find(answer => v.is(Answer, answer)),
    ).result,
  );
}

function readOutcome(value: unknown): Outcome {
  const { content, structuredContent, isError } = v.parse(Result, value);
  return {
    text: content.map(({ text }) => text).join('\n'),
    types: content.map(({ type }) => type),
    structured: structuredContent,
    isError: isError === true,
  };
}
