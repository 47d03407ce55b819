import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type CallToolResult, type Progress, ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { connectProgram } from '../../../support/program.ts';
import { storeVariables } from './place.ts';

export interface Connection {
  call(name: string, args: Record<string, unknown>, onprogress?: (progress: Progress) => void): Promise<CallToolResult>;
  client: Client;
  pid: number;
  close(): Promise<void>;
}

interface Options {
  args: readonly string[];
  /** The name that the client sends in its handshake. */
  agent?: string;
  env?: Readonly<Record<string, string>>;
  /** The modules that the server process loads before its own code, such as disk.cjs. */
  preload?: readonly string[];
  stderr?: 'inherit' | 'ignore' | 'pipe';
}

/** Starts the built server as a host does and connects an MCP client. */
export async function connect({ args, agent, env, preload, stderr }: Options): Promise<Connection> {
  const { client, pid } = await connectProgram({
    args,
    agent: agent ?? 'test-author',
    env: { OJ_MCP_LOG: 'error', ...storeVariables, ...env },
    nodeArgs: (preload ?? []).flatMap(file => ['--require', file]),
    stderr: stderr ?? 'inherit',
  });
  return {
    client,
    pid,
    async call(name, callArgs, onprogress) {
      if (onprogress !== undefined) {
        // The handler is set directly. The client would remove it before it processes progress that arrives together
        // with the result.
        client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => onprogress(params));
      }
      const result = await client.callTool(
        { name, arguments: callArgs },
        undefined,
        onprogress === undefined ? {} : { onprogress: () => {} },
      );
      if (!('content' in result) || !Array.isArray(result.content)) throw new Error('not a tool result');
      return { ...result, content: result.content };
    },
    close: async () => await client.close(),
  };
}
