import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, onTestFinished } from 'vitest';
import { openClient } from './client.ts';
import { modernMeta } from './wire.ts';

/** The path of the built file that users install. */
export const bundle = path.resolve('dist/oj-mcp.cjs');
/** The path of a module for `--require` that disables long timeouts, see long-timeouts.cjs. */
export const longTimeoutsModule = path.resolve(import.meta.dirname, 'long-timeouts.cjs');
export const longTimeouts = ['--require', longTimeoutsModule];

export interface Program {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code, and with the signal if a signal ended the process. */
  exit: Promise<{ code: number | null; signal: string | null }>;
}

interface Start {
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  nodeArgs?: readonly string[];
  /** The copy of the built file that the process runs. */
  file?: string;
  cwd?: string;
  /** The maximum number of files that the process may have open. */
  maxFiles?: number;
  /** The user id with which the process runs. */
  user?: number | undefined;
}

/** Starts the built file, and ends it with the test. All tests start it through this function. */
export function spawnProgram({ args, env = {}, nodeArgs = [], file = bundle, cwd, maxFiles, user }: Start) {
  const command = [process.execPath, ...nodeArgs, file, ...args];
  const poor = maxFiles === undefined ? [] : ['/bin/sh', '-c', `ulimit -n ${maxFiles} && exec "$@"`, 'sh'];
  const [first = '', ...rest] = [...poor, ...command];
  const child = spawn(first, rest, {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
    ...(user !== undefined && { uid: user, gid: user }),
  });
  child.stdin.on('error', () => {}); // the program may be gone before it has read everything
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Starts the built file in an empty folder, with only these environment variables. */
export function startProgram(
  args: readonly string[],
  env: Record<string, string> = {},
  nodeArgs: readonly string[] = [],
): Program {
  const cwd = emptyFolder();
  const child = spawnProgram({ args, env, nodeArgs, cwd });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString('utf8')));
  const exit = once(child, 'close').then(([code, signal]: (number | string | null)[]) => ({
    code: typeof code === 'number' ? code : null,
    signal: typeof signal === 'string' ? signal : null,
  }));
  return { child, stdout: () => out.join(''), stderr: () => err.join(''), exit };
}

/** Creates an empty folder that is deleted after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Joins the lines that --check wraps at 80 columns. */
export function unwrapLines(output: string): string {
  return output.replaceAll(/\n {4}/g, ' ');
}

/** Runs the program until it exits, with this text on standard input. */
export async function runProgram(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string>; nodeArgs?: readonly string[] } = {},
) {
  const program = startProgram(args, options.env, options.nodeArgs);
  program.child.stdin.end(options.input ?? '');
  const { code } = await program.exit;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

/** Calls tools one after another. Returns their results and the log. */
export async function callProgram(
  args: readonly string[],
  env: Record<string, string>,
  calls: readonly { name: string; arguments: object }[],
  nodeArgs: readonly string[] = [],
): Promise<{ answers: Record<string, unknown>[]; stderr: string }> {
  const program = startProgram(args, env, nodeArgs);
  const lines = createInterface(program.child.stdout)[Symbol.asyncIterator]();
  const answers: Record<string, unknown>[] = [];
  for (const [id, call] of calls.entries()) {
    const params = { ...call, _meta: modernMeta };
    program.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
    answers.push(JSON.parse((await lines.next()).value));
  }
  program.child.stdin.end();
  await program.exit;
  return { answers, stderr: program.stderr() };
}

export interface ClientOptions {
  args: readonly string[];
  /** The name that the client sends for itself. */
  agent?: string;
  env?: Readonly<Record<string, string>>;
  nodeArgs?: readonly string[];
  stderr?: 'inherit' | 'ignore' | 'pipe';
}

/** Starts the built file as a host does, with a client that rejects results which do not match the published schema. */
export async function connectProgram({
  args,
  agent,
  env = {},
  nodeArgs = [],
  stderr = 'ignore',
}: ClientOptions): Promise<{ client: Client; pid: number }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...nodeArgs, bundle, ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr,
  });
  const client = await openClient(transport, agent);
  const pid = transport.pid ?? 0;
  startedPids.add(pid);
  transport.onclose = chained(transport.onclose, () => startedPids.delete(pid));
  return { client, pid };
}

/**
 * A test that fails or exceeds its time must not leave a server process behind. Processes are killed by SIGKILL,
 * because a stopped process ignores other signals.
 */
const startedPids = new Set<number>();
afterAll(() => {
  for (const pid of startedPids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The error is ignored, because the process has ended before.
    }
  }
});

function chained(first: (() => void) | undefined, second: () => void): () => void {
  return () => {
    first?.();
    second();
  };
}
