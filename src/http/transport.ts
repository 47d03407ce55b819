import type http from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { type ConnectionMode, type Connections, type ConnectTimeout, openConnections } from './connections.ts';

/** One request, whatever it is for: the rules of whoever sends it are its own. */
export interface HttpRequest {
  /** The path goes out as it stands here, without the normalising that `URL` does. */
  url: string;
  /** GET unless said otherwise. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
  /** Ends it, with its own reason, until the last byte of the answer has been read. */
  signal?: AbortSignal;
  /** So much time for everything, to the last byte of the answer; then it ends with `TimeoutError`. */
  timeoutMs?: number;
  /** Told when the request has left: from here on there is time until the answer comes. */
  onSent?: (() => void) | undefined;
  /** False where being carried out twice would harm: such a request gets a connection of its own and is sent once. */
  retryable?: boolean;
}

export interface HttpResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** As it came over the wire. Read it to its end or destroy it: until then it keeps its connection. */
  body: Readable;
}

export type Transport = (outgoing: HttpRequest) => Promise<HttpResponse>;

/** The host did answer, with something that cannot be read. */
export class UnreadableResponse extends Error {}

/** The time of a request was over. */
export class TimeoutError extends Error {}

/** A proxy may add a lot to the headers; beyond this it is an attack. */
const maxHeaderSize = 65_536;

/**
 * HTTP on node:http, because the platform's `fetch` throws on status 407, rewrites `..` and `%2e%2e` in paths, follows
 * redirects by itself and costs several times as much. This follows nothing, decodes nothing and keeps connections. A
 * server may close one of those in the very moment it is used again: a request that is lost this way, before a byte of
 * its answer, is sent once more on a new one, as browsers and curl do it. Proxies are those that `env` names.
 */
export function createTransport(env: NodeJS.ProcessEnv, lookup?: LookupFunction): Transport {
  const opened = new Map<string, Promise<Connections>>();

  const connectionsOf = async (protocol: string): Promise<Connections> => {
    const connections = opened.get(protocol) ?? openConnections(protocol, env, lookup);
    opened.set(protocol, connections);
    return await connections;
  };

  return async outgoing => {
    const { protocol, hostname, port } = new URL(outgoing.url);
    const connections = await connectionsOf(protocol);
    const options = {
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: rawPath(outgoing.url),
      method: outgoing.method ?? 'GET',
      headers: outgoing.headers ?? {},
      maxHeaderSize,
    };
    const deadline = new Deadline(outgoing);
    if (deadline.reason !== undefined) throw deadline.reason.error;
    const attempt = async (mode: ConnectionMode, connectTimeout: ConnectTimeout): Promise<HttpResponse> => {
      const request = connections.request(mode, connectTimeout, options);
      if (outgoing.onSent !== undefined) request.once('finish', outgoing.onSent);
      request.end(outgoing.body);
      return await awaitResponse(request, deadline);
    };
    const send = async (mode: ConnectionMode): Promise<HttpResponse> =>
      await attempt(mode, 'short').catch(async (error: unknown) => {
        if (!isAddressTooSlow(error)) throw error;
        return await attempt(mode, 'long');
      });
    try {
      return await send(outgoing.retryable === false ? 'new' : 'reuse').catch(async (error: unknown) => {
        if (!(error instanceof ConnectionLost)) throw error;
        return await send('new');
      });
    } catch (error) {
      deadline.clear();
      throw error;
    }
  };
}

/** A kept connection had ended before it brought a byte of the answer. */
class ConnectionLost extends Error {}

/** No connection was made, so nothing was sent: this may be tried again whatever the request is. */
function isAddressTooSlow(error: unknown): boolean {
  return error instanceof AggregateError && error.errors.some(({ code }) => code === 'ETIMEDOUT');
}

/** What ends an exchange from our side: its time, or its caller. One for all that is sent for it. */
class Deadline {
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #abort = (): void => this.#end(this.#signal?.reason);
  #stop: ((reason: unknown) => void) | undefined;
  reason: { readonly error: unknown } | undefined;

  constructor({ signal, timeoutMs }: HttpRequest) {
    this.#signal = signal;
    if (signal?.aborted === true) this.#end(signal.reason);
    signal?.addEventListener('abort', this.#abort);
    if (timeoutMs === undefined) return;
    this.#timer = setTimeout(() => this.#end(new TimeoutError(`no answer within ${timeoutMs} ms`)), timeoutMs);
  }

  /** At once when it has come already. */
  onEnd(stop: (reason: unknown) => void): void {
    this.#stop = stop;
    if (this.reason !== undefined) stop(this.reason.error);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  #end(error: unknown): void {
    this.reason = { error };
    this.clear();
    this.#stop?.(error);
  }
}

function awaitResponse(request: http.ClientRequest, deadline: Deadline): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let bytesBefore = 0;
    let message: http.IncomingMessage | undefined;
    // Rejected by hand: a request that still waits for a name or a tunnel does not say that it was destroyed.
    deadline.onEnd(reason => {
      reject(reason);
      message?.destroy(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
      request.destroy();
    });
    request.on('socket', socket => {
      bytesBefore = socket.bytesRead;
    });
    request.on('error', error => {
      const isLost = request.reusedSocket && request.socket?.bytesRead === bytesBefore;
      reject(isLost ? new ConnectionLost(error.message, { cause: error }) : error);
    });
    request.on('close', () => {
      if (message === undefined) reject(new Error('the connection was closed without an answer'));
      else deadline.clear();
    });
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new UnreadableResponse('it wants to change the protocol'));
    });
    request.on('response', response => {
      message = response;
      const status = response.statusCode ?? 0;
      if (status >= 200 && status <= 599) {
        resolve({ status, headers: response.headers, body: response });
        return;
      }
      response.destroy();
      reject(new UnreadableResponse(`its status is ${status}`));
    });
  });
}

/** Everything behind the origin, without the normalising that `URL` does. */
function rawPath(url: string): string {
  const path = url
    .slice(url.indexOf('//') + 2)
    .replace(/^[^/?#]*/, '')
    .replace(/#.*$/s, '');
  return path.startsWith('/') ? path : `/${path}`;
}
