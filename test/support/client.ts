import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { type ServerOptions, startServer } from './wire.ts';

/** What a tool answered: its text, or its texts where there are several. */
export interface Outcome {
  isError: boolean;
  text: string;
  texts: string[];
  structured: Record<string, unknown> | undefined;
}

export interface Connection {
  client: Client;
  call: (tool: string, args?: Record<string, unknown>, signal?: AbortSignal) => Promise<Outcome>;
}

/** A real MCP client, talking to the server over the real wire format. */
export async function connect(options: ServerOptions): Promise<Connection> {
  const { input, output } = startServer(options);
  const client = new Client({ name: 'test', version: '1.0.0' });
  const buffer = new ReadBuffer();
  const transport: Transport = {
    async start() {
      output.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) {
          transport.onmessage?.(message);
        }
      });
    },
    async send(message: JSONRPCMessage) {
      input.write(serializeMessage(message));
    },
    async close() {
      input.end();
      transport.onclose?.();
    },
  };
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, call: async (tool, args, signal) => await callTool(client, tool, args, signal) };
}

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<Outcome> {
  const result = await client.request(
    { method: 'tools/call', params: { name, arguments: args } },
    CallToolResultSchema,
    signal ? { signal } : {},
  );
  const texts = result.content.flatMap(block => (block.type === 'text' ? [block.text] : []));
  return { isError: result.isError === true, text: texts[0] ?? '', texts, structured: result.structuredContent };
}
