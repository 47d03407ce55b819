import http from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import zlib from 'node:zlib';
import type { Fetch } from './request.ts';

/**
 * `fetch` on node:http, because the platform's own throws on status 407, rewrites `..` and `%2e%2e` in paths and
 * follows redirects by itself. It sends the path as it stands, follows nothing and decodes what comes encoded.
 * Idle connections are closed before common servers close theirs, so that no request meets a dying one.
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
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(init?.signal && { signal: init.signal }),
      });
      request.on('error', reject);
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
  const headers = new Headers();
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    headers.append(message.rawHeaders[index] ?? '', message.rawHeaders[index + 1] ?? '');
  }
  if (withoutBody.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  return new Response(toWebStream(decoded(message, headers.get('content-encoding'))), { status, headers });
}

function decoded(message: http.IncomingMessage, encoding: string | null): Readable {
  const decoder = createDecoder(encoding?.trim().toLowerCase() ?? 'identity');
  // Errors of either end come out of the decoder, which is what is read.
  return decoder === undefined ? message : pipeline(message, decoder, () => {});
}

function createDecoder(encoding: string): zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress | undefined {
  switch (encoding) {
    case 'identity':
    case '':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      throw new TypeError(`cannot decode content-encoding ${JSON.stringify(encoding)}`);
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
