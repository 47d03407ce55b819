import { describe, expect, test } from 'vitest';
import { times } from '../../support/repetitions.ts';
import { contest } from './support/contest.ts';
import { temporaryLibrary } from './support/library.ts';
import { isFolder } from './support/place.ts';

describe('four servers with one library', () => {
  test('let exactly one of several writers of the same version of a lesson succeed in each round', {
    timeout: 600_000,
  }, async () => {
    using library = temporaryLibrary();
    const rounds = times(isFolder ? 25 : 10, 500);
    expect(await contest(library, rounds)).toEqual({ rounds, violations: [] });
  });

  test("let exactly one of several writers of a user's version of a lesson succeed", { timeout: 600_000 }, async () => {
    using library = temporaryLibrary();
    expect(await contest(library, 5, { user: { user_id: 'ada' } })).toEqual({ rounds: 5, violations: [] });
  });
});
