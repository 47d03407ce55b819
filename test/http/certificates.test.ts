import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { authority, certificate } from '../support/certificate.ts';
import { startJudge } from '../support/judge.ts';
import { callProgram } from '../support/program.ts';
import { has } from '../support/toolsets.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
const NODE_EXTRA_CA_CERTS = path.join(folder, 'authority.pem');
writeFileSync(NODE_EXTRA_CA_CERTS, authority);
afterAll(() => rmSync(folder, { recursive: true }));

const problem = { json: { id: '1', title: 'Title', tags: [], content: 'x' } };
const call = { name: 'get_problem', arguments: { source: 'leetcode', id: '1' } };

/** Returns the text of each result, or the error message. */
async function textsOf(origin: string, env: Record<string, string>, calls = [call]): Promise<string[]> {
  const { answers } = await callProgram(['--base-url', origin], env, calls);
  return answers.map(answer => JSON.stringify(answer));
}

test.runIf(has('oj'))(
  'the server rejects a certificate of an unknown authority and names NODE_EXTRA_CA_CERTS',
  async () => {
    const judge = await startJudge(problem, certificate);
    const [text] = await textsOf(judge.origin, {});
    expect(text).toContain(`Cannot reach ${judge.origin}: unable to verify the first certificate`);
    expect(text).toContain('NODE_EXTRA_CA_CERTS');
    expect(judge.requests).toEqual([]);
  },
);

test.runIf(has('oj'))('the server accepts a certificate of an authority in NODE_EXTRA_CA_CERTS', async () => {
  const judge = await startJudge(problem, certificate);
  expect(await textsOf(judge.origin, { NODE_EXTRA_CA_CERTS })).toEqual([expect.stringContaining('# Title')]);
});

test.runIf(has('oj'))('the server follows a redirect from http to https when no token is set', async () => {
  const judge = await startJudge(problem, certificate);
  const entrance = await startJudge(response => {
    response.writeHead(308, { location: `${judge.origin}${response.req.url}` }).end();
  });
  expect(await textsOf(entrance.origin, { NODE_EXTRA_CA_CERTS })).toEqual([expect.stringContaining('# Title')]);
  expect(judge.requests).toHaveLength(1);
});

test.runIf(has('oj'))(
  'the server retries after a lost TLS connection, but not after the first byte of the response',
  async () => {
    let count = 0;
    const judge = await startJudge(response => {
      count++;
      // The server responds to request 1. Request 2 is lost and retried as request 3. Request 4 is lost after the first
      // byte of its response.
      if (count === 2) response.destroy();
      else if (count === 4) response.socket?.write('H', () => response.destroy());
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(problem.json));
    }, certificate);
    const texts = await textsOf(judge.origin, { NODE_EXTRA_CA_CERTS }, [call, call, call]);
    expect(texts).toEqual([
      expect.stringContaining('# Title'),
      expect.stringContaining('# Title'),
      expect.stringContaining('the connection was closed'),
    ]);
  },
);
