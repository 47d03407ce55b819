import { expect, test } from 'vitest';
import { compareNewestFirst, NewestFirstQueue } from '../../../src/toolsets/files/match/newest-queue.ts';
import * as fc from '../../support/property.ts';

const file = fc.record({ path: fc.stringMatching(/^[ab]{0,3}$/), mtimeMs: fc.integer({ min: 0, max: 5 }) });

test('NewestFirstQueue returns files from newest to oldest, regardless of how many are taken at a time', () => {
  fc.assert(
    fc.property(fc.array(file), fc.array(fc.nat(10)), (files, counts) => {
      const queue = new NewestFirstQueue(files);
      const taken = counts.flatMap(count => queue.takeSome(count));
      const { next } = queue;
      const rest = queue.takeSome(files.length);
      expect([...taken, ...rest]).toEqual(files.toSorted(compareNewestFirst));
      expect(next).toEqual(rest[0]);
      expect(queue.take()).toBeUndefined();
    }),
  );
});
