import { expect, test } from 'vitest';
import { encodeBase85 } from '../../build/embedded.mjs';
import { decodeBase85 } from '../../src/text/base85.ts';
import * as fc from '../support/property.ts';

test('decodeBase85 returns the bytes that the build encoded, followed by zero bytes up to a multiple of four', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      const decoded = decodeBase85(encodeBase85(bytes));
      expect(decoded.subarray(0, bytes.length)).toEqual(bytes);
      expect(decoded.subarray(bytes.length)).toEqual(new Uint8Array(-bytes.length & 3));
    }),
  );
});

test('encodeBase85 uses only printable ASCII, so that the text can stand in a comment', () => {
  const bytes = Uint8Array.from({ length: 4096 }, (_, index) => (index * 2_654_435_761) >>> 24);
  expect(encodeBase85(bytes)).toMatch(/^[#-w]+$/);
});
