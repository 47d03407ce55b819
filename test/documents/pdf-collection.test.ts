import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { findCidCollection } from '../../src/documents/pdf/cid/collection.ts';

// The tables depend on the order of characters in encodings that Node decodes. The digests are the same for Node 20.0
// to 26.10.
test.each([
  ['Japan1', 23_059, 'f9cd82abf3'],
  ['GB1', 30_283, '4199a9703a'],
  ['CNS1', 19_178, 'f16ead0f06'],
  ['Korea1', 18_351, '64ee49a15f'],
])('the PDF character collection %s has the same characters on every version of Node', (ordering, last, digest) => {
  const collection = findCidCollection(ordering);
  const hash = createHash('sha1');
  for (let cid = 0; cid < 32_000; cid++) hash.update(`${collection?.text(cid)}|`);
  expect(hash.digest('hex').slice(0, 10)).toBe(digest);
  expect(collection?.text(last + 1)).toBe('');
});

test('findCidCollection returns undefined for an unknown ordering', () => {
  expect(findCidCollection('Identity')).toBeUndefined();
  expect(findCidCollection('constructor')).toBeUndefined();
});
