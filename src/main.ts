#!/usr/bin/env node
import { main } from './cli/command.ts';

// Standard output is reserved for the protocol, so that libraries that print to the console write to stderr.
console.log = console.info = console.debug = console.error;

/**
 * After the host has closed stdin, the process waits at most this long until the host has read the remaining output.
 */
const flushTimeoutMs = 30_000;
/**
 * After a signal the process waits only this long, because the host does not wait. Both timeouts end immediately if the
 * pipe is closed.
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
