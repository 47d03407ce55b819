import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TimeoutError } from '../../src/http/deadline.ts';
import { createTransport } from '../../src/http/transport.ts';
import { isRecord } from '../../src/text/json.ts';
import { portOf } from '../support/judge.ts';
import { send } from './support/tcp-server.ts';

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
    const calls = range(100).map(index => send(transport, { url: `${url}/${index}` }));
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
    await respondToAll(range(64).map(() => send(transport, { url })));
    await respondToAll(range(200).map(index => send(transport, { url, retryable: index % 2 === 0 })));
    expect(sockets.most).toBe(64);
  });

  test('lets a cancelled request leave the queue without being sent', async () => {
    const { url, held } = await startHeldServer();
    const transport = createTransport({});
    const calls = range(64).map(() => send(transport, { url: `${url}/first` }));
    const cancel = new AbortController();
    const cancelled = send(transport, { url: `${url}/cancelled`, signal: cancel.signal });
    const last = send(transport, { url: `${url}/last` });
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
    const calls = range(64).map(() => send(transport, { url }));
    await expect(send(transport, { url, timeoutMs: 10 })).rejects.toBeInstanceOf(TimeoutError);
    await expect.poll(() => held.length).toBe(64);
    for (const { respond } of held) respond();
    await Promise.all(calls);
    expect(held).toHaveLength(64);
  });
});
