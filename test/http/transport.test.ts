import diagnostics from 'node:diagnostics_channel';
import dns from 'node:dns';
import { getEventListeners, once } from 'node:events';
import http from 'node:http';
import net, { type LookupFunction, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readBody } from '../../src/http/body.ts';
import { TimeoutError } from '../../src/http/deadline.ts';
import {
  createTransport,
  type HttpRequest,
  type Transport,
  UnreadableResponseError,
} from '../../src/http/transport.ts';
import { isRecord } from '../../src/text/json.ts';
import { portOf, startJudge } from '../support/judge.ts';

async function ask(transport: Transport, outgoing: HttpRequest): Promise<[number, string]> {
  const { status, body } = await transport(outgoing);
  return [status, (await readBody(body, 1_000_000)).bytes.toString('utf8')];
}

/** Starts a TCP server that passes each request to the test, with its number on that connection. */
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
    expect(await ask(transport, { url, method: 'HEAD' })).toEqual([207, '']);
    expect(seen).toEqual([
      ['PUT', '/a/../%2e?b=%41', '1', '6', 'héllo'],
      ['HEAD', '/a/../%2e?b=%41', undefined, undefined, ''],
    ]);
  });

  test('returns the body as a stream before it is complete', async () => {
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
    ['before the response', () => {}],
    ['during the body', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha')],
  ])('rejects with the abort reason when the signal is aborted %s', async (_, onRequest) => {
    const cancel = new AbortController();
    const { url, sockets } = await startServer(socket => {
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
    const { url, sockets } = await startServer(onRequest);
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
});

describe('the transport, after the server has closed a connection,', () => {
  /** Responds to the first request of each connection. At the second request it closes the connection. */
  const closing = (end: (socket: Socket) => void) =>
    startServer((socket, count) => (count === 1 ? answered(socket) : end(socket)));

  test.each([
    ['FIN', (socket: Socket) => void socket.end()],
    ['RST', (socket: Socket) => void socket.resetAndDestroy()],
  ])('opens a new connection and retries the request after %s', async (_, end) => {
    const { url, sockets } = await closing(end);
    const transport = createTransport({});
    for (let call = 0; call < 5; call++) expect(await ask(transport, { url })).toEqual([200, 'ok']);
    expect(sockets.length).toBeGreaterThan(2);
  });

  test('sends the request body again with the retry', async () => {
    const bodies: string[] = [];
    const { url, sockets } = await startServer((socket, count) => (count === 1 ? answered(socket) : socket.end()));
    const transport = createTransport({});
    await ask(transport, { url });
    for (const socket of sockets) socket.on('data', chunk => bodies.push(chunk.toString()));
    expect(await ask(transport, { url, method: 'PUT', body: 'request body' })).toEqual([200, 'ok']);
    expect(bodies.join()).toContain('request body');
  });

  test('does not retry after the first byte of the response', async () => {
    const { url, sockets } = await closing(socket => socket.write('H', () => socket.destroy()));
    const transport = createTransport({});
    await ask(transport, { url });
    await expect(ask(transport, { url })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sockets).toHaveLength(1);
  });

  test('does not retry a request that was sent on a new connection', async () => {
    const { url, sockets } = await startServer(socket => socket.destroy());
    await expect(ask(createTransport({}), { url })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sockets).toHaveLength(1);
  });

  test('retries a request on a reused connection at most once', async () => {
    let count = 0;
    const { url, sockets } = await startServer(socket => (++count === 1 ? answered(socket) : socket.destroy()));
    const transport = createTransport({});
    await ask(transport, { url });
    await expect(ask(transport, { url })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect([count, sockets.length]).toEqual([3, 2]);
  });

  test('opens a new connection for a request that is not retryable', async () => {
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

  test('does not restart the time limit for the retry', async () => {
    let count = 0;
    const { url } = await startServer(socket => {
      if (++count === 1) answered(socket);
      else if (count === 2) socket.destroy();
    });
    // The time limit is doubled until the retry happens, because on a busy machine it can pass before the retry.
    for (let timeoutMs = 100; count < 3; timeoutMs *= 2) {
      count = 0;
      const transport = createTransport({});
      await ask(transport, { url });
      await expect(ask(transport, { url, timeoutMs })).rejects.toBeInstanceOf(TimeoutError);
    }
    expect(count).toBe(3);
  });

  test('loses no request when the server restarts, in each of 60 rounds', async () => {
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
      // This request is sent in the same turn of the event loop, so that the transport does not know yet that its
      // connections are closed.
      expect(await ask(transport, { url })).toEqual([200, 'ok']);
    }
    server.close();
    server.closeAllConnections();
  });
});

describe('the transport for a host with two addresses', () => {
  let lookups = 0;

  /** Resolves every name to two addresses and then blocks for 300 ms, longer than the short connect timeout. */
  const slowLookup: LookupFunction = (_, __, callback) => {
    lookups++;
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300));
  };

  /** Replaces the system's resolver, because no public name has these two addresses. */
  function useSlowLookup(): void {
    lookups = 0;
    const original = Object.getOwnPropertyDescriptor(dns, 'lookup') ?? {};
    Object.defineProperty(dns, 'lookup', { ...original, value: slowLookup });
    onTestFinished(() => void Object.defineProperty(dns, 'lookup', original));
  }

  test('connects with the long timeout when only the slow first address works', async () => {
    const judge = await startJudge({ body: 'ok' });
    const url = `http://two.test:${new URL(judge.origin).port}/`;
    useSlowLookup();
    expect(await ask(createTransport({}), { url, retryable: false })).toEqual([200, 'ok']);
    expect(judge.requests).toHaveLength(1);
  });

  test('tries the short connect timeout first for each new connection', async () => {
    const judge = await startJudge({ body: 'ok' });
    const url = `http://two.test:${new URL(judge.origin).port}/`;
    useSlowLookup();
    const transport = createTransport({});
    for (const expected of [2, 4]) {
      expect(await ask(transport, { url, retryable: false })).toEqual([200, 'ok']);
      expect(lookups).toBe(expected);
    }
  });

  test('uses the long connect timeout after a reused connection was lost', async () => {
    const { url, sockets } = await startServer((socket, count) => (count === 1 ? answered(socket) : socket.end()));
    useSlowLookup();
    const two = url.replace('127.0.0.1', 'two.test');
    const transport = createTransport({});
    for (let call = 0; call < 2; call++) expect(await ask(transport, { url: two })).toEqual([200, 'ok']);
    expect(sockets.filter(socket => socket.bytesRead > 0)).toHaveLength(2);
  });
});

describe('the transport', () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  const final = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  test('ignores up to 16 informational (1xx) responses before the final response', async () => {
    const { url } = await startServer(socket => socket.write(early.repeat(16) + final));
    expect(await ask(createTransport({}), { url })).toEqual([200, 'ok']);
  });

  test('rejects the response as unreadable after the 17th informational response', async () => {
    const { url } = await startServer(socket => socket.write(early.repeat(17) + final));
    await expect(ask(createTransport({}), { url })).rejects.toBeInstanceOf(UnreadableResponseError);
  });

  test('ends the connection when the stream of informational responses is endless', async () => {
    const { url, sockets } = await startServer(socket => {
      const writeMore = (): void => void (socket.destroyed || socket.write(early.repeat(100), writeMore));
      writeMore();
    });
    await expect(ask(createTransport({}), { url })).rejects.toThrow('more than 16 informational responses');
    await expect.poll(() => sockets.map(socket => socket.destroyed)).toEqual([true]);
  });
});

describe('the connection limit of the transport (64 per origin)', () => {
  /** Starts a server that responds only when the test releases the response. */
  async function startHeldServer() {
    const held: { target: string; respond: () => void }[] = [];
    const server = http.createServer((request, response) => {
      held.push({ target: request.url ?? '', respond: () => void response.end('ok') });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${portOf(server.address())}`, held };
  }

  /** Counts the open sockets in the client, because the server sees the end of a connection later. */
  function countSockets(): { most: number } {
    const count = { most: 0 };
    const sockets = new Set<Socket>();
    const onSocket = (message: unknown): void => {
      if (!isRecord(message) || !(message['socket'] instanceof net.Socket)) return;
      sockets.add(message['socket']);
      for (const socket of sockets) if (socket.destroyed) sockets.delete(socket);
      count.most = Math.max(count.most, sockets.size);
    };
    diagnostics.subscribe('net.client.socket', onSocket);
    onTestFinished(() => void diagnostics.unsubscribe('net.client.socket', onSocket));
    return count;
  }

  const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

  test('queues all further requests and sends them in the order of their calls', async () => {
    const sockets = countSockets();
    const { url, held } = await startHeldServer();
    const transport = createTransport({});
    const calls = range(100).map(index => ask(transport, { url: `${url}/${index}` }));
    await expect.poll(() => held.length).toBe(64);
    for (const index of range(36)) {
      held[index]?.respond();
      await expect.poll(() => held.length).toBe(65 + index);
    }
    for (const { respond } of held.slice(36)) respond();
    expect(await Promise.all(calls)).toEqual(range(100).map(() => [200, 'ok']));
    expect(held.slice(64).map(({ target }) => target)).toEqual(range(36).map(index => `/${index + 64}`));
    expect(sockets.most).toBe(64);
  });

  test('applies to idle connections and to connections that are not reused', async () => {
    const sockets = countSockets();
    const { url, held } = await startHeldServer();
    const transport = createTransport({});
    const respondToAll = async (calls: Promise<unknown>[]): Promise<void> => {
      for (let responses = 0; responses < calls.length; responses++) {
        await expect.poll(() => held.length).toBeGreaterThan(0);
        held.shift()?.respond();
      }
      await Promise.all(calls);
    };
    await respondToAll(range(64).map(() => ask(transport, { url })));
    await respondToAll(range(200).map(index => ask(transport, { url, retryable: index % 2 === 0 })));
    expect(sockets.most).toBe(64);
  });

  test('lets a cancelled request leave the queue without being sent', async () => {
    const { url, held } = await startHeldServer();
    const transport = createTransport({});
    const calls = range(64).map(() => ask(transport, { url: `${url}/first` }));
    const cancel = new AbortController();
    const cancelled = ask(transport, { url: `${url}/cancelled`, signal: cancel.signal });
    const last = ask(transport, { url: `${url}/last` });
    await expect.poll(() => held.length).toBe(64);
    cancel.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    held.shift()?.respond();
    await expect.poll(() => held.at(-1)?.target).toBe('/last');
    for (const { respond } of held) respond();
    await Promise.all([...calls, last]);
  });

  test('counts the time in the queue towards the time limit of a request', async () => {
    const { url, held } = await startHeldServer();
    const transport = createTransport({});
    const calls = range(64).map(() => ask(transport, { url }));
    await expect(ask(transport, { url, timeoutMs: 10 })).rejects.toBeInstanceOf(TimeoutError);
    await expect.poll(() => held.length).toBe(64);
    for (const { respond } of held) respond();
    await Promise.all(calls);
    expect(held).toHaveLength(64);
  });
});
