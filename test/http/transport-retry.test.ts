import dns from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TimeoutError } from '../../src/http/deadline.ts';
import { createTransport } from '../../src/http/transport.ts';
import { portOf, startJudge } from '../support/judge.ts';
import { respondOk, send, startTcpServer } from './support/tcp-server.ts';

describe('the transport, after the server has closed a connection,', () => {
  /** Responds to the first request of each connection. At the second request it closes the connection. */
  const closing = (end: (socket: Socket) => void) =>
    startTcpServer((socket, count) => (count === 1 ? respondOk(socket) : end(socket)));

  test.each([
    ['FIN', (socket: Socket) => void socket.end()],
    ['RST', (socket: Socket) => void socket.resetAndDestroy()],
  ])('opens a new connection and retries the request after %s', async (_, end) => {
    const { url, sockets } = await closing(end);
    const transport = createTransport({});
    for (let call = 0; call < 5; call++) expect(await send(transport, { url })).toEqual([200, 'ok']);
    expect(sockets.length).toBeGreaterThan(2);
  });

  test('sends the request body again with the retry', async () => {
    const bodies: string[] = [];
    const { url, sockets } = await startTcpServer((socket, count) => (count === 1 ? respondOk(socket) : socket.end()));
    const transport = createTransport({});
    await send(transport, { url });
    for (const socket of sockets) socket.on('data', chunk => bodies.push(chunk.toString()));
    expect(await send(transport, { url, method: 'PUT', body: 'request body' })).toEqual([200, 'ok']);
    expect(bodies.join()).toContain('request body');
  });

  test('does not retry after the first byte of the response', async () => {
    const { url, sockets } = await closing(socket => socket.write('H', () => socket.destroy()));
    const transport = createTransport({});
    await send(transport, { url });
    await expect(send(transport, { url })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sockets).toHaveLength(1);
  });

  test('does not retry a request that was sent on a new connection', async () => {
    const { url, sockets } = await startTcpServer(socket => socket.destroy());
    await expect(send(createTransport({}), { url })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sockets).toHaveLength(1);
  });

  test('retries a request on a reused connection at most once', async () => {
    let count = 0;
    const { url, sockets } = await startTcpServer(socket => (++count === 1 ? respondOk(socket) : socket.destroy()));
    const transport = createTransport({});
    await send(transport, { url });
    await expect(send(transport, { url })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect([count, sockets.length]).toEqual([3, 2]);
  });

  test('opens a new connection for a request that is not retryable', async () => {
    let refused = 0;
    const { url, sockets } = await closing(socket => {
      refused++;
      socket.destroy();
    });
    const transport = createTransport({});
    await send(transport, { url });
    expect(await send(transport, { url, retryable: false })).toEqual([200, 'ok']);
    expect([refused, sockets.length]).toEqual([0, 2]);
  });

  test('does not restart the time limit for the retry', async () => {
    let count = 0;
    const { url } = await startTcpServer(socket => {
      if (++count === 1) respondOk(socket);
      else if (count === 2) socket.destroy();
    });
    // The time limit is doubled until the retry happens, because on a busy machine it can pass before the retry.
    for (let timeoutMs = 100; count < 3; timeoutMs *= 2) {
      count = 0;
      const transport = createTransport({});
      await send(transport, { url });
      await expect(send(transport, { url, timeoutMs })).rejects.toBeInstanceOf(TimeoutError);
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
      await Promise.all([send(transport, { url }), send(transport, { url })]);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      server = await start(port);
      // This request is sent in the same turn of the event loop, so that the transport does not know yet that its
      // connections are closed.
      expect(await send(transport, { url })).toEqual([200, 'ok']);
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
    expect(await send(createTransport({}), { url, retryable: false })).toEqual([200, 'ok']);
    expect(judge.requests).toHaveLength(1);
  });

  test('tries the short connect timeout first for each new connection', async () => {
    const judge = await startJudge({ body: 'ok' });
    const url = `http://two.test:${new URL(judge.origin).port}/`;
    useSlowLookup();
    const transport = createTransport({});
    for (const expected of [2, 4]) {
      expect(await send(transport, { url, retryable: false })).toEqual([200, 'ok']);
      expect(lookups).toBe(expected);
    }
  });

  test('uses the long connect timeout after a reused connection was lost', async () => {
    const { url, sockets } = await startTcpServer((socket, count) => (count === 1 ? respondOk(socket) : socket.end()));
    useSlowLookup();
    const two = url.replace('127.0.0.1', 'two.test');
    const transport = createTransport({});
    for (let call = 0; call < 2; call++) expect(await send(transport, { url: two })).toEqual([200, 'ok']);
    expect(sockets.filter(socket => socket.bytesRead > 0)).toHaveLength(2);
  });
});
