import { expect, test } from 'vitest';
import { listDates, listExcerpts, listPhrases, listQueries, listSpotlight, listWords } from './approved/tables.ts';

test.each([
  ['queries', listQueries],
  ['dates', listDates],
  ['words', listWords],
  ['phrases', listPhrases],
  ['excerpts', listExcerpts],
  ['spotlight', listSpotlight],
])('the functions for %s return the approved results at the limits of their inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/${name}.txt`);
});
