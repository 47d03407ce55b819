import { expect, test } from 'vitest';
import { splitLines } from '../../../src/toolsets/books/model/lines.ts';
import { startLineFinder } from '../../../src/toolsets/books/search/line-finder.ts';
import * as fc from '../../support/property.ts';

test('splitLines splits a text at the same line ends as text editors do', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\u2028', '\f') });
  fc.assert(
    fc.property(text, written => {
      expect([...splitLines(written)]).toEqual(written.split(/\r\n|\n|\r/));
    }),
    { numRuns: 2000 },
  );
});

test('a search thread that ends with an error rejects its search with the error', async () => {
  // A caller cannot send this invalid pattern. It makes the thread fail as it does without memory, which would take too
  // long to reproduce.
  const pattern: string = JSON.parse('null');
  await expect(startLineFinder(pattern, new AbortController().signal)).rejects.toThrow('needs too much memory');
});
