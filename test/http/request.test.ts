import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';
import { createRequestFunction, defaultDeadlineMs } from '../../src/http/request.ts';
import { startJudge } from '../support/judge.ts';
import { failure, network, never, request } from '../support/requests.ts';

const maxBodyBytes = 1_048_576;

describe('a request of the HTTP client (S2.1)', () => {
  test('is a GET request with a user agent, accepts JSON and asks for no compression', async () => {
    const judge = await startJudge();
    await request(judge, { path: '/a?b=c' });
    expect(judge.requests).toMatchObject([
      {
        target: '/a?b=c',
        headers: { accept: 'application/json, application/problem+json', 'accept-encoding': 'identity' },
      },
    ]);
    expect(judge.requests[0]?.headers['user-agent']).toMatch(/^oj-mcp\/\d+\.\d+\.\d+$/);
  });

  test('contains the path without normalisation', async () => {
    const judge = await startJudge();
    for (const path of ['/a/%2e%2e/b', '/a/../b', '/%41%2F', "/'()*!", '/a?x=%00#gone']) await request(judge, { path });
    expect(judge.requests.map(({ target }) => target)).toEqual([
      '/a/%2e%2e/b',
      '/a/../b',
      '/%41%2F',
      "/'()*!",
      '/a?x=%00',
    ]);
  });

  test('contains the bearer token if one is set, and otherwise no Authorization header (INVARIANT)', async () => {
    const judge = await startJudge();
    await request(judge, { token: 'a-token' });
    await request(judge);
    expect(judge.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-token', undefined]);
  });

  test('reuses the connection of the previous request', async () => {
    const judge = await startJudge();
    const ports = new Set<unknown>();
    judge.reply = response => {
      ports.add(response.socket?.remotePort);
      response.writeHead(200, { 'content-type': 'application/json' }).end('1');
    };
    const send = createRequestFunction(network);
    for (let count = 0; count < 3; count++) await send(judge.origin, never);
    expect(ports.size).toBe(1);
  });

  test('fails at the deadline when the backend does not respond (INVARIANT)', async () => {
    const judge = await startJudge(() => {});
    const error = await failure(request(judge, { deadlineMs: 50 }));
    expect(error).toMatchObject({ code: 'network', isProtocolError: true });
    expect(error.message).toBe(`${judge.origin} did not answer within 0.05 seconds.`);
  });

  test('has a default deadline of 30 s', () => {
    expect(defaultDeadlineMs).toBe(30_000);
  });

  test('fails at the deadline when the response body stalls', async () => {
    const judge = await startJudge(response => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"a":');
    });
    expect(await failure(request(judge, { deadlineMs: 50 }))).toMatchObject({ code: 'network' });
  });

  test('fails at the deadline during redirects', async () => {
    const judge = await startJudge(response => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 30);
    });
    expect((await failure(request(judge, { deadlineMs: 100 }))).message).toContain('did not answer within');
  });

  test('closes the connection when it is cancelled and rejects with the reason of the signal', async () => {
    const judge = await startJudge(() => cancel.abort());
    const cancel = new AbortController();
    await expect(request(judge, { signal: cancel.signal })).rejects.not.toBeInstanceOf(Failure);
    await expect.poll(() => judge.aborted).toBe(1);
  });

  test('is not sent if its signal is already aborted', async () => {
    const judge = await startJudge();
    await expect(request(judge, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(judge.requests).toEqual([]);
  });

  test.each([429, 500, 502, 503, 504, 408])('is not retried after status %i', async status => {
    const judge = await startJudge({ status, json: {} });
    await failure(request(judge));
    expect(judge.requests).toHaveLength(1);
  });

  test('is not retried if a new connection is reset', async () => {
    const judge = await startJudge(response => response.destroy());
    expect((await failure(request(judge))).message).toContain('ECONNRESET');
    expect(judge.requests).toHaveLength(1);
  });
});

