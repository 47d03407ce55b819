import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Connection, connect } from './client.ts';

/** Loaded into the server before it starts: see there for what a plan can say. */
export const disk = path.resolve(import.meta.dirname, 'disk.cjs');

export type Plan = Record<string, unknown>;

/**
 * A server whose disk does to the library below `root` what the plan says. Its clock is slow: that the machine has other
 * things to do must not look like a lock that never comes free.
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

/** How often a server with that log has tried to take a lock: once every 12 ms while it waits, however busy the machine is. */
export function attemptsIn(log: string): number {
  return readFileSync(log, 'utf8').match(/^linkSync .*\/lock$/gmu)?.length ?? 0;
}
