import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { spawnProgram } from '../support/program.ts';
import { has } from '../support/toolsets.ts';
import { initialize } from '../support/wire.ts';

const count = 400;

/** Starts the program, sends requests for more output than a pipe can buffer, closes stdin and does not read stdout. */
function startUnread() {
  const child = spawnProgram({ args: ['--demo'] });
  child.stderr.resume();
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  for (let id = 0; id < count; id++)
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`);
  child.stdin.end();
  return { child, exit: once(child, 'exit') };
}

test.runIf(has('oj'))(
  'the server sends every line completely to a client that closes its input first and reads later',
  async () => {
    const { child, exit } = startUnread();
    await Promise.race([exit, after(1200)]);
    const lines = (await text(child.stdout)).trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line).id)).toEqual(['init', ...Array.from({ length: count }, (_, id) => id)]);
    expect(await exit).toEqual([0, null]);
  },
);

test('the server exits after a signal if the client does not read its output', async () => {
  const { child, exit } = startUnread();
  await once(child.stdout, 'readable');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test('the server exits when its output pipe is closed, even if lines wait to be written', async () => {
  const { child, exit } = startUnread();
  await once(child.stdout, 'readable');
  child.stdout.destroy();
  expect(await exit).toEqual([0, null]);
});

test.runIf(process.platform === 'linux')(
  'the server uses less than 180 MiB while 40,000 responses are unread, and sends all of them later',
  async () => {
    const requests = 40_000;
    const child = spawnProgram({ args: ['--demo'] });
    child.stderr.resume();
    const lines = Array.from({ length: requests }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    child.stdin.write(`${[initialize, ...lines].map(line => JSON.stringify(line)).join('\n')}\n`);
    await untilUnchanged(() => child.stdin.writableLength + peakBytes(child.pid));
    let answers = -1; // does not count the response to initialize
    let peak = 0;
    for await (const chunk of child.stdout) {
      for (const byte of chunk) if (byte === 0x0a) answers++;
      peak = Math.max(peak, peakBytes(child.pid));
      if (answers === requests) break;
    }
    expect(answers).toBe(requests);
    expect(peak).toBeLessThan(180 * 1024 * 1024);
  },
);

/** Returns the peak resident memory of the process. */
function peakBytes(pid: number | undefined): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

/** Waits until the value stays the same. If this ends too early on a slow machine, the test is weaker but not wrong. */
async function untilUnchanged(value: () => number): Promise<void> {
  let same = 0;
  for (let last = value(); same < 10; ) {
    await after(100);
    const next = value();
    same = next === last ? same + 1 : 0;
    last = next;
  }
}
