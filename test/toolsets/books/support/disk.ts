import path from 'node:path';
import { type Connection, connect } from './client.ts';

/** Loaded into the server before it starts: see there for what a plan can say. */
export const disk = path.resolve(import.meta.dirname, 'disk.cjs');

export type Plan = Record<string, unknown>;

/** A server whose disk does to the library below `root` what the plan says. */
export async function connectWithDisk(root: string, plan: Plan = {}, agent?: string): Promise<Connection> {
  return await connect({
    args: ['--toolsets', 'books', '--books-root', root],
    ...(agent !== undefined && { agent }),
    preload: [disk],
    env: { DISK_PLAN: JSON.stringify({ root, ...plan }) },
    stderr: 'ignore',
  });
}
