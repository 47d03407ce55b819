import { Readable } from 'node:stream';
import { Failure } from '../../../../src/errors/failure.ts';
import { createRequestFunction } from '../../../../src/http/request.ts';
import type { Transport } from '../../../../src/http/transport.ts';
import { defineReader, nest, repeat } from '../reader.ts';

/** Creates a reader whose input is the body or a header of a response. No connection is used. */
function responseReader(name: string, status: number, cases: ReturnType<typeof repeat>, isHeader = false) {
  return defineReader({
    name: `response ${name}`,
    cases,
    async read(input) {
      const type = isHeader ? input.toString('latin1') : 'application/problem+json';
      const transport: Transport = async () => ({
        status,
        headers: { 'content-type': type },
        body: Readable.from([isHeader ? Buffer.from('{}') : input]),
      });
      const advice = { rejected: () => '', unreachable: '', moved: () => '' };
      const request = createRequestFunction({ transport, token: 'a-token-of-the-fuzzer', advice });
      try {
        return await request('http://judge.example/', new AbortController().signal);
      } catch (error) {
        if (error instanceof Failure) return undefined;
        throw error;
      }
    },
  });
}

const texts = ['a', '\u200b', 'a-token-of-the-fuzze', '%61', '\\', '\n', '<p>', '"', '\ud83d\ude00'];

export const readers = [
  responseReader('text', 500, repeat(texts)),
  responseReader(
    'problem',
    400,
    repeat(
      texts.map(text => JSON.stringify(text).slice(1, -1)),
      '{"title":"',
      '"}',
    ),
  ),
  responseReader('data', 200, [...repeat(['0,', '[],', '"a",'], '[', '0]'), ...nest([['[', ']']])]),
  responseReader('content type', 200, repeat([';', ' ', '\t', ',', 'a/', ';charset='], 'application/json'), true),
];
