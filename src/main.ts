#!/usr/bin/env node
import { main } from './cli/command.ts';

// Standard output belongs to the protocol, whatever a library would like to print.
console.log = console.info = console.debug = console.error;

/** How long a host may take to read what is still in the pipe: one that has ended its input may be busy, … */
const unhurriedMs = 30_000;
/** … one that sends a signal will not wait. A reader that has gone ends either at once. */
const hurriedMs = 500;

async function run(): Promise<void> {
  const code = await main(process.argv.slice(2));
  const exit = (): never => process.exit(code);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, exit);
  setTimeout(exit, process.stdin.readableEnded ? unhurriedMs : hurriedMs);
  process.stdout.write('', exit);
}

void run();
