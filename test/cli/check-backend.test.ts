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

test.runIf(has('oj')).each(['/status', '/'])(
  '--check names the redirect of %s to another origin as the reason why the token is missing',
  async start => {
    const other = await startJudge({ status: 401, body: 'no' });
    const judge = await startJudge(response => {
      const { url = '' } = response.req;
      if (url.startsWith(start)) response.writeHead(302, { location: other.origin + url }).end();
      else sendReply(response, { json: { found: false, source: 'x', id: '1' } });
    });
    const { code, stdout } = await runProgram(['--check', '--base-url', judge.origin, '--token', 'right-token']);
    const text = unwrapLines(stdout);
    expect(code).toBe(1);
    expect(text).toContain(
      `✗ oj: the token was not sent\n  → A redirect led to ${other.origin}, and the token was not`,
    );
    expect(text).toContain(`The user can set --base-url (OJ_MCP_BASE_URL) to ${other.origin}.`);
    expect(text).not.toContain('rejects the token');
  },
);

test.runIf(has('oj'))('--check and the log of the server warn of a token on the command line', async () => {
  const { origin } = await startJudge({ json: { version: '1', platforms: [] } });
  const args = ['--base-url', origin, '--token', 'a-token-here'];
  const warning = '--token can be seen by other users of this machine';
  const check = unwrapLines((await runProgram(['--check', ...args])).stdout);
  expect(check).toContain(`! flags: ${warning}\n  → Set OJ_MCP_TOKEN instead.`);
  const { stderr } = await runProgram(args);
  expect(stderr).toContain(`WARN  oj-mcp: ${warning}. Set OJ_MCP_TOKEN instead.`);
  expect(check + stderr).not.toContain('a-token-here');
});

test.runIf(has('oj'))(
  '--check names a wrong media type of JSON instead of calling the backend another server',
  async () => {
    const judge = await startJudge({ type: 'text/plain', body: JSON.stringify({ version: '1', platforms: [] }) });
    const { code, stdout } = await runProgram(['--check', '--base-url', judge.origin]);
    expect([code, unwrapLines(stdout)]).toEqual([
      1,
      expect.stringMatching(
        /✗ oj: \/status: \[200\] .*\n {2}→ The response is JSON, but has the Content-Type "text\/plain": /,
      ),
    ]);
    expect(stdout).not.toContain('another server');
  },
);

test.runIf(has('oj')).each([[[]], [['--token', 'a-token-here']]])(
  '--check with %j names Basic authentication instead of a token as the requirement of the server',
  async args => {
    const judge = await startJudge(response => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('no');
    });
    const { code, stdout } = await runProgram(['--check', '--base-url', judge.origin, ...args]);
    expect([code, unwrapLines(stdout)]).toEqual([
      1,
      expect.stringContaining('✗ oj: a user name and a password are required\n  → The server, or a proxy'),
    ]);
    expect(stdout).not.toMatch(/requires one|rejects the token/);
  },
);
