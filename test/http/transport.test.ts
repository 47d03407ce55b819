import { getEventListeners, once } from 'node:events';
import http from 'node:http';
import net, { type LookupFunction, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readBody } from '../../src/http/body.ts';
import { createTransport, type HttpRequest, TimeoutError, type Transport } from '../../src/http/transport.ts';
import { portOf, startJudge } from '../support/judge.ts';

async function ask(transport: Transport, outgoing: HttpRequest): Promise<[number, string]> {
  const { status, body } = await transport(outgoing);
  return [status, (await readBody(body, 1_000_000)).bytes.toString('utf8')];
}

/** A server below HTTP: what it does with the n-th request of a connection is up to the test. */
async function startServer(onRequest: (socket: Socket, count: number) => void) {
  const sockets: Socket[] = [];
  const server = net.createServer(socket => {
    sockets.push(socket);
    let count = 0;
    socket.on('error', () => {});
    socket.on('data', () => onRequest(socket, ++count));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${portOf(server.address())}/`, sockets };
}

const answered = (socket: Socket): void => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');

describe('an exchange', () => {
  test('carries method, headers, body and path as they are given, and the answer as it comes', async () => {
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
    expect(await ask(transport, { url, method: 'HEAD' })).toEqual([207, '']);
    expect(seen).toEqual([
      ['PUT', '/a/../%2e?b=%41', '1', '6', 'héllo'],
      ['HEAD', '/a/../%2e?b=%41', undefined, undefined, ''],
    ]);
  });

  test('gives the body while it comes', async () => {
    const { url, sockets } = await startServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha');
    });
    const { body } = await createTransport({})({ url });
    const [first] = await once(body, 'data');
    sockets[0]?.write('lf');
    const [second] = await once(body, 'data');
    expect(`${first}|${second}`).toBe('ha|lf');
  });

  test.each([
    ['before the answer', () => {}],
    ['in the middle of it', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha')],
  ])('ends with the reason of its caller, %s', async (_, onRequest) => {
    const cancel = new AbortController();
    const { url, sockets } = await startServer(socket => {
      onRequest(socket);
      setImmediate(() => cancel.abort(new Error('no longer wanted')));
    });
    const run = async (): Promise<void> => {
      const { body } = await createTransport({})({ url, signal: cancel.signal });
      throw (await readBody(body, 100)).broken;
    };
    await expect(run()).rejects.toThrow('no longer wanted');
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  test.each([
    ['before the answer', () => {}],
    ['in the middle of it', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha')],
  ])('ends when its time is over, %s', async (_, onRequest) => {
    const { url, sockets } = await startServer(onRequest);
    const run = async (): Promise<void> => {
      const { body } = await createTransport({})({ url, timeoutMs: 100 });
      throw (await readBody(body, 100)).broken;
    };
    await expect(run()).rejects.toBeInstanceOf(TimeoutError);
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  test.each([
    ['that has ended', (body: Readable) => void body.resume(), { bytes: Buffer.alloc(0), broken: undefined }],
    ['that has broken off', (body: Readable) => void body.destroy(), { broken: expect.any(Error) }],
  ])('has a body %s before anybody reads it, and reading it has an end', async (_, act, read) => {
    const judge = await startJudge({ body: 'ok' });
    const { body } = await createTransport({})({ url: judge.origin });
    act(body);
    await once(body, 'close');
    expect(await readBody(body, 100)).toMatchObject(read);
  });

  test('lets go of its caller and its time when it is over', async () => {
    const judge = await startJudge({ body: 'ok' });
    const { signal } = new AbortController();
    const { body } = await createTransport({})({ url: judge.origin, signal, timeoutMs: 2 ** 31 - 1 });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await readBody(body, 100);
    await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('sends nothing when it was cancelled before', async () => {
    const judge = await startJudge();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(createTransport({})({ url: judge.origin, signal })).rejects.toThrow('too late');
    expect(judge.requests).toEqual([]);
  });
});

describe('a kept connection that the server closes', () => {
  /** The first request of each connection is answered, the second meets its end. */
  const closing = (end: (socket: Socket) => void) =>
    startServer((socket, count) => (count === 1 ? answered(socket) : end(socket)));

  test.each([
    ['an end', (socket: Socket) => void socket.end()],
    ['a reset', (socket: Socket) => void socket.resetAndDestroy()],
  ])('under the request, with %s: it is sent once more, on a new one', async (_, end) => {
    const { url, sockets } = await closing(end);
    const transport = createTransport({});
    for (let call = 0; call < 5; call++) expect(await ask(transport, { url })).toEqual([200, 'ok']);
    expect(sockets.length).toBeGreaterThan(2);
  });

  test('a body goes with it again', async () => {
    const bodies: string[] = [];
    const { url, sockets } = await startServer((socket, count) => (count === 1 ? answered(socket) : socket.end()));
    const transport = createTransport({});
    await ask(transport, { url });
    for (const socket of sockets) socket.on('data', chunk => bodies.push(chunk.toString()));
    expect(await ask(transport, { url, method: 'PUT', body: 'once more' })).toEqual([200, 'ok']);
    expect(bodies.join()).toContain('once more');
  });

  test('after a byte of the answer it is not sent again', async () => {
    const { url, sockets } = await closing(socket => socket.write('H', () => socket.destroy()));
    const transport = createTransport({});
    await ask(transport, { url });
    await expect(ask(transport, { url })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sockets).toHaveLength(1);
  });

  test('on a fresh connection it is not sent again', async () => {
    const { url, sockets } = await startServer(socket => socket.destroy());
    await expect(ask(createTransport({}), { url })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sockets).toHaveLength(1);
  });

  test('the second time is the last', async () => {
    let count = 0;
    const { url, sockets } = await startServer(socket => (++count === 1 ? answered(socket) : socket.destroy()));
    const transport = createTransport({});
    await ask(transport, { url });
    await expect(ask(transport, { url })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect([count, sockets.length]).toEqual([3, 2]);
  });

  test('what must not be repeated is sent once, on a connection of its own', async () => {
    let refused = 0;
    const { url, sockets } = await closing(socket => {
      refused++;
      socket.destroy();
    });
    const transport = createTransport({});
    await ask(transport, { url });
    expect(await ask(transport, { url, retryable: false })).toEqual([200, 'ok']);
    expect([refused, sockets.length]).toEqual([0, 2]);
  });

  test('the time is one for both', async () => {
    let count = 0;
    const { url } = await startServer(socket => {
      if (++count === 1) answered(socket);
      else if (count === 2) socket.destroy();
    });
    // On a busy machine it may be over before the second try.
    for (let timeoutMs = 100; count < 3; timeoutMs *= 2) {
      count = 0;
      const transport = createTransport({});
      await ask(transport, { url });
      await expect(ask(transport, { url, timeoutMs })).rejects.toBeInstanceOf(TimeoutError);
    }
    expect(count).toBe(3);
  });

  test('after a restart of the server no call fails (0 of 60)', async () => {
    const transport = createTransport({});
    const start = async (port: number) => {
      const server = http.createServer((_, response) => void response.end('ok'));
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return server;
    };
    let server = await start(0);
    const port = portOf(server.address());
    const url = `http://127.0.0.1:${port}/`;
    for (let round = 0; round < 60; round++) {
      await Promise.all([ask(transport, { url }), ask(transport, { url })]);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      server = await start(port);
      // In the same turn: nobody has told the transport yet that its connections are gone.
      expect(await ask(transport, { url })).toEqual([200, 'ok']);
    }
    server.close();
    server.closeAllConnections();
  });
});

