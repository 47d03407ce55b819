import { expect, test } from 'vitest';
import { sendReply, startJudge } from '../support/judge.ts';
import { runProgram, unwrapLines } from '../support/program.ts';
import { has } from '../support/toolsets.ts';

test.runIf(has('oj'))('--check does not call a backend with a valid /status another server', async () => {
  const platforms = [{ source: 'leetcode', total: 1, missing_content: 0, not_embedded: 0 }];
  const judge = await startJudge(response => {
    const isStatus = response.req.url === '/status';
    sendReply(response, isStatus ? { json: { version: '1.0', platforms } } : { status: 404, body: 'no' });
  });
  const { code, stdout } = await runProgram(['--check', '--base-url', judge.origin]);
  expect([code, unwrapLines(stdout)]).toEqual([
    1,
    expect.stringContaining('✗ oj: /api/v1/resolve/1: [404] no\n  → The backend has /status but not this address'),
  ]);
});

test.runIf(has('oj'))('--check reports a rejected token although the backend has no address for problems', async () => {
  const judge = await startJudge(response => {
    sendReply(response, { status: response.req.url === '/status' ? 401 : 404, body: 'no' });
  });
  const { code, stdout } = await runProgram(['--check', '--base-url', judge.origin, '--token', 'wrong-token']);
  expect([code, unwrapLines(stdout)]).toEqual([
    1,
    expect.stringMatching(/✗ oj: the backend rejects the token\n[^✗]*✗ oj: \/api/),
  ]);
});
