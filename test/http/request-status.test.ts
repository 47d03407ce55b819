import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createRequestFunction } from '../../src/http/request.ts';
import { removeInvisibleCharacters } from '../../src/text/invisible.ts';
import { portOf, startJudge } from '../support/judge.ts';
import * as fc from '../support/property.ts';
import { failure, network, never, request } from '../support/requests.ts';

describe('parseResponse (S4)', () => {
  test.each([
    [
      'a problem document (RFC 7807)',
      404,
      { type: 'about:blank', title: 'Not Found', status: 404, detail: 'problem not found' },
      '[404] Not Found: problem not found',
    ],
    [
      'a problem document whose status differs from the HTTP status',
      400,
      { title: 'Bad', status: 422, detail: 'x' },
      '[422] Bad: x',
    ],
    ['a problem document without status', 409, { title: 'Conflict', detail: 'x' }, '[409] Conflict: x'],
    ['a problem document without detail', 404, { title: 'Not Found', status: 404 }, '[404] Not Found'],
    ['a detail of null', 404, { title: 'Not Found', detail: null }, '[404] Not Found'],
    ['a title that is no string', 500, { title: 1 }, '[500] {"title":1}'],
    ['a status that is no integer', 500, { title: 'x', status: '500' }, '[500] {"title":"x","status":"500"}'],
    ['a detail that is no string', 500, { title: 'x', detail: [] }, '[500] {"title":"x","detail":[]}'],
    ['a JSON list', 500, [1], '[500] [1]'],
    ['the JSON value null', 500, null, '[500] null'],
  ])('formats an error response as status, title and detail: %s (S4.3)', async (_, status, json, text) => {
    const judge = await startJudge({ status, type: 'application/problem+json', json });
    expect((await failure(request(judge))).message).toBe(text);
  });

  test.each([
    ['plain text', 'text/plain', 'Failed to deserialize query string', '[400] Failed to deserialize query string'],
    ['broken JSON', 'application/json', '{"title":', '[400] {"title":'],
    ['empty', undefined, '', '[400] '],
    ['bytes that are not UTF-8', 'text/plain', Buffer.from([0x61, 0xff, 0x62]), '[400] a\ufffdb'],
  ])('returns the body of an error response unchanged if it is %s (S4.4)', async (_, type, body, text) => {
    const judge = await startJudge({ status: 400, ...(type !== undefined && { type }), body });
    expect((await failure(request(judge))).message).toBe(text);
  });

  test.each([
    ['text/plain; charset=utf-8', { version: '1' }, 'has the Content-Type "text/plain"'],
    ['text/json', [], 'has the Content-Type "text/json"'],
    ['', { version: '1' }, 'has no Content-Type'],
  ])('names the media type %j of a success whose body is JSON', async (type, json, fault) => {
    const judge = await startJudge({ type, body: JSON.stringify(json) });
    expect((await failure(request(judge))).hint).toBe(
      `The response is JSON, but ${fault}: if it is the right server, it or a proxy in front of it must send application/json.`,
    );
  });

  test.each(['<html></html>', '"ok"', '200', 'null'])(
    'takes a success that is neither a JSON object nor a list for the answer of another server: %s',
    async body => {
      const judge = await startJudge({ type: 'text/plain', body });
      expect((await failure(request(judge))).hint).toContain('This may be the answer of another server');
    },
  );

  test('truncates an error body to 500 characters without splitting a character (INVARIANT S4.4)', async () => {
    const judge = await startJudge();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 480, maxLength: 600 }), async body => {
        judge.reply = { status: 500, type: 'text/plain', body };
        const { message } = await failure(request(judge));
        expect(message).toBe(
          `[500] ${Array.from(removeInvisibleCharacters(body.toWellFormed())).slice(0, 500).join('')}`,
        );
      }),
      { numRuns: 60 },
    );
  });

  test('does not split a four-byte character that is the 500th character of an error body (S4.4)', async () => {
    const judge = await startJudge({ status: 500, type: 'text/plain', body: `${'a'.repeat(499)}😀b` });
    expect((await failure(request(judge))).message).toBe(`[500] ${'a'.repeat(499)}😀`);
  });

  test('turns every 4xx and 5xx status into a tool result, not a protocol error (INVARIANT)', async () => {
    const judge = await startJudge();
    for (let status = 400; status < 600; status++) {
      judge.reply = { status, body: 'no' };
      expect(await failure(request(judge))).toMatchObject({ code: 'upstream', message: `[${status}] no` });
    }
  });

  test('keeps the error status when the body is incomplete', async () => {
    const judge = await startJudge(response => {
      response.writeHead(503, { 'content-type': 'text/plain', 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 10);
    });
    expect(await failure(request(judge))).toMatchObject({ code: 'upstream', message: '[503] half' });
  });

  test.each([401, 403, 407, 429, 502, 503, 504])('adds a hint to the error of status %i', async status => {
    const judge = await startJudge({ status, body: '' });
    expect((await failure(request(judge))).hint).toBeTypeOf('string');
  });

  test('does not advise a password in the address of a proxy if status 407 comes without a proxy', async () => {
    const judge = await startJudge({ status: 407, body: '' });
    expect((await failure(request(judge))).hint).toMatch(/none is used for this address: .*--base-url/);
  });

  test('states that a server requires a user name and a password instead of a token', async () => {
    const judge = await startJudge(response => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('no');
    });
    expect((await failure(request(judge))).hint).toContain('a user name and a password (Basic authentication)');
  });

  test.each([
    ['JSON', { status: 202, json: { retry_after: 5 } }, { retry_after: 5 }],
    ['text', { status: 202, type: 'text/plain', body: 'wait' }, undefined],
    ['broken JSON', { status: 202, type: 'application/json', body: '{' }, undefined],
    ['an empty body', { status: 202, body: '' }, undefined],
  ])('accepts status 202 and returns data only if the body is JSON: %s (S4.5)', async (_, reply, data) => {
    const judge = await startJudge(reply);
    expect(await request(judge)).toEqual({ status: 202, data });
  });

  test.each([
    ['is not valid JSON', '{'],
    ['is not valid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['is not valid JSON', ''],
    ['is not valid UTF-8', Buffer.from([0xff])],
    ['is compressed, but has no Content-Encoding', gzipSync('{}')],
  ])('rejects a response with status 200 whose body %s (S4.1)', async (message, body) => {
    const judge = await startJudge({ type: 'application/json', body });
    expect(await failure(request(judge))).toMatchObject({
      code: 'malformed',
      isProtocolError: true,
      message: `The response of the backend ${message}.`,
    });
  });

  test.each([
    ['zstd', 404],
    ['utf-8', 500],
  ])('keeps the error status when the content encoding "%s" is unknown', async (encoding, status) => {
    const judge = await startJudge(response => {
      response.writeHead(status, { 'content-encoding': encoding }).end('x');
    });
    expect(await failure(request(judge))).toMatchObject({ code: 'upstream', message: `[${status}] ` });
  });

  test.each([600, 999])('rejects the invalid status %i as an unreadable response', async status => {
    const judge = await startJudge(response => {
      response.writeHead(status).end('x');
    });
    expect(await failure(request(judge))).toMatchObject({
      code: 'malformed',
      message: `${judge.origin} sent a response that cannot be read: the status ${status} is not valid.`,
    });
  });

  test('rejects a protocol upgrade (status 101) as an unreadable response and does not wait', async () => {
    const judge = await startJudge(response => {
      response.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).end();
    });
    expect((await failure(request(judge))).message).toContain('the response switches to another protocol (status 101)');
  });

  test('accepts a response with headers of 40 KB', async () => {
    const judge = await startJudge(response => {
      response.writeHead(404, { 'x-large': 'x'.repeat(40_000) }).end('no');
    });
    expect((await failure(request(judge))).message).toBe('[404] no');
  });

  test('redacts the token before it truncates an error body', async () => {
    const token = 'tok-ABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789';
    const judge = await startJudge({ status: 500, type: 'text/plain', body: 'z'.repeat(480) + token });
    expect((await failure(request(judge, { token }))).message).toBe(`[500] ${'z'.repeat(480)}[redacted]`);
  });

  test.each([
    [
      'a problem document',
      { status: 404, json: { title: 'No\u{e0049}t', detail: 'f\u200bo\u2066und ❤\ufe0f' } },
      '[404] Not: found ❤\ufe0f',
    ],
    [
      'an error body of plain text',
      { status: 500, type: 'text/plain', body: 'b1\ufe01\ufe02r\u200bo\u00adken\u0007' },
      '[500] b1roken',
    ],
  ])('removes only invisible characters from the text of %s', async (_, reply, text) => {
    expect((await failure(request(await startJudge(reply)))).message).toBe(text);
  });

  test('redacts a token that contains invisible characters', async () => {
    const token = 'hunter2-hunter2';
    const judge = await startJudge({ status: 500, body: `no ${Array.from(token).join('\u200b')}` });
    expect((await failure(request(judge, { token }))).message).toBe('[500] no [redacted]');
  });

  test.each([204, 304])('turns status %i without a body into a tool result', async status => {
    const judge = await startJudge({ status, body: '' });
    expect(await failure(request(judge))).toMatchObject({ code: 'upstream', message: `[${status}] ` });
  });

  test('rejects an incomplete body of status 200 as a network failure', async () => {
    const judge = await startJudge(response => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 10);
    });
    expect(await failure(request(judge))).toMatchObject({ code: 'network' });
  });
});