describe('a host with two addresses', () => {
  const both: LookupFunction = (_, __, callback) => {
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  };

  /** What has come meanwhile is seen after 300 ms: longer than Node waits for an address. */
  const late: LookupFunction = (...args) => {
    both(...args);
    queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300));
  };

  test('of which only the slow first one leads anywhere is reached', async () => {
    const judge = await startJudge({ body: 'ok' });
    const url = `http://two.test:${new URL(judge.origin).port}/`;
    expect(await ask(createTransport({}, late), { url, retryable: false })).toEqual([200, 'ok']);
    expect(judge.requests).toHaveLength(1);
  });

  test('is waited for once: the next connection is made in haste again, and only then with patience', async () => {
    const judge = await startJudge({ body: 'ok' });
    const url = `http://two.test:${new URL(judge.origin).port}/`;
    let connections = 0;
    const counted: LookupFunction = (...args) => {
      connections++;
      late(...args);
    };
    const transport = createTransport({}, counted);
    for (const expected of [2, 4]) {
      expect(await ask(transport, { url, retryable: false })).toEqual([200, 'ok']);
      expect(connections).toBe(expected);
    }
  });

  test('is reached slowly also when a kept connection to it was lost, and the slow one is kept', async () => {
    const { url, sockets } = await startServer((socket, count) => (count === 1 ? answered(socket) : socket.end()));
    const two = url.replace('127.0.0.1', 'two.test');
    const transport = createTransport({}, late);
    for (let call = 0; call < 2; call++) expect(await ask(transport, { url: two })).toEqual([200, 'ok']);
    expect(sockets.filter(socket => socket.bytesRead > 0)).toHaveLength(2);
  });
});
