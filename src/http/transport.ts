import type http from 'node:http';
import type { Readable } from 'node:stream';
import { ConnectionSlots } from './connection-slots.ts';
import { type ConnectionMode, type ConnectTimeout, type HttpConnections, openHttpConnections } from './connections.ts';
import { Deadline, type DeadlineOptions } from './deadline.ts';

/** A request for the transport. The caller handles redirects, tokens and error statuses. */
export interface HttpRequest extends DeadlineOptions {
  /** The path is sent exactly as given, without the normalization of `URL`. */
  url: string;
  /** The default method is GET. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
  /** Called when the request has been sent, before the response arrives. */
  onSent?: (() => void) | undefined;
  /** False if sending the request twice does harm. The transport uses a new connection for it and never retries it. */
  retryable?: boolean;
}

export interface HttpResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The encoded body. It occupies a connection until the caller has read it to its end or destroyed it. */
  body: Readable;
}

export type Transport = (request: HttpRequest) => Promise<HttpResponse>;

/** Thrown if the host sent a response that cannot be parsed. */
export class UnreadableResponseError extends Error {}

/**
 * Limits the size of the response headers. The limit leaves room for the headers of several proxies, and a longer
 * header is an attack.
 */
const maxHeaderSize = 65_536;

/**
 * Limits the number of informational responses (100, 103). Servers send one or two, and an endless stream of them would
 * occupy the parser until the deadline.
 */
const maxInformationalResponses = 16;

/**
 * Limits the connections to one origin. More of them would exhaust the ports and file descriptors of small machines,
 * and servers refuse them.
 */
const maxConnectionsPerOrigin = 64;

/**
 * Sends HTTP requests with node:http, because the platform's `fetch` throws on status 407, rewrites paths, follows
 * redirects and costs several times the CPU. A server may close a connection when it is reused, so that a request that
 * fails before the first byte of the response is retried once on a new connection.
 */
export function createTransport(env: NodeJS.ProcessEnv): Transport {
  const connectionsByProtocol = new Map<string, Promise<HttpConnections>>();
  const slotsByOrigin = new Map<string, ConnectionSlots>();

  const connectionsOf = async (protocol: string): Promise<HttpConnections> => {
    const connections =
      connectionsByProtocol.get(protocol) ?? openHttpConnections(protocol, env, maxConnectionsPerOrigin);
    connectionsByProtocol.set(protocol, connections);
    return await connections;
  };

  const acquireSlot = async (origin: string, deadline: Deadline): Promise<() => void> => {
    const slots = slotsByOrigin.get(origin) ?? new ConnectionSlots(maxConnectionsPerOrigin);
    slotsByOrigin.set(origin, slots);
    const release = await slots.acquire(deadline);
    return () => {
      release();
      if (slots.isIdle) slotsByOrigin.delete(origin);
    };
  };

  return async outgoing => {
    const { origin, protocol } = new URL(outgoing.url);
    const connections = await connectionsOf(protocol);
    const deadline = new Deadline(outgoing);
    if (deadline.ended !== undefined) throw deadline.ended.reason;
    let release = (): void => {};
    const finish = (): void => {
      deadline.clear();
      release();
    };
    try {
      release = await acquireSlot(origin, deadline);
      return await sendWithRetries(connections, outgoing, deadline, finish);
    } catch (error) {
      finish();
      throw error;
    }
  };
}

async function sendWithRetries(
  connections: HttpConnections,
  outgoing: HttpRequest,
  deadline: Deadline,
  onClose: () => void,
): Promise<HttpResponse> {
  const options = requestOptions(outgoing);
  const attempt = async (mode: ConnectionMode, connectTimeout: ConnectTimeout): Promise<HttpResponse> => {
    const request = connections.request(mode, connectTimeout, options);
    if (outgoing.onSent !== undefined) request.once('finish', outgoing.onSent);
    request.end(outgoing.body);
    return await awaitResponse(request, deadline, onClose);
  };
  const send = async (mode: ConnectionMode): Promise<HttpResponse> =>
    await attempt(mode, 'short').catch(async (error: unknown) => {
      if (!isConnectTimeout(error)) throw error;
      return await attempt(mode, 'long');
    });
  return await send(outgoing.retryable === false ? 'new' : 'reuse').catch(async (error: unknown) => {
    if (!(error instanceof ConnectionLost)) throw error;
    return await send('new');
  });
}

function requestOptions({ url, method = 'GET', headers = {} }: HttpRequest): http.RequestOptions {
  const { hostname, port, protocol } = new URL(url);
  return {
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port || defaultPorts[protocol],
    path: rawPath(url),
    method,
    headers,
    maxHeaderSize,
  };
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Thrown when a reused connection closed before the first byte of the response. */
class ConnectionLost extends Error {}

/**
 * Returns whether all connection attempts timed out. In this case no data was sent, so that every request can be
 * retried.
 */
function isConnectTimeout(error: unknown): boolean {
  return error instanceof AggregateError && error.errors.some(({ code }) => code === 'ETIMEDOUT');
}

/** The promise resolves with the response. `onClose` is called when the response has released its connection. */
function awaitResponse(request: http.ClientRequest, deadline: Deadline, onClose: () => void): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let bytesReadBefore = 0;
    let message: http.IncomingMessage | undefined;
    // The deadline itself rejects the promise, because a request that waits for DNS or a proxy tunnel emits no event
    // when it is destroyed.
    deadline.onEnd(reason => {
      reject(reason);
      message?.destroy(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
      request.destroy();
    });
    request.on('socket', socket => {
      bytesReadBefore = socket.bytesRead;
    });
    request.on('error', error => {
      const isLost = request.reusedSocket && request.socket?.bytesRead === bytesReadBefore;
      reject(isLost ? new ConnectionLost(error.message, { cause: error }) : error);
    });
    request.on('close', () => {
      if (message === undefined) reject(new Error('the connection was closed without a response'));
      else onClose();
    });
    rejectUnusualResponses(request, reject);
    request.on('response', response => {
      message = response;
      const status = response.statusCode ?? 0;
      if (status >= 200 && status <= 599) {
        resolve({ status, headers: response.headers, body: response });
        return;
      }
      response.destroy();
      reject(new UnreadableResponseError(`the status ${status} is not valid`));
    });
  });
}

function rejectUnusualResponses(request: http.ClientRequest, reject: (error: UnreadableResponseError) => void): void {
  let informationalResponses = 0;
  request.on('information', () => {
    if (++informationalResponses <= maxInformationalResponses) return;
    reject(new UnreadableResponseError(`the host sent more than ${maxInformationalResponses} informational responses`));
    request.destroy();
  });
  request.on('upgrade', (_, socket) => {
    socket.destroy();
    reject(new UnreadableResponseError('the response switches to another protocol (status 101)'));
  });
}

/** Returns the path and query of a URL, without the normalization of `URL`. */
function rawPath(url: string): string {
  const path = url
    .slice(url.indexOf('//') + 2)
    .replace(/^[^/?#]*/, '')
    .replace(/#.*$/s, '');
  return path.startsWith('/') ? path : `/${path}`;
}
