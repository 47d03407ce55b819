import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  type ContentBlock,
  type JSONRPCMessage,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { onTestFinished } from 'vitest';
import { resultDifferences } from './result-agreement.ts';
import { type ServerOptions, startServer } from './wire.ts';

/** The result of a tool: its first text, and all of its texts if there are several. */
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

/** The timeout ends only calls that hang, so that no test fails on a busy machine. */
const longTimeout = { timeout: 900_000 };

/** Rejects every result whose texts and structured content disagree. */
class CheckingClient extends Client {
  override async callTool(...args: Parameters<Client['callTool']>): ReturnType<Client['callTool']> {
    const [params, schema, options] = args;
    const result = await super.callTool(params, schema, { ...longTimeout, ...options });
    checkAgreement(params.name, result);
    return result;
  }
}

/** Returns a function that tests this for a client without the SDK. `list` is the result of tools/list. */
export function createAnswerCheck(list: unknown): (tool: string, result: unknown) => void {
  const provider = new AjvJsonSchemaValidator();
  const validators = new Map(
    ListToolsResultSchema.parse(list).tools.map(({ name, outputSchema }) => [
      name,
      outputSchema && provider.getValidator(JSON.parse(JSON.stringify(outputSchema))),
    ]),
  );
  return (tool, result) => {
    checkAgreement(tool, result);
    const { structuredContent, isError } = CallToolResultSchema.parse(result);
    const problem = isError === true ? undefined : validators.get(tool)?.(structuredContent).errorMessage;
    if (problem !== undefined) throw new Error(`${tool}: the answer is not what was published: ${problem}`);
  };
}

function checkAgreement(tool: string, result: unknown): void {
  const { content, structuredContent } = CallToolResultSchema.parse(result);
  const problems = resultDifferences({ texts: textsOf(content), structured: structuredContent });
  if (problems.length > 0) throw new Error(`${tool}: ${problems.join('; ')}`);
}

/** Opens a client that has the list of tools. The SDK rejects every result that does not match the published schema. */
export async function openClient(transport: Transport, name = 'test'): Promise<Client> {
  const client = new CheckingClient({ name, version: '1.0.0' });
  await client.connect(transport, longTimeout);
  await client.listTools(undefined, longTimeout);
  return client;
}

/** Connects a real MCP client to the server, through the real wire format. */
export async function connect(options: ServerOptions): Promise<Connection> {
  const { input, output, ended } = startServer(options);
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
  // This promise rejects if a setting prevents the start of the server.
  const gone = ended.then(() => Promise.reject(new Error('the server has ended')));
  const client = await Promise.race([openClient(transport), gone]);
  onTestFinished(() => client.close());
  return { client, call: async (tool, args, signal) => await callTool(client, tool, args, signal) };
}

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<Outcome> {
  const result = await client.callTool({ name, arguments: args }, undefined, signal ? { signal } : {});
  const { content, structuredContent, isError } = CallToolResultSchema.parse(result);
  const texts = textsOf(content);
  return { isError: isError === true, text: texts[0] ?? '', texts, structured: structuredContent };
}

function textsOf(content: readonly ContentBlock[]): string[] {
  return content.flatMap(block => (block.type === 'text' ? [block.text] : []));
}
