import { Readable } from 'node:stream';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeResponseBody, readBody } from '../../src/http/body.ts';

const decode = async (status: number, encoding: string | undefined, bytes: Buffer): Promise<string | undefined> => {
  const headers = encoding === undefined ? {} : { 'content-encoding': encoding };
  const body = await decodeResponseBody({ status, headers, body: Readable.from([bytes]) });
  if (body === undefined) return undefined;
  const { bytes: content, error } = await readBody(body, 1000);
  if (error !== undefined) throw error;
  return content.toString();
};

const plain = Buffer.from('text');

test.each([
  [undefined, plain],
  ['', plain],
  ['identity', plain],
  ['gzip', gzipSync(plain)],
  ['X-GZIP', gzipSync(plain)],
  ['deflate', deflateSync(plain)],
  [' identity , gzip,', gzipSync(plain)],
  ['deflate, gzip', gzipSync(deflateSync(plain))],
  ['gzip,gzip,gzip,gzip', gzipSync(gzipSync(gzipSync(gzipSync(plain))))],
])('decodeResponseBody decodes a body with the content encoding %j', async (encoding, bytes) => {
  expect(await decode(200, encoding, bytes)).toBe('text');
});

test.each([
  ['zstd', 'the content-encoding "zstd" is not supported'],
  ['gzip,gzip,gzip,gzip,gzip', 'the body has 5 content encodings, and at most 4 are allowed'],
])(
  'decodeResponseBody rejects the content encoding %j of a success, but not of an error response',
  async (encoding, message) => {
    for (const status of [200, 399]) await expect(decode(status, encoding, plain)).rejects.toThrow(message);
    for (const status of [400, 500]) expect(await decode(status, encoding, plain)).toBeUndefined();
  },
);

test.each([
  [9, 'text-text', undefined],
  [10, 'text-text', undefined],
  [8, 'text-tex', undefined],
  [5, 'text-', undefined],
  [4, 'text', undefined],
])('readBody returns at most %i bytes', async (maxBytes, text, error) => {
  const chunks: number[] = [];
  const body = Readable.from(['text', '-', 'text'].map(chunk => Buffer.from(chunk)));
  const content = await readBody(body, maxBytes, () => void chunks.push(1));
  expect([content.bytes.toString(), content.error]).toEqual([text, error]);
  expect(chunks).toHaveLength({ 4: 1, 5: 2 }[maxBytes] ?? 3);
});

test('readBody returns the bytes before an error, with the error', async () => {
  const failing = new Readable({ read: () => {} });
  const reading = readBody(failing, 100);
  failing.push('some');
  await new Promise(resolve => setImmediate(resolve));
  failing.destroy(new Error('reset'));
  const { bytes, error } = await reading;
  expect([bytes.toString(), String(error)]).toEqual(['some', 'Error: reset']);
  const closed = new Readable({ read: () => {} });
  const readingClosed = readBody(closed, 100);
  closed.destroy();
  expect(String((await readingClosed).error)).toBe('Error: the connection was closed before the end of the body');
  expect(String((await readBody(closed, 100)).error)).toMatch(/closed before the end/);
  expect(String((await readBody(failing, 100)).error)).toBe('Error: reset');
});

/** Compresses a text with a file name, which fills the compressed bytes up to this length. */
function gzipOfLength(length: number): Buffer {
  const bytes = gzipSync(plain);
  const header = Buffer.concat([bytes.subarray(0, 3), Buffer.of(8), bytes.subarray(4, 10)]);
  return Buffer.concat([header, Buffer.alloc(length - bytes.length - 1, 'n'), Buffer.of(0), bytes.subarray(10)]);
}

test('decodeResponseBody decodes up to 4 MiB of compressed bytes', async () => {
  const limit = 4 * 1024 * 1024;
  expect(await decode(200, 'gzip', gzipOfLength(limit))).toBe('text');
  await expect(decode(200, 'gzip', gzipOfLength(limit + 1))).rejects.toThrow('the compressed body is too large');
});

test('decodeResponseBody decodes up to 16 MiB of bytes that are compressed again', async () => {
  const limit = 16 * 1024 * 1024;
  // The parts of a gzip file are decompressed one after the other, so that only one mebibyte is compressed here.
  const mebibyte = Buffer.alloc(1024 * 1024, 'n');
  const packed = gzipSync(mebibyte);
  const twice = (length: number): Buffer => {
    const short = gzipOfLength(length - 15 * mebibyte.length);
    const parts = [gzipSync(short.subarray(0, 10)), ...Array<Buffer>(15).fill(packed), gzipSync(short.subarray(10))];
    return Buffer.concat(parts);
  };
  expect(await decode(200, 'gzip,gzip', twice(limit))).toBe('text');
  await expect(decode(200, 'gzip,gzip', twice(limit + 1))).rejects.toThrow('the decompressed body is too large');
});
