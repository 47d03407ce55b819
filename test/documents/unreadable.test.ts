import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { UnreadableError, undefinedIfDamaged, undefinedIfUnreadable } from '../../src/documents/unreadable.ts';

describe('undefinedIfUnreadable', () => {
  test.each<[string, () => unknown]>([
    ['the reader throws UnreadableError', () => thrown(new UnreadableError('too much'))],
    ['a read is out of the range of its buffer', () => Buffer.alloc(2).readUInt32LE(0)],
    ['the encoding is unknown', () => new TextDecoder('nothing-like-this')],
  ])('returns undefined if %s', (_, read) => {
    expect(undefinedIfUnreadable(read)).toBeUndefined();
  });

  test.each([
    ['a bug in a reader', () => thrown(new TypeError('x is undefined'))],
    ['a failed disk operation', () => thrown(Object.assign(new Error(), { code: 'EIO', syscall: 'read' }))],
  ])('rethrows the error of %s', (_, read) => {
    expect(() => undefinedIfUnreadable(read)).toThrow(Error);
  });
});

test('undefinedIfDamaged returns undefined for invalid data and throws when the output is too long', () => {
  expect(undefinedIfDamaged(() => zlib.inflateSync(Buffer.from('no zlib')))).toBeUndefined();
  const packed = zlib.deflateSync(Buffer.alloc(1000));
  expect(undefinedIfDamaged(() => zlib.inflateSync(packed))).toHaveLength(1000);
  expect(() => undefinedIfDamaged(() => zlib.inflateSync(packed, { maxOutputLength: 10 }))).toThrow(RangeError);
});

function thrown(error: Error): never {
  throw error;
}
