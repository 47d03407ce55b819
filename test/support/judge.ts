import http, { type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A response of the loopback backend is a JSON value, or a function of the test that writes it. */
export type Reply =
  | { status?: number; type?: string; json: unknown }
  | { status?: number; type?: string; body: string | Buffer }
  | ((response: ServerResponse) => void);

export interface Judge {
  origin: string;
  /** Contains the raw request targets and headers, in the order of arrival. */
  requests: { target: string; headers: IncomingHttpHeaders }[];
  /** Counts the clients that disconnected before their response was complete. */
  aborted: number;
  /** The backend sends this response to every following request. */
  reply: Reply;
}

/** Starts a loopback server in place of the backend. It ends with the test. */
export async function startJudge(
  reply: Reply = { json: {} },
  certificate?: { cert: string; key: string },
): Promise<Judge> {
  const judge: Judge = { origin: '', requests: [], aborted: 0, reply };
  const answer: RequestListener = (request, response) => {
    judge.requests.push({ target: request.url ?? '', headers: request.headers });
    response.on('close', () => {
      if (!response.writableFinished) judge.aborted++;
    });
    sendReply(response, judge.reply);
  };
  const options = { maxHeaderSize: 65_536 };
  const server =
    certificate === undefined
      ? http.createServer(options, answer)
      : https.createServer({ ...options, ...certificate }, answer);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  judge.origin = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${portOf(server.address())}`;
  return judge;
}

export function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
}

export function sendReply(response: ServerResponse, reply: Reply): void {
  if (typeof reply === 'function') {
    reply(response);
    return;
  }
  const isJson = 'json' in reply;
  const type = reply.type ?? (isJson ? 'application/json' : undefined);
  response.writeHead(reply.status ?? 200, type === undefined ? {} : { 'content-type': type });
  response.end(isJson ? JSON.stringify(reply.json) : reply.body);
}
