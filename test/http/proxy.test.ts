import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';
import { readBody } from '../../src/http/body.ts';
import { canUseProxies } from '../../src/http/proxy.ts';
import { createTransport } from '../../src/http/transport.ts';
import { authority, certificate } from '../support/certificate.ts';
import { portOf, startJudge } from '../support/judge.ts';
import { callProgram, runProgram, unwrapLines } from '../support/program.ts';
import { has } from '../support/toolsets.ts';

const hasOj = has('oj');

const canUse = canUseProxies(process.versions.node);

/** Starts a loopback proxy that records its requests. It answers requests without a tunnel with the given status. */
async function startProxy(status = 200) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => void sockets.add(socket.on('error', () => {}));
  const proxy = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end('"proxied"');
  });
  proxy.on('connection', keep);
  proxy.on('connect', (request: http.IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    const far = net.connect(Number(/\d+$/.exec(request.url ?? '')?.[0]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      far.pipe(socket).pipe(far);
    });
    keep(far);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return { asked, address: `http://127.0.0.1:${portOf(proxy.address())}` };
}

async function ask(env: NodeJS.ProcessEnv, url: string): Promise<string> {
  const { body } = await createTransport(env)({ url, timeoutMs: 120_000 });
  return (await readBody(body, 1000)).bytes.toString();
}

describe('HTTP_PROXY', () => {
  test('is used if the Node version supports proxies, and otherwise ignored', async () => {
    const [proxy, judge] = [await startProxy(), await startJudge({ json: 'direct' })];
    const url = `${judge.origin}/a?b=%41`;
    expect(await ask({ HTTP_PROXY: proxy.address }, url)).toBe(canUse ? '"proxied"' : '"direct"');
    expect(proxy.asked).toEqual(canUse ? [`GET ${url}`] : []);
  });

  test('is not used for a host in NO_PROXY', async () => {
    const [proxy, judge] = [await startProxy(), await startJudge({ json: 'direct' })];
    expect(await ask({ HTTP_PROXY: proxy.address, NO_PROXY: '127.0.0.1' }, judge.origin)).toBe('"direct"');
    expect(proxy.asked).toEqual([]);
  });

  test.runIf(canUse)('causes an error that does not repeat its value when it is not a valid address', async () => {
    const failure = await ask({ HTTP_PROXY: 'http://user:secret@:bad' }, 'http://judge.example').catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: 'setting',
      message: 'The value of HTTP_PROXY is not the address of a proxy.',
    });
    expect(failure instanceof Failure && [failure.cause, failure.hint].join()).not.toContain('secret');
  });
});

describe.runIf(hasOj)('the server behind a proxy', () => {
  const problem = { json: { id: '1', title: 'Title', tags: [], content: 'direct' } };
  const call = { name: 'get_problem', arguments: { source: 'leetcode', id: '1' } };
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  const NODE_EXTRA_CA_CERTS = path.join(folder, 'authority.pem');
  writeFileSync(NODE_EXTRA_CA_CERTS, authority);
  afterAll(() => rmSync(folder, { recursive: true }));

  test('reaches an https backend through a proxy tunnel, or warns once if Node does not support proxies', async () => {
    const [proxy, judge] = [await startProxy(), await startJudge(problem, certificate)];
    const env = { NODE_EXTRA_CA_CERTS, HTTPS_PROXY: proxy.address };
    const { answers, stderr } = await callProgram(['--base-url', judge.origin], env, [call, call]);
    expect(JSON.stringify(answers)).toMatch(/# Title.*# Title/);
    expect(proxy.asked).toEqual(canUse ? [`CONNECT ${judge.origin.replace('https://', '')}`] : []);
    const warnings = Array.from(
      stderr.matchAll(/WARN  oj-mcp: (\w+ is set, but Node \S+ does not support proxies)/g),
      ([, said]) => said,
    );
    const node = process.versions.node;
    expect(warnings).toEqual(canUse ? [] : [`HTTPS_PROXY is set, but Node ${node} does not support proxies`]);
    expect(stderr.match(/WARN/g) ?? []).toHaveLength(warnings.length);
  });

  test('logs no warning when NO_PROXY excludes the backend', async () => {
    const [proxy, judge] = [await startProxy(), await startJudge(problem)];
    const env = { HTTP_PROXY: proxy.address, NO_PROXY: '127.0.0.1' };
    const { answers, stderr } = await callProgram(['--base-url', judge.origin], env, [call]);
    expect(JSON.stringify(answers)).toContain('# Title');
    expect([proxy.asked, stderr]).toEqual([[], expect.not.stringContaining('WARN')]);
  });

  test('warns when the token for a local backend is sent through a proxy', async () => {
    const [proxy, judge] = [await startProxy(), await startJudge(problem)];
    const args = ['--base-url', judge.origin];
    const env = { OJ_MCP_TOKEN: 'a-token-of-tests', HTTP_PROXY: proxy.address };
    const warning = `the token for ${judge.origin} on this machine is sent to the proxy of HTTP_PROXY; set NO_PROXY=127.0.0.1 to connect directly`;
    const [without, excepted] = [await runProgram(args, { env }), { ...env, NO_PROXY: '127.0.0.1' }];
    expect(without.stderr.includes(warning)).toBe(canUse);
    expect((await runProgram(args, { env: excepted })).stderr).not.toContain('WARN');
  });

  test('names the proxy in the error and in --check when the proxy cannot be reached', async () => {
    const judge = await startJudge(problem);
    const env = { HTTP_PROXY: 'http://user:secret@127.0.0.1:1' };
    const { answers } = await callProgram(['--base-url', judge.origin], env, [call]);
    const advice =
      'went through the proxy http://127.0.0.1:1 of HTTP_PROXY: the user can check that address, or set NO_PROXY=127.0.0.1';
    expect(JSON.stringify(answers)).toContain(canUse ? advice : '# Title');
    const { stdout } = await runProgram(['--check', '--base-url', judge.origin], { env });
    expect(unwrapLines(stdout).includes(advice)).toBe(canUse);
    expect(stdout + JSON.stringify(answers)).not.toContain('secret');
  });

  test.runIf(canUse).each([403, 502, 503, 504])('names a proxy that answers with status %i', async status => {
    const proxy = await startProxy(status);
    const env = { HTTP_PROXY: proxy.address };
    const args = ['--base-url', 'http://judge.example'];
    const { answers } = await callProgram(args, env, [call]);
    const advice = `went through the proxy ${proxy.address} of HTTP_PROXY`;
    expect(JSON.stringify(answers)).toContain(advice);
    const { stdout } = await runProgram(['--check', ...args], { env });
    expect(unwrapLines(stdout)).toContain(advice);
  });

  test.runIf(canUse && has('books')).each([
    ['answers with status 502', 'http://judge.example', 502],
    ['answers with a page in place of a listing', 'http://judge.example', 200],
    ['cannot be reached', 'http://judge.example', undefined],
  ])('names the proxy of an object store when the proxy %s', async (_, endpoint, status) => {
    const address = status === undefined ? 'http://127.0.0.1:1' : (await startProxy(status)).address;
    const env = { HTTP_PROXY: address, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
    const bucket = ['--books-root', 's3://library', '--books-s3-endpoint', endpoint, '--books-s3-insecure'];
    const { stdout } = await runProgram(['--check', '--toolsets', 'books', ...bucket], { env });
    expect(unwrapLines(stdout)).toContain(`went through the proxy ${address} of HTTP_PROXY`);
    expect(unwrapLines(stdout)).toContain('NO_PROXY=judge.example');
  });
});
