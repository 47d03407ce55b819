import { expect, test } from 'vitest';
import { encodeBase95 } from '../../build/embedded.mjs';
import { decodeBase95 } from '../../src/text/base95.ts';
import * as fc from '../support/property.ts';

test('decodeBase95 returns the bytes that the build encoded, followed by zero bytes up to a multiple of 13', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      const decoded = decodeBase95(encodeBase95(bytes));
      const expected = Buffer.concat([bytes, new Uint8Array((13 - (bytes.length % 13)) % 13)]);
      expect(Buffer.from(decoded).toString('hex')).toBe(expected.toString('hex'));
    }),
  );
});

test('encodeBase95 uses only printable ASCII, so that the text can stand in a comment', () => {
  const bytes = Uint8Array.from({ length: 4096 }, (_, index) => (index * 2_654_435_761) >>> 24);
  expect(encodeBase95(bytes)).toMatch(/^[ -~]+$/);
});
