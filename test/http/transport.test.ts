import { getEventListeners, once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readBody } from '../../src/http/body.ts';
import { TimeoutError } from '../../src/http/deadline.ts';
import { createTransport, UnreadableResponseError } from '../../src/http/transport.ts';
import { portOf, startJudge } from '../support/judge.ts';
import { send, startTcpServer } from './support/tcp-server.ts';

describe('the transport', () => {
  test('sends method, headers, body and path unchanged and returns the response body undecoded', async () => {
    const seen: unknown[] = [];
    const server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers['x-one'], request.headers['content-length'], body]);
        response.writeHead(207, { etag: '"1"', 'content-encoding': 'gzip' }).end('not decoded');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const transport = createTransport({});
    const url = `http://127.0.0.1:${portOf(server.address())}/a/../%2e?b=%41`;
    const put = await transport({ url, method: 'PUT', headers: { 'x-one': '1' }, body: Buffer.from('héllo') });
    expect([put.status, put.headers.etag, (await readBody(put.body, 100)).bytes.toString()]).toEqual([
      207,
      '"1"',
      'not decoded',
    ]);
    expect(await send(transport, { url, method: 'HEAD' })).toEqual([207, '']);
    expect(seen).toEqual([
      ['PUT', '/a/../%2e?b=%41', '1', '6', 'héllo'],
      ['HEAD', '/a/../%2e?b=%41', undefined, undefined, ''],
    ]);
  });

  test('returns the body as a stream before it is complete', async () => {
    const { url, sockets } = await startTcpServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha');
    });
    const { body } = await createTransport({})({ url });
    const [first] = await once(body, 'data');
    sockets[0]?.write('lf');
    const [second] = await once(body, 'data');
    expect(`${first}|${second}`).toBe('ha|lf');
  });

  test.each([
    ['before the response', () => {}],
    ['during the body', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha')],
  ])('rejects with the abort reason when the signal is aborted %s', async (_, onRequest) => {
    const cancel = new AbortController();
    const { url, sockets } = await startTcpServer(socket => {
      onRequest(socket);
      setImmediate(() => cancel.abort(new Error('cancelled')));
    });
    const run = async (): Promise<void> => {
      const { body } = await createTransport({})({ url, signal: cancel.signal });
      throw (await readBody(body, 100)).error;
    };
    await expect(run()).rejects.toThrow('cancelled');
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  test.each([
    ['before the response', () => {}],
    ['during the body', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha')],
  ])('rejects with a TimeoutError when the time limit passes %s', async (_, onRequest) => {
    const { url, sockets } = await startTcpServer(onRequest);
    const run = async (): Promise<void> => {
      const { body } = await createTransport({})({ url, timeoutMs: 100 });
      throw (await readBody(body, 100)).error;
    };
    await expect(run()).rejects.toBeInstanceOf(TimeoutError);
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  test.each([
    ['has ended', (body: Readable) => void body.resume(), { bytes: Buffer.alloc(0), error: undefined }],
    ['was destroyed', (body: Readable) => void body.destroy(), { error: expect.any(Error) }],
  ])('returns from readBody when the body %s before the call', async (_, act, read) => {
    const judge = await startJudge({ body: 'ok' });
    const { body } = await createTransport({})({ url: judge.origin });
    act(body);
    await once(body, 'close');
    expect(await readBody(body, 100)).toMatchObject(read);
  });

  test('removes its abort listener from the signal after the body has ended', async () => {
    const judge = await startJudge({ body: 'ok' });
    const { signal } = new AbortController();
    const { body } = await createTransport({})({ url: judge.origin, signal, timeoutMs: 2 ** 31 - 1 });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await readBody(body, 100);
    await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('sends nothing when the signal is already aborted', async () => {
    const judge = await startJudge();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(createTransport({})({ url: judge.origin, signal })).rejects.toThrow('too late');
    expect(judge.requests).toEqual([]);
  });

  const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  const final = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  test('ignores up to 16 informational (1xx) responses before the final response', async () => {
    const { url } = await startTcpServer(socket => socket.write(early.repeat(16) + final));
    expect(await send(createTransport({}), { url })).toEqual([200, 'ok']);
  });

  test('rejects the response as unreadable after the 17th informational response', async () => {
    const { url } = await startTcpServer(socket => socket.write(early.repeat(17) + final));
    await expect(send(createTransport({}), { url })).rejects.toBeInstanceOf(UnreadableResponseError);
  });

  test('ends the connection when the stream of informational responses is endless', async () => {
    const { url, sockets } = await startTcpServer(socket => {
      const writeMore = (): void => void (socket.destroyed || socket.write(early.repeat(100), writeMore));
      writeMore();
    });
    await expect(send(createTransport({}), { url })).rejects.toThrow('more than 16 informational responses');
    await expect.poll(() => sockets.map(socket => socket.destroyed)).toEqual([true]);
  });
});
