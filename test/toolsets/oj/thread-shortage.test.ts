import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { startJudge } from '../../support/judge.ts';
import { spawnProgram } from '../../support/program.ts';
import { modernMeta } from '../../support/wire.ts';

/** Starts the program with a limit of 64 open files. */
function startWithFewFiles(origin: string) {
  const child = spawnProgram({ args: ['--base-url', origin], maxFiles: 64 });
  child.stderr.resume();
  const answers = new Map<string, string>();
  createInterface(child.stdout).on('line', line => answers.set(JSON.parse(line).id, line));
  const ask = (id: string): void => {
    const params = { name: 'get_problem', arguments: { source: 'leetcode', id }, _meta: modernMeta };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
  };
  return { ask, answers };
}

test.skipIf(process.platform === 'win32')(
  'get_problem shows a long statement as plain text if no worker thread can start because of the limit of open files',
  async () => {
    let long: ServerResponse | undefined;
    const judge = await startJudge(response => {
      if (response.req.url?.endsWith('/long') === true) long = response;
    });
    const { ask, answers } = startWithFewFiles(judge.origin);
    ask('long');
    await expect.poll(() => long).toBeDefined();
    for (let call = 0; call < 100; call++) ask(`hanging ${call}`);
    await expect.poll(() => [...answers.values()].join()).toContain('EMFILE');
    const content = '<p>a <b>word</b></p>'.repeat(20_000);
    const body = JSON.stringify({ id: 'long', title: 'Long', content });
    long?.writeHead(200, { 'content-type': 'application/json' }).end(body);
    await expect.poll(() => answers.get('long')).toContain('(Plain text: ');
  },
);
