import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';
import { createRequestFunction } from '../../src/http/request.ts';
import { portOf } from '../support/judge.ts';
import * as fc from '../support/property.ts';
import { network, never } from '../support/requests.ts';

const record = Buffer.from(JSON.stringify({ a: 'x'.repeat(3000) }));

const body = fc.oneof(
  fc.constantFrom(record, gzipSync(record), brotliCompressSync(gzipSync(record)), Buffer.alloc(0)),
  fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
);
const fields = fc.subarray([
  'Content-Type: application/json',
  'Content-Encoding: gzip',
  'Content-Encoding: gzip, br',
  'Content-Encoding: zstd',
  'Content-Length: 5',
  'Content-Length: 3000',
  'Content-Length: -1',
  'Transfer-Encoding: chunked',
  'Connection: close',
  'Connection: upgrade',
  'Keep-Alive: timeout=0',
  'Upgrade: websocket',
  'Location: /again',
  'Location: http://[',
  `X: ${'y'.repeat(70_000)}`,
  ': :',
]);
const status = fc.constantFrom(
  '200 OK',
  '200 OK',
  '202',
  '204',
  '302 Found',
  '404 No',
  '500',
  '101',
  '103',
  '600',
  'abc',
);
const answer = fc
  .tuple(status, fields, body, fc.boolean(), fc.nat({ max: 80_000 }), fc.constantFrom('end', 'destroy', 'reset'))
  .map(([line, names, content, isTwice, cut, end]) => {
    const whole = Buffer.concat([Buffer.from(`HTTP/1.1 ${line}\r\n${names.join('\r\n')}\r\n\r\n`), content]);
    return { bytes: (isTwice ? Buffer.concat([whole, whole]) : whole).subarray(0, cut), end };
  });

function close(socket: Socket, how: string): void {
  if (how === 'end') socket.end();
  else if (how === 'destroy') socket.destroy();
  else socket.resetAndDestroy();
}

test('a request ends with a response or a Failure if the backend sends random bytes (INVARIANT)', async () => {
  let said = { bytes: Buffer.alloc(0), end: 'end' };
  const server = net.createServer(socket => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write(said.bytes, () => close(socket, said.end)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const send = createRequestFunction(network);
  const url = `http://127.0.0.1:${portOf(server.address())}/`;
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(answer, async next => {
      said = next;
      const outcome = await send(url, never).catch((error: unknown) => error);
      if (outcome instanceof Error && !(outcome instanceof Failure)) throw outcome;
      reached.add(outcome instanceof Failure ? outcome.code : 'answered');
    }),
    { numRuns: 400 },
  );
  expect([...reached]).toEqual(expect.arrayContaining(['malformed', 'network', 'upstream']));
});
