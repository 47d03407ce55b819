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

/** The file people install. */
export const bundle = path.resolve('dist/oj-mcp.cjs');
/** See there. */
export const patience = path.resolve(import.meta.dirname, 'patient.cjs');
export const patient = ['--require', patience];

export interface Program {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  stdout(): string;
  stderr(): string;
  /** The exit code, and the signal that ended it if one did. */
  exit: Promise<{ code: number | null; signal: string | null }>;
}

interface Start {
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  nodeArgs?: readonly string[];
  /** A copy of the built file. */
  file?: string;
  cwd?: string;
  /** How many files it may open. */
  maxFiles?: number;
  /** The number of the user it runs as. */
  user?: number | undefined;
}

/** The one place where a test starts the built file by itself; it ends with the test. */
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

/** Starts the built file on its own: in an empty folder, with no variables but these. */
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

/** Gone after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Joins the lines that --check wraps at 80 columns. */
export function unwrapLines(output: string): string {
  return output.replaceAll(/\n {4}/g, ' ');
}

/** Runs it to its end with this on standard input. */
export async function runProgram(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string>; nodeArgs?: readonly string[] } = {},
) {
  const program = startProgram(args, options.env, options.nodeArgs);
  program.child.stdin.end(options.input ?? '');
  const { code } = await program.exit;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

/** Calls tools one after another, each when the one before has been answered; their answers, and what was logged. */
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
  /** The name the client gives itself. */
  agent?: string;
  env?: Readonly<Record<string, string>>;
  nodeArgs?: readonly string[];
  stderr?: 'inherit' | 'ignore' | 'pipe';
}

/** Starts the built file as a host does, with a client that refuses answers which are not what was published. */
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
 * A test that fails, or is over time, must not leave a server behind, and least of all one that was stopped.
 * The process of these tests is ended by a signal, so that nothing waits for its exit.
 */
const startedPids = new Set<number>();
afterAll(() => {
  for (const pid of startedPids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
});

function chained(first: (() => void) | undefined, second: () => void): () => void {
  return () => {
    first?.();
    second();
  };
}