describe('the HTTP client reports a network failure as a protocol error with a readable message (INVARIANT S4.1)', () => {
  test('when the connection is refused', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${portOf(server.address())}`;
    await new Promise(resolve => server.close(resolve));
    const error = await failure(createRequestFunction(network)(origin, never));
    expect(error).toMatchObject({ code: 'network', isProtocolError: true });
    expect(error.message).toBe(`Cannot reach ${origin}: nothing listens there (ECONNREFUSED).`);
  });

  test('when the host name is unknown', async () => {
    const error = await failure(createRequestFunction(network)('http://judge.invalid', never));
    expect(error.message).toMatch(/^Cannot reach http:\/\/judge\.invalid: the name/);
  });

  test('when the response is not HTTP', async () => {
    const server = createServer(socket => socket.end('SSH-2.0-nothing\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const error = await failure(createRequestFunction(network)(`http://127.0.0.1:${portOf(server.address())}`, never));
    server.close();
    expect(error).toMatchObject({ code: 'malformed', isProtocolError: true });
    expect(error.message).toContain('sent a response that cannot be read: it is not valid HTTP (Expected HTTP/');
  });

  test('when a TLS handshake reaches a server without TLS', async () => {
    const judge = await startJudge();
    const error = await failure(createRequestFunction(network)(judge.origin.replace('http', 'https'), never));
    expect(error).toMatchObject({ code: 'network' });
    expect(error.message).toMatch(/^Cannot reach [^\n]+: it does not use TLS there \(\w+\)\.$/);
  });
});
