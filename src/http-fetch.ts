import http from 'node:http';
import https from 'node:https';
import { pipeline, type Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { Fetch } from './request.ts';

/** The host did answer, with something that cannot be read. */
export class UnreadableAnswer extends Error {}

/** A proxy may add a lot to the headers; beyond this it is an attack. */
const maxHeaderSize = 65_536;

/**
 * `fetch` on node:http, because the platform's own throws on status 407, rewrites `..` and `%2e%2e` in paths and
 * follows redirects by itself. It sends the path as it stands, follows nothing and decodes what comes encoded.
 * Nothing is sent twice, so a request that meets a connection the server is just closing fails: idle connections
 * are closed before common servers close theirs.
 */
export function createHttpFetch(): Fetch {
  const agentOptions = { keepAlive: true, timeout: 4000 };
  const clients = {
    'http:': { module: http, agent: new http.Agent(agentOptions) },
    'https:': { module: https, agent: new https.Agent(agentOptions) },
  };

  return (url, init) =>
    new Promise((resolve, reject) => {
      const { protocol, hostname, port } = new URL(url);
      if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`cannot fetch ${protocol} addresses`);
      const { module, agent } = clients[protocol];
      const request = module.request({
        agent,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        path: rawPath(url),
        headers: Object.fromEntries(init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)),
        maxHeaderSize,
      });
      // Node's own `signal` option watches three streams for the end of the request, at ten times the cost.
      const abort = (): void => void request.destroy(new DOMException('This operation was aborted', 'AbortError'));
      init?.signal?.addEventListener('abort', abort);
      if (init?.signal?.aborted === true) abort();
      request.on('error', reject);
      request.on('close', () => {
        init?.signal?.removeEventListener('abort', abort);
        reject(new Error('the connection was closed without an answer')); // no effect once there is one
      });
      request.on('upgrade', (_, socket) => {
        socket.destroy();
        reject(new UnreadableAnswer('it wants to change the protocol'));
      });
      request.on('response', message => {
        try {
          resolve(toResponse(message));
        } catch (error) {
          message.destroy();
          reject(error);
        }
      });
      request.end();
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

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(message: http.IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) throw new UnreadableAnswer(`its status is ${status}`);
  const headers = new Headers();
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    headers.append(message.rawHeaders[index] ?? '', message.rawHeaders[index + 1] ?? '');
  }
  const body = withoutBody.has(status) ? undefined : decoded(message, headers.get('content-encoding') ?? '');
  if (body !== undefined) return new Response(toWebStream(body), { status, headers });
  message.resume();
  return new Response(null, { status, headers });
}

/** Undefined when it is an error status in an encoding we do not have: the status is answer enough. */
function decoded(message: http.IncomingMessage, encodings: string): Readable | undefined {
  let stream: Readable = message;
  for (const encoding of encodings.toLowerCase().split(',').reverse()) {
    const name = encoding.trim();
    if (name === '' || name === 'identity') continue;
    const decoder = createDecoder(name);
    if (decoder === undefined) {
      if (message.statusCode !== undefined && message.statusCode >= 400) return undefined;
      throw new UnreadableAnswer(`its content-encoding is ${JSON.stringify(name)}`);
    }
    // Errors of either end come out of the decoder, which is what is read.
    stream = pipeline(stream, decoder, () => {});
  }
  return stream;
}

function createDecoder(encoding: string): Transform | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      return undefined;
  }
}

/** Cancelling the result closes the connection: what is not wanted is not received either. */
function toWebStream(stream: Readable): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let isOver = false;
      stream.on('data', (chunk: Buffer) => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) stream.pause();
      });
      stream.on('end', () => {
        isOver = true;
        controller.close();
      });
      stream.on('error', error => {
        isOver = true;
        controller.error(error);
      });
      stream.on('close', () => {
        if (!isOver) controller.error(new Error('the connection was closed too early'));
      });
    },
    pull() {
      stream.resume();
    },
    cancel() {
      stream.removeAllListeners('close').destroy();
    },
  });
}
