import { pipeline, Readable, type Transform } from 'node:stream';
import type zlib from 'node:zlib';
import { GrowingBuffer } from './growing-buffer.ts';
import { type HttpResponse, UnreadableResponseError } from './transport.ts';

/** Limits the number of content encodings. Each decoder uses memory, and no real server needs more than four. */
const maxEncodings = 4;
/** Limits the output of a decoder that is the input of another decoder. */
const maxIntermediateBytes = 16 * 1024 * 1024;
/**
 * Limits the compressed size of a body too, because a body of many empty compressed parts has no output that could be
 * limited.
 */
const maxCompressedBytes = 4 * 1024 * 1024;

/**
 * Decodes the body according to its content encodings. Returns undefined for an error response in an unknown encoding,
 * because its status is sufficient.
 */
export async function decodeResponseBody({ status, headers, body }: HttpResponse): Promise<Readable | undefined> {
  const contentEncoding = headers['content-encoding'];
  if (contentEncoding === undefined) return body;
  try {
    return await decode(body, contentEncoding);
  } catch (error) {
    body.destroy();
    if (status >= 400) return undefined;
    throw error;
  }
}

async function decode(body: Readable, contentEncoding: string): Promise<Readable> {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map(name => name.trim());
  const encodings = names.filter(name => name !== '' && name !== 'identity');
  if (encodings.length > maxEncodings)
    throw new UnreadableResponseError(
      `the body has ${encodings.length} content encodings, and at most ${maxEncodings} are allowed`,
    );
  const { default: module } = await import('node:zlib');
  const [first, ...others] = encodings.reverse().map(name => createDecoder(module, name));
  if (first === undefined) return body;
  // If any stream of the pipeline fails, the last decoder is destroyed with the error of that stream, so that the
  // reader of the body receives this error.
  const decoded: Transform = pipeline(Readable.from(readCompressed(body)), first, () => body.destroy());
  return others.reduce((encoded, decoder) => pipeline(limitBytes(encoded), decoder, () => {}), decoded);
}

/**
 * Reads all compressed bytes before the decoder starts. Otherwise the stream would keep an object of several hundred
 * bytes for each chunk that waits for the decoder, even for a chunk of one byte.
 */
async function* readCompressed(body: Readable): AsyncGenerator<Buffer> {
  const { bytes, error } = await readBody(body, maxCompressedBytes + 1);
  if (bytes.length > maxCompressedBytes) throw new UnreadableResponseError('the compressed body is too large');
  // An incomplete body is not decoded. The decoder would fail as well, and the error message would depend on which of
  // the two streams failed first.
  if (error !== undefined) throw error;
  yield bytes;
}

/**
 * Limits the output of a decoder. Data that was compressed twice can grow a million times, and the reader of the body
 * counts only the output of the last decoder.
 */
function limitBytes(stream: Transform): Transform {
  let bytes = 0;
  return stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxIntermediateBytes) stream.destroy(new UnreadableResponseError('the decompressed body is too large'));
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
      throw new UnreadableResponseError(`the content-encoding ${JSON.stringify(encoding)} is not supported`);
  }
}

export interface ResponseBodyContent {
  bytes: Buffer;
  /** The error that ended the body before it was complete and before the size limit. */
  error?: unknown;
}

/** Reads at most `maxBytes` bytes and then closes the connection. Calls `onChunk` for each chunk. */
export function readBody(body: Readable, maxBytes: number, onChunk = (): void => {}): Promise<ResponseBodyContent> {
  return new Promise(resolve => {
    const content = new GrowingBuffer();
    const finish = (error?: unknown): void => resolve({ bytes: content.toBuffer(), error });
    const closedEarly = (): Error => new Error('the connection was closed before the end of the body');
    // The stream may have ended before this call. In that case no further event is emitted.
    if (body.readableEnded) finish();
    else if (body.destroyed) finish(body.errored ?? closedEarly());
    body.on('data', (chunk: Buffer) => {
      if (content.length >= maxBytes) return; // buffered chunks still arrive after `destroy`
      onChunk();
      content.append(chunk.subarray(0, maxBytes - content.length));
      if (content.length < maxBytes) return;
      finish();
      body.destroy();
    });
    body.on('end', () => finish());
    body.on('error', finish);
    body.on('close', () => {
      if (!body.readableEnded) finish(closedEarly());
    });
  });
}
