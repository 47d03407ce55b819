import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { readBody } from '../../../src/http/body.ts';
import type { HttpRequest, Transport } from '../../../src/http/transport.ts';
import { portOf } from '../../support/judge.ts';

/** Sends a request and returns the status and the body of the response. */
export async function send(transport: Transport, outgoing: HttpRequest): Promise<[number, string]> {
  const { status, body } = await transport(outgoing);
  return [status, (await readBody(body, 1_000_000)).bytes.toString('utf8')];
}

/** Starts a TCP server that passes each request to the test, with its number on that connection. */
export async function startTcpServer(onRequest: (socket: Socket, count: number) => void) {
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

export const respondOk = (socket: Socket): void => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
