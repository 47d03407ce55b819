import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync } from 'node:fs';
import path from 'node:path';
import { createAnswerCheck } from '../../support/client.ts';
import { bundle, spawnProgram } from '../../support/program.ts';
import { createFolder, noTimeLimit } from './open-files.ts';

export type Message = Record<string, unknown> & { id?: unknown; method?: string; result?: Record<string, unknown> };

export interface Server {
  child: ChildProcess;
  send(id: number, method: string, params?: object): void;
  notify(method: string, params: object): void;
  /** Resolves with the next message for which `fits` returns true. Earlier messages are stored in `seen`. */
  until(fits: (message: Message) => boolean): Promise<Message>;
  seen: Message[];
  stderr(): string;
  ask(tool: string, args: object, meta?: object): Promise<Message>;
  end(): Promise<void>;
  /** The server runs in this folder, which contains only the built program. */
  home: string;
}

export const nobody = 65_534;
const listId = 99;

/** Starts the built file as a host does. If the tests run as root, it runs as an unprivileged user. */
export async function start(flags: readonly string[], env: Record<string, string> = {}): Promise<Server> {
  const isRoot = process.getuid?.() === 0;
  const home = createFolder();
  const program = path.join(home, 'oj-mcp.cjs');
  cpSync(bundle, program);
  // All users may write to this folder. If the program tried to write a file, it would succeed, so that the test would
  // detect it.
  chmodSync(home, 0o777);
  const limit = flags.includes('--files-timeout-ms') ? [] : ['--files-timeout-ms', noTimeLimit['files-timeout-ms']];
  const child = spawnProgram({
    args: ['--toolsets', 'files', '--files-engine', 'scan', ...limit, ...flags],
    file: program,
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    user: isRoot ? nobody : undefined,
  });
  const seen: Message[] = [];
  const waiting: {
    fits: (message: Message) => boolean;
    resolve: (message: Message) => void;
    reject: (error: Error) => void;
  }[] = [];
  let [rest, errors, lastId] = ['', '', 100];
  let check: ReturnType<typeof createAnswerCheck> = () => {};
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message: Message = JSON.parse(line);
      seen.push(message);
      for (const waiter of waiting.filter(({ fits }) => fits(message))) {
        waiting.splice(waiting.indexOf(waiter), 1);
        waiter.resolve(message);
      }
    }
  });
  const post = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const until: Server['until'] = async fits =>
    seen.find(fits) ?? (await new Promise((resolve, reject) => waiting.push({ fits, resolve, reject })));
  child.once('close', code => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`the server ended with code ${code}: ${errors}`));
  });
  const server: Server = {
    child,
    home,
    seen,
    until,
    send: (id, method, params = {}) => post({ id, method, params }),
    notify: (method, params) => post({ method, params }),
    stderr: () => errors,
    ask: async (name, args, meta) => {
      const id = ++lastId;
      post({ id, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } });
      const answer = await until(message => message.id === id);
      if (answer.result !== undefined) check(name, answer.result);
      return answer;
    },
    end: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
  server.send(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  await until(message => message.id === 0);
  server.send(listId, 'tools/list');
  check = createAnswerCheck((await until(message => message.id === listId)).result);
  return server;
}

export function structured(message: Message): Record<string, unknown> {
  const value: unknown = message.result?.['structuredContent'];
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function names(message: Message): string[] {
  const rows: { kMDItemDisplayName: string }[] = JSON.parse(JSON.stringify(structured(message)['results'] ?? []));
  return rows.map(row => row.kMDItemDisplayName);
}

/** Creates a folder that every user can read. */
export function openFolder(content: Readonly<Record<string, string | Buffer>>): string {
  const folder = createFolder(content);
  chmodSync(folder, 0o755);
  return folder;
}
