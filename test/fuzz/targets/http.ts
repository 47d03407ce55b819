import net from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Failure } from '../../../src/errors/failure.ts';
import { createRequestFunction } from '../../../src/http/request.ts';
import { createTransport } from '../../../src/http/transport.ts';
import { originOf } from '../loopback.ts';
import { defineTarget } from '../target.ts';

let response: Buffer = Buffer.alloc(0);
/**
 * The server responds to the first request of each connection with the input of the fuzz target, and closes the
 * connection.
 */
const server = net.createServer(socket => {
  socket.on('error', () => {}); // the client resets connections whose responses it rejects
  socket.once('data', () => socket.end(response));
});
const origin = originOf(server);

const send = createRequestFunction({
  transport: createTransport({}),
  token: undefined,
  advice: { rejected: () => 'Get a token.', unreachable: 'Check the network.', moved: next => `Use ${next}.` },
  deadlineMs: 60_000,
});

/**
 * Two parts of the message are replaced, because they depend on timing: which of several decoder threads fails first,
 * and whether the closed connection is reported as ECONNRESET or as an early end.
 */
const brokenBody = /(?:ended its response early|sent a compressed response that cannot be read): .*/s;

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const packed = (encoding: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${head}Content-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`), body]);

export const target = defineTarget({
  name: 'http',
  corpus: [
    `${head}Content-Length: 8\r\n\r\n{"a":"x"}`,
    `${head}Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n4;x=y\r\n:[1}\r\n0\r\nX: y\r\n\r\n`,
    `${head}\r\n{"a":"\\ud800"}`,
    packed('gzip', gzipSync('{"a":1}')),
    packed('gzip, br', brotliCompressSync(gzipSync('{"a":1}'))),
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\n\r\n{"title":"x","detail":"y","status":404}',
    'HTTP/1.1 302 Found\r\nLocation: /again\r\n\r\n',
    'HTTP/1.0 202 Accepted\r\nRetry-After: 5\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
  dictionary: [
    ...'HTTP/1.1 |200 OK|204|302 Found|401|500|\r\n|\r\n\r\n|Content-Length: |Transfer-Encoding: chunked'.split('|'),
    ...'Content-Encoding: |gzip|br|deflate|Connection: |close|keep-alive|Location: |//x|http://[|0\r\n\r\n'.split('|'),
    ...'ffffffff|-1|Upgrade: h2c|: |\n |{"title":"x"}|Content-Type: text/html|identity'.split('|'),
  ],
  mutations: 400,
  async run(bytes) {
    response = bytes;
    const outcome = await send(`${await origin}/`, new AbortController().signal).catch((error: unknown) => error);
    if (!(outcome instanceof Error)) return outcome;
    if (!(outcome instanceof Failure)) throw outcome;
    return [outcome.message.replace(brokenBody, 'sent a body that is broken'), outcome.hint];
  },
});
