import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net, { type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { portOf } from '../support/judge.ts';
import { longTimeouts, startProgram } from '../support/program.ts';
import { has } from '../support/toolsets.ts';
import { modernMeta } from '../support/wire.ts';

const hasOj = has('oj');

/** Starts a server that passes each request to `respond` and counts its connections. */
async function startRawServer(respond: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const counts = { open: 0, mostOpen: 0 };
  const server = net.createServer(socket => {
    sockets.add(socket);
    counts.mostOpen = Math.max(counts.mostOpen, ++counts.open);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => counts.open--);
    socket.on('data', () => respond(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { origin: `http://127.0.0.1:${portOf(server.address())}`, counts };
}

function startClient(args: readonly string[], env: Record<string, string> = {}) {
  const program = startProgram(args, env, longTimeouts);
  const messages = createInterface(program.child.stdout)[Symbol.asyncIterator]();
  return {
    pid: program.child.pid ?? 0,
    send: (id: number, method: string, params: object) =>
      program.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`),
    receive: async (): Promise<Message> => JSON.parse((await messages.next()).value),
  };
}

interface Message {
  id: number;
  result?: { isError?: boolean; content: { text: string }[] };
}

const getProblem = { name: 'get_problem', arguments: { source: 'leetcode', id: '1' }, _meta: modernMeta };
const problem = JSON.stringify({ id: '1', title: 'Title', tags: [], content: '' });

/** Returns a response whose body of 500,000 bytes has chunks of one byte. */
function chunkedResponse(contentType: string, start: string, end: string): Buffer {
  const body = start + 'x'.repeat(500_000 - start.length - end.length) + end;
  const chunks = body.replace(/./g, '1\r\n$&\r\n');
  return Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
  );
}

function peakMiB(pid: number): number {
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

const isLinux = process.platform === 'linux';

describe.runIf(hasOj)('a server whose backend sends many or large responses', () => {
  const [start = '', end = ''] = problem.split(/(?<="content":")/);
  const response = chunkedResponse('application/json', start, end);

  test.runIf(isLinux).each([
    [1, 150],
    [4, 200],
  ])('reads %i bodies of 500,000 one-byte chunks in parallel with at most %i MiB of memory', async (calls, maxMiB) => {
    const { origin } = await startRawServer(socket => void socket.write(response));
    const client = startClient(['--base-url', origin]);
    for (let id = 0; id < calls; id++) client.send(id, 'tools/call', getProblem);
    for (let id = 0; id < calls; id++) expect((await client.receive()).result?.content[0]?.text).toContain('# Title');
    expect(peakMiB(client.pid)).toBeLessThan(maxMiB);
  });

  test.runIf(isLinux).each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)(
    'reads 4 %s bodies in chunks of one byte in parallel with at most 200 MiB',
    async (encoding, compress) => {
      const content = randomBytes(300_000).toString('base64');
      const body = compress(start + content + end).toString('latin1');
      const chunks = body.replace(/[^]/g, '1\r\n$&\r\n');
      const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: ${encoding}\r\n`;
      const { origin } = await startRawServer(socket => {
        socket.write(Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`, 'latin1'));
      });
      const client = startClient(['--base-url', origin]);
      for (let id = 0; id < 4; id++) client.send(id, 'tools/call', getProblem);
      for (let id = 0; id < 4; id++) expect((await client.receive()).result?.content[0]?.text).toContain('# Title');
      expect(peakMiB(client.pid)).toBeLessThan(200);
    },
  );

  test('rejects a compressed body of more than 4 MiB that decompresses to nothing', async () => {
    const empty = gzipSync('');
    const members = Buffer.concat(Array.from({ length: 10_000 }, () => empty));
    const { origin } = await startRawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n');
      const send = (): void => {
        while (!socket.destroyed && socket.write(members));
      };
      socket.on('drain', send);
      socket.on('error', () => {});
      send();
    });
    const client = startClient(['--base-url', origin]);
    client.send(0, 'tools/call', getProblem);
    expect(JSON.stringify(await client.receive())).toContain('the compressed body is too large');
  });

  test('answers 2,000 concurrent calls over 64 connections, and a ping while all calls wait', async () => {
    const calls = 2000;
    const held: Socket[] = [];
    let isHolding = true;
    const respond = (socket: Socket): void =>
      void socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${problem.length}\r\n\r\n${problem}`,
      );
    const { origin, counts } = await startRawServer(socket => (isHolding ? held.push(socket) : respond(socket)));
    const client = startClient(['--base-url', origin]);
    for (let id = 0; id < calls; id++) client.send(id, 'tools/call', getProblem);
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(64);
    client.send(calls, 'ping', {});
    expect(await client.receive()).toMatchObject({ id: calls, result: {} });
    isHolding = false;
    for (const socket of held) respond(socket);
    const answered = new Set<number>();
    while (answered.size < calls) {
      const { id, result } = await client.receive();
      expect(result?.content[0]?.text).toContain('# Title');
      answered.add(id);
    }
    expect(counts.mostOpen).toBe(64);
  });
});

const canTestBucket = has('books') && isLinux;

describe.runIf(canTestBucket)('the S3 client', () => {
  const response = chunkedResponse('application/xml', '<ListBucketResult><!--', '--></ListBucketResult>');

  test('reads 4 listings of 500,000 one-byte chunks in parallel with at most 200 MiB of memory', async () => {
    const { origin } = await startRawServer(socket => void socket.write(response));
    const env = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
    const args = ['--toolsets', 'books', '--books-root', 's3://library', '--books-s3-endpoint', origin];
    const client = startClient(args, env);
    const listBooks = { name: 'list_books', arguments: {}, _meta: modernMeta };
    for (let id = 0; id < 4; id++) client.send(id, 'tools/call', listBooks);
    for (let id = 0; id < 4; id++) expect((await client.receive()).result?.isError).not.toBe(true);
    expect(peakMiB(client.pid)).toBeLessThan(200);
  });
});
