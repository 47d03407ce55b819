#!/usr/bin/env node
import { main } from './command.ts';

// Standard output belongs to the protocol, whatever a library would like to print.
console.log = console.info = console.debug = console.error;

/** How long a host may take to read what is still in the pipe. */
const flushMs = 500;

async function run(): Promise<void> {
  const code = await main(process.argv.slice(2));
  setTimeout(() => process.exit(code), flushMs);
  process.stdout.write('', () => process.exit(code));
}

void run();
