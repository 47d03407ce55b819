import { expect, test } from 'vitest';
import { linesOf } from '../../../src/toolsets/books/model/lines.ts';
import * as fc from '../../support/property.ts';

test('lines end where editors end them', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\u2028', '\f') });
  fc.assert(
    fc.property(text, written => {
      expect([...linesOf(written)]).toEqual(written.split(/\r\n|\n|\r/));
    }),
    { numRuns: 2000 },
  );
});
