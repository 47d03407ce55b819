import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { certificate } from '../support/certificate.ts';
import { type Reply, startJudge } from '../support/judge.ts';
import { runProgram } from '../support/program.ts';
import { has } from '../support/toolsets.ts';
import { runCheck } from './support/check.ts';

/** This object is a valid response of both /status and /api/v1/resolve. */
const status = {
  version: '9.9',
  platforms: [{ source: 'leetcode', total: 1, missing_content: 0, not_embedded: 0 }],
  source: 'leetcode',
  id: '1',
  problem: null,
};
const problem = (code: number, title: string): Reply => ({
  status: code,
  type: 'application/problem+json',
  json: { title, status: code, detail: 'missing or invalid token' },
});

const unauthorized = { status: 401, type: 'text/plain', json: 'no' };

const hasOj = has('oj');

describe.runIf(hasOj)('--check', () => {
  test.runIf(has('books', 'clerk', 'files'))('passes for the demo and lists the tools of each toolset', async () => {
    const { code, text } = await runCheck('--demo', '--toolsets', 'all');
    expect(text).toContain('✓ oj: 5 tools: get_daily_challenge, get_problem,');
    expect(text).toContain('✓ books: a sample library, because of --demo');
    expect([code, text]).toEqual([0, expect.stringMatching(/\nThe check passed\.$/)]);
    expect(text).not.toContain('✗');
  });

  test('lists each error of an invalid collection on its own line, with the hints after the last one', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'a.jsonl');
    writeFileSync(file, '{"source":"s"}\n{"source":"s","id":2}\n');
    const { code, text } = await runCheck('--problems', file);
    expect(text.replaceAll(/\s+/g, ' ').replaceAll(file, 'FILE')).toContain(
      '✗ oj: FILE, line 1: "id" is missing. ✗ oj: FILE, line 2: "id" must be a string. → A record is an object such as',
    );
    expect(code).toBe(1);
  });

  test('sends the token with the requests for /status and a problem, and prints the address and version of the backend', async () => {
    const judge = await startJudge({ json: status });
    const { code, text } = await runCheck('--base-url', judge.origin, '--token', 'a-token-here');
    expect(text).toContain(
      `✓ oj: ${judge.origin} answered within N ms: version 9.9, leetcode\n✓ oj: the backend accepts the token`,
    );
    expect(judge.requests.map(({ target, headers }) => [target, headers.authorization])).toEqual([
      ['/status', 'Bearer a-token-here'],
      ['/api/v1/resolve/1', 'Bearer a-token-here'],
    ]);
    expect([code, text]).toEqual([0, expect.not.stringContaining('a-token-here')]);
  });

  test.each([
    [
      'a token that the backend rejects',
      problem(401, 'Unauthorized'),
      ['--token', 'wrong-token'],
      '✗ oj: the backend rejects the token\n  → Compare the value of --token',
    ],
    [
      'a missing token when the backend requires one',
      problem(401, 'Unauthorized'),
      [],
      '✗ oj: no token is set, and the backend requires one\n  → Ask the operator',
    ],
    [
      'a backend that requires no token',
      { json: status },
      [],
      '✓ oj: no token is set, and /status and /api/v1/resolve/1 succeed',
    ],
    [
      'a web server that is not the backend',
      { type: 'text/html', body: '<h1>It works</h1>' },
      [],
      'oj-api-rs backend, not of a web page',
    ],
    [
      'a port that serves https',
      { status: 400, type: 'text/html', body: 'The plain HTTP request was sent to HTTPS port' },
      [],
      'Use https:// in --base-url.',
    ],
    [
      'status 500 of the backend',
      { status: 500, type: 'text/plain', body: 'oops' },
      [],
      '/status: [500] oops\n  → The backend,',
    ],
    [
      'status 503 of the backend',
      { status: 503, type: 'text/plain', body: 'no' },
      [],
      '/status: [503] no\n  → The backend is',
    ],
    [
      'a web server that returns 404 for /status',
      { status: 404, type: 'text/html', body: 'no' },
      [],
      '✗ oj: /status: [404]',
    ],
  ] as const)('reports %s', async (_, reply, args, expected) => {
    const judge = await startJudge(reply);
    const { code, text } = await runCheck('--base-url', judge.origin, ...args);
    expect([code, text]).toEqual([expected.startsWith('✓') ? 0 : 1, expect.stringContaining(expected)]);
  });

  test.each([
    [
      'warns of a token that only /status requires',
      '/status',
      unauthorized,
      0,
      '! oj: /status: [401] "no"\n  → /api/v1/resolve/1 succeeds',
    ],
    [
      'fails if only /status answers without a token',
      '/api/v1/resolve/1',
      unauthorized,
      1,
      '✗ oj: no token is set, and the backend requires one',
    ],
    [
      'fails if no problem can be read',
      '/api/v1/resolve/1',
      { status: 500, type: 'text/plain', json: 'oops' },
      1,
      '✗ oj: /api/v1/resolve/1: [500] "oops"',
    ],
  ])('%s', async (_, failing, reply, expected, line) => {
    const judge = await startJudge(response => {
      const isFailing = judge.requests.at(-1)?.target === failing;
      const { status: code, type, json } = isFailing ? reply : { status: 200, type: 'application/json', json: status };
      response.writeHead(code, { 'content-type': type });
      response.end(JSON.stringify(json));
    });
    const { code, text } = await runCheck('--base-url', judge.origin);
    expect([code, text]).toEqual([expected, expect.stringContaining(line)]);
  });

  test.each([
    [[], { OJ_MCP_TOKEN: 'your-token' }, 0],
    [['--token', 'your-token'], {}, 1],
  ])('does not send the placeholder of the documentation as token (%j, %j)', async (args, env, expected) => {
    const judge = await startJudge({ json: status });
    const { code, stdout } = await runProgram(['--check', '--base-url', judge.origin, ...args], { env });
    expect(stdout).toContain('has no effect: "your-token" is a placeholder');
    expect(judge.requests[0]?.headers.authorization).toBeUndefined();
    expect(code).toBe(expected);
  });

  test('fails if no server listens on the port of the backend and states this', async () => {
    const { code, text } = await runCheck('--base-url', 'http://127.0.0.1:1');
    expect(text).toContain(
      '✗ oj: Cannot reach http://127.0.0.1:1: nothing listens there (ECONNREFUSED).\n  → Start the',
    );
    expect(code).toBe(1);
  });

  test('fails for an untrusted certificate and for a port without TLS, and states the reason', async () => {
    const trusted = await startJudge({ json: status }, certificate);
    const { code, text } = await runCheck('--base-url', trusted.origin);
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/✗ oj: Cannot reach .+certificate.+\n {2}→ .*NODE_EXTRA_CA_CERTS=/),
    ]);
    const plain = await startJudge({ json: status });
    const { text: other } = await runCheck('--base-url', plain.origin.replace('http:', 'https:'));
    expect(other).toMatch(/✗ oj: Cannot reach .+TLS.+\n {2}→ Use http:\/\/ in --base-url/);
  });

  test('fails with a hint if the token file does not exist', async () => {
    const { code, text } = await runCheck(
      '--base-url',
      'http://127.0.0.1:1',
      '--token-file',
      path.resolve('no-such-file'),
    );
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(
        /--token-file .+ cannot be read: it does not exist \(ENOENT\)\.\n {2}→ Use a file that contains only the token/,
      ),
    ]);
  });

  test.runIf(has('clerk'))('checks the other toolsets after an invalid setting of one toolset', async () => {
    const { code, text } = await runCheck('--toolsets', 'oj,clerk', '--base-url', 'ftp://x');
    expect(text).toContain('✗ oj: --base-url must start with http');
    expect(text).toContain('✓ clerk: 3 tools');
    expect(code).toBe(1);
  });

  test.runIf(has('files', 'books'))('passes with a warning if the backend has no problems', async () => {
    const judge = await startJudge({ json: { ...status, platforms: [] } });
    const { code, text } = await runCheck('--base-url', judge.origin);
    expect([code, text]).toEqual([
      0,
      expect.stringContaining('! oj: the backend has no problems\n  → Run its crawlers'),
    ]);
  });
});
