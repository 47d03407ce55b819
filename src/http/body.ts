import { pipeline, type Readable, type Transform } from 'node:stream';
import type zlib from 'node:zlib';
import { type HttpResponse, UnreadableResponse } from './transport.ts';

/** More than anybody needs, and few enough for the memory that each decoder takes. */
const maxEncodings = 4;
/** Of what comes out of one encoding and goes into the next. */
const maxPackedBytes = 16 * 1024 * 1024;

/** The body without its content encodings; nothing of an error in an encoding we do not have: its status says enough. */
export async function decodeBody({ status, headers, body }: HttpResponse): Promise<Readable | undefined> {
  const written = headers['content-encoding'];
  if (written === undefined) return body;
  try {
    return await decode(body, written);
  } catch (error) {
    body.destroy();
    if (status >= 400) return undefined;
    throw error;
  }
}

async function decode(body: Readable, written: string): Promise<Readable> {
  const names = written
    .toLowerCase()
    .split(',')
    .map(name => name.trim());
  const encodings = names.filter(name => name !== '' && name !== 'identity');
  if (encodings.length > maxEncodings) throw new UnreadableResponse(`it is encoded ${encodings.length} times over`);
  const { default: module } = await import('node:zlib');
  const [first, ...others] = encodings.reverse().map(name => createDecoder(module, name));
  if (first === undefined) return body;
  // Errors of either end come out of the decoder, which is what is read.
  const unpacked: Transform = pipeline(body, first, () => {});
  return others.reduce((packed, decoder) => pipeline(limited(packed), decoder, () => {}), unpacked);
}

/** What is packed twice can grow a million times; whoever reads the body counts only what comes out at the end. */
function limited(stream: Transform): Transform {
  let bytes = 0;
  return stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxPackedBytes) stream.destroy(new UnreadableResponse('it unpacks to too much'));
  });
}

function createDecoder(module: typeof zlib, encoding: string): Transform {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return module.createGunzip();
    case 'deflate':
      return module.createInflate();
    case 'br':
      return module.createBrotliDecompress();
    default:
      throw new UnreadableResponse(`its content-encoding is ${JSON.stringify(encoding)}`);
  }
}

/** What arrived, `maxBytes` of it at most, and what broke it off. What lies beyond is not received. */
export function readBody(body: Readable, maxBytes: number): Promise<{ bytes: Buffer; broken?: unknown }> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (broken?: unknown): void => resolve({ bytes: Buffer.concat(chunks), broken });
    const closed = (): Error => new Error('the connection was closed too early');
    if (body.readableEnded) finish();
    else if (body.destroyed) finish(body.errored ?? closed()); // while nobody listened
    body.on('data', (chunk: Buffer) => {
      if (length >= maxBytes) return; // what was in the buffer still comes after `destroy`
      chunks.push(chunk.subarray(0, maxBytes - length));
      length += chunk.length;
      if (length < maxBytes) return;
      finish();
      body.destroy(); // closes the connection
    });
    body.on('end', () => finish());
    body.on('error', finish);
    body.on('close', () => {
      if (!body.readableEnded) finish(closed());
    });
  });
}
