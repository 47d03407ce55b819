#!/usr/bin/env node
import { main } from './cli/command.ts';

// Standard output is reserved for the protocol, also if a library prints to the console.
console.log = console.info = console.debug = console.error;

/** Time for a host to read the rest of the output after it has closed stdin. */
const flushTimeoutMs = 30_000;
/** After a signal the host does not wait. A closed pipe ends both at once. */
const flushTimeoutAfterSignalMs = 500;

async function run(): Promise<void> {
  const code = await main(process.argv.slice(2));
  const exit = (): never => process.exit(code);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, exit);
  setTimeout(exit, process.stdin.readableEnded ? flushTimeoutMs : flushTimeoutAfterSignalMs);
  process.stdout.write('', exit);
}

void run();
