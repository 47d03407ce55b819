import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Connection, connect } from './client.ts';

/**
 * The path of a module that injects disk faults. The server loads it before its own code. The module documents its
 * options.
 */
export const disk = path.resolve(import.meta.dirname, 'disk.cjs');

export type Plan = Record<string, unknown>;

/**
 * Starts a server with injected disk faults. Its clock is slow, so that a busy machine does not cause timeouts of
 * locks.
 */
export async function connectWithDisk(
  root: string,
  plan: Plan = {},
  agent?: string,
  preload: readonly string[] = [],
): Promise<Connection> {
  return await connect({
    args: ['--toolsets', 'books', '--books-root', root],
    ...(agent !== undefined && { agent }),
    preload: [...preload, disk],
    env: { DISK_PLAN: JSON.stringify({ root, pace: 0.02, ...plan }) },
    stderr: 'ignore',
  });
}

/**
 * Returns the number of times that a server has tried to acquire a lock. A waiting server tries every 12 ms of its own
 * clock.
 */
export function attemptsIn(log: string): number {
  return readFileSync(log, 'utf8').match(/^linkSync .*\/lock$/gmu)?.length ?? 0;
}