describe('the body limit of the HTTP client (S2.2)', () => {
  const bodyOf = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;

  test('accepts a body of exactly the limit (INVARIANT)', async () => {
    const judge = await startJudge({ type: 'application/json', body: bodyOf(maxBodyBytes) });
    expect((await request(judge)).data).toHaveLength(maxBodyBytes - 2);
  });

  test('rejects a request whose JSON body is one byte longer than the limit (INVARIANT)', async () => {
    const judge = await startJudge({ type: 'application/json', body: bodyOf(maxBodyBytes + 1) });
    const error = await failure(request(judge));
    expect(error).toMatchObject({ code: 'malformed', isProtocolError: true });
    expect(error.message).toBe('The response of the backend is larger than 1048576 bytes.');
  });

  test('stops reading the body at the limit (INVARIANT)', async () => {
    let takenBytes = 0;
    const chunk = new Uint8Array(65_536).fill(0x20);
    const body = new Readable({
      read() {
        takenBytes += chunk.length;
        this.push(chunk);
      },
    });
    const headers = { 'content-type': 'application/json' };
    const send = createRequestFunction({ ...network, transport: async () => ({ status: 200, headers, body }) });
    await failure(send('http://judge.invalid', never));
    expect(takenBytes).toBeLessThanOrEqual(maxBodyBytes + 2 * chunk.length);
  });

  test('accepts JSON that ends at the limit and is followed by blanks', async () => {
    const judge = await startJudge({ type: 'application/json', body: bodyOf(maxBodyBytes) + ' '.repeat(1000) });
    expect((await request(judge)).data).toHaveLength(maxBodyBytes - 2);
  });

  test('closes the connection of an endless body (INVARIANT)', async () => {
    let sentBytes = 0;
    const judge = await startJudge(response => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(65_536, 0x20);
      const pump = (): void => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
      };
      response.on('drain', pump);
      pump();
    });
    await failure(request(judge));
    await expect.poll(() => judge.aborted).toBe(1);
    expect(sentBytes).toBeLessThan(16 * maxBodyBytes);
  });

  test.each([
    [200, { code: 'malformed', message: 'The response of the backend is larger than 1048576 bytes.' }],
    [500, { code: 'upstream', message: `[500] ${'x'.repeat(500)}` }],
  ])(
    'closes each connection after a body of 1.1 MB, in 60 requests in a row with status %i',
    async (status, expected) => {
      const piece = 'x'.repeat(8192);
      const judge = await startJudge(response => {
        response.writeHead(status, { 'content-type': status === 200 ? 'application/json' : 'text/html' });
        for (let sent = 0; sent < 1_100_000; sent += piece.length) response.write(piece);
        response.end();
      });
      for (let call = 0; call < 60; call++) expect(await failure(request(judge))).toMatchObject(expected);
    },
  );

  test('applies to the decompressed body (INVARIANT)', async () => {
    const judge = await startJudge(response => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(bodyOf(64 * maxBodyBytes)));
    });
    expect((await failure(request(judge))).message).toContain('larger than');
  });

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity, gzip', gzipSync],
    ['gzip, gzip', (text: string) => gzipSync(gzipSync(text))],
  ])('is applied to a body that is compressed with %s although identity was requested', async (encoding, encode) => {
    const judge = await startJudge(response => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
      response.end(encode('{"a":1}'));
    });
    expect((await request(judge)).data).toEqual({ a: 1 });
  });

  test.each([
    [
      'an unknown encoding',
      'zstd-9',
      gzipSync('1'),
      'sent a response that cannot be read: the content-encoding "zstd-9" is not supported.',
    ],
    ['damaged gzip', 'gzip', Buffer.from('not gzip'), 'incorrect header check'],
    [
      '20,000 encodings',
      Array(20_000).fill('br').join(),
      gzipSync('1'),
      'the body has 20000 content encodings, and at most 4 are allowed',
    ],
    [
      'a small body that decompresses to a large one and then to an empty one',
      'deflate, gzip',
      gzipSync(Buffer.concat([Buffer.from('789c', 'hex'), Buffer.alloc(40_000_000, '000000ffff', 'hex')])),
      'the decompressed body is too large',
    ],
    [
      'five encodings',
      'gzip,br, gzip,gzip,deflate',
      gzipSync('1'),
      'the body has 5 content encodings, and at most 4 are allowed',
    ],
  ])('rejects a response with %s', async (_, encoding, body, message) => {
    const judge = await startJudge(response => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);
    });
    expect((await failure(request(judge))).message).toContain(message);
  });
});

test.each([200, 500])(
  'the HTTP client closes the connection without reading a body in an unknown encoding, status %i',
  async status => {
    const judge = await startJudge(response => {
      response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'zstd-9' }).write('{');
    });
    await failure(request(judge));
    await expect.poll(() => judge.aborted).toBe(1);
  },
);

describe('the media type of a response (S2.3)', () => {
  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/problem+json',
    ' application/json ;v=1',
  ])('"%s" lets the body be parsed as JSON', async type => {
    const judge = await startJudge({ type, json: { a: 1 } });
    expect(await request(judge)).toEqual({ status: 200, data: { a: 1 } });
  });

  test.each([
    'text/html',
    'text/json',
    'application/jsonp',
    'application/json+x',
    'application/vnd.api+json',
    undefined,
  ])('"%s" prevents the body from being parsed as JSON (INVARIANT)', async type => {
    const judge = await startJudge({ ...(type !== undefined && { type }), body: '{"title":"x"}' });
    const error = await failure(request(judge));
    expect(error).toMatchObject({ code: 'upstream', isProtocolError: false, message: '[200] {"title":"x"}' });
  });
});
