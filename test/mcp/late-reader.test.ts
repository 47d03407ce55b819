import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { spawnProgram } from '../support/program.ts';
import { has } from '../support/toolsets.ts';
import { initialize } from '../support/wire.ts';

const count = 400;

/** The program with far more written than a pipe holds, its input at an end, and nothing read yet. */
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
  'a client that reads late after the end of its input gets every line, and none is torn',
  async () => {
    const { child, exit } = startUnread();
    await Promise.race([exit, after(1200)]); // longer than it once had
    const lines = (await text(child.stdout)).trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line).id)).toEqual(['init', ...Array.from({ length: count }, (_, id) => id)]);
    expect(await exit).toEqual([0, null]);
  },
);

test('a signal ends the wait for such a client', async () => {
  const { child, exit } = startUnread();
  await once(child.stdout, 'readable');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test('so does a client that has gone', async () => {
  const { child, exit } = startUnread();
  await once(child.stdout, 'readable');
  child.stdout.destroy();
  expect(await exit).toEqual([0, null]);
});
