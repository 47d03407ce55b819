import { expect, test } from 'vitest';
import { listProblemPage } from '../../../../src/toolsets/oj/io/collection/list.ts';
import { connectToProblems, fileWith, jsonLines } from './support.ts';

const list = [
  { id: '10A', title: 'Ten', difficulty: 'Hard', rating: 1900, ac_rate: 10, tags: ['DP', 'graphs'] },
  { id: '9B', title: 'Nine', difficulty: 'easy', rating: 1200, ac_rate: 50, tags: ['dp'] },
  { id: '9A', title: null, title_cn: '九', difficulty: null, rating: null, ac_rate: null, tags: [] },
].map(record => ({ source: 's', ...record }));

test.each([
  ['sorts ids with numbers by value', {}, ['9A', '9B', '10A']],
  ['filters by difficulty without case', { difficulty: 'EASY' }, ['9B']],
  ['filters by one of the tags', { tags: 'graphs,DP' }, ['9B', '10A']],
  ['filters by all tags', { tags: 'graphs,dp', tag_mode: 'all' }, ['10A']],
  ['filters by a part of the title', { search: 'NI' }, ['9B']],
  ['filters by a part of the Chinese title', { search: '九' }, ['9A']],
  ['filters by a part of the id', { search: '10' }, ['10A']],
  ['excludes unrated problems from a rating range', { rating_min: 0 }, ['9B', '10A']],
  ['applies both ends of a rating range', { rating_min: 1200, rating_max: 1200 }, ['9B']],
  ['sorts by difficulty with unknown levels last', { sort_by: 'difficulty' }, ['9B', '10A', '9A']],
  ['sorts by rating in descending order', { sort_by: 'rating', sort_order: 'desc' }, ['10A', '9B', '9A']],
  ['sorts by acceptance rate with null first', { sort_by: 'ac_rate' }, ['9A', '10A', '9B']],
  ['returns one page', { page: 2, per_page: 2 }, ['10A']],
])('list_problems on a problem collection %s', async (_, args, ids) => {
  const { call } = await connectToProblems(fileWith(jsonLines(list)));
  const { text } = await call('list_problems', { source: 's', ...args });
  expect(Array.from(text.matchAll(/^\| (\w+) \|(?! Title)/gm), ([, id]) => id)).toEqual(ids);
});

/** Returns the ids of a list that is sorted by rating. */
function idsByRating(ratings: readonly (number | null | undefined)[], sortOrder: string): string[] {
  const summaries = ratings.map((rating, index) => ({ source: 's', id: `${index}`, rating }));
  return listProblemPage(summaries, {
    search: undefined,
    difficulty: undefined,
    tags: undefined,
    tagMode: 'any',
    ratingMin: undefined,
    ratingMax: undefined,
    sortBy: 'rating',
    sortOrder,
    page: 1,
    perPage: 10,
  }).data.map(({ id }) => id);
}

test.each([undefined, null])(
  'a problem list sorts negative and zero values after a missing value (%s) in both orders',
  missing => {
    const ratings = [5, 0, missing, -5];
    expect([idsByRating(ratings, 'asc'), idsByRating(ratings, 'desc')]).toEqual([
      ['2', '3', '1', '0'],
      ['0', '1', '3', '2'],
    ]);
  },
);

test('a problem list sorts problems with null and without a value by their ids', () => {
  expect(idsByRating([null, undefined, 1, undefined, null], 'asc')).toEqual(['0', '1', '3', '4', '2']);
});
