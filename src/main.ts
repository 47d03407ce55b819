#!/usr/bin/env node
import { main } from './cli/command.ts';

// Standard output is reserved for the protocol, so that libraries which use the console must write to stderr.
console.log = console.info = console.debug = console.error;

/**
 * After the host has closed stdin, the process waits at most this number of milliseconds until the host has read the
 * remaining output.
 */
const flushTimeoutMs = 30_000;
/**
 * The shorter timeout after a signal, because the host does not wait. Both timeouts end immediately if the pipe is
 * closed.
 */
const flushTimeoutAfterSignalMs = 500;

async function run(): Promise<void> {
  const code = await main(process.argv.slice(2));
  const exit = (): never => process.exit(code);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, exit);
  setTimeout(exit, process.stdin.readableEnded ? flushTimeoutMs : flushTimeoutAfterSignalMs);
  process.stdout.write('', exit);
}

void run();
