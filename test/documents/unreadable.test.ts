import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { UnreadableError, undefinedIfDamaged, undefinedIfUnreadable } from '../../src/documents/unreadable.ts';

describe('a document that cannot be read is none', () => {
  test.each<[string, () => unknown]>([
    ['its reader says so', () => thrown(new UnreadableError('too much'))],
    ['a number leads out of its bytes', () => Buffer.alloc(2).readUInt32LE(0)],
    ['nobody has its encoding', () => new TextDecoder('nothing-like-this')],
  ])('when %s', (_, read) => {
    expect(undefinedIfUnreadable(read)).toBeUndefined();
  });

  test.each([
    ['of ours', () => thrown(new TypeError('x is undefined'))],
    ['of the disk', () => thrown(Object.assign(new Error(), { code: 'EIO', syscall: 'read' }))],
  ])('but not for a fault %s', (_, read) => {
    expect(() => undefinedIfUnreadable(read)).toThrow(Error);
  });
});

test('what zlib cannot make sense of is damaged, what it must not unpack is too much', () => {
  expect(undefinedIfDamaged(() => zlib.inflateSync(Buffer.from('no zlib')))).toBeUndefined();
  const packed = zlib.deflateSync(Buffer.alloc(1000));
  expect(undefinedIfDamaged(() => zlib.inflateSync(packed))).toHaveLength(1000);
  expect(() => undefinedIfDamaged(() => zlib.inflateSync(packed, { maxOutputLength: 10 }))).toThrow(RangeError);
});

function thrown(error: Error): never {
  throw error;
}
