import { describe, expect, test } from 'vitest';
import type { Reply } from '../../support/judge.ts';
import { connectWithExtras, problemRecord as summary } from './support.ts';

const page = (data: unknown[], meta: Partial<Record<'total' | 'page' | 'per_page' | 'total_pages', unknown>> = {}) => ({
  json: { data, meta: { total: data.length, page: 1, per_page: 20, total_pages: data.length === 0 ? 0 : 1, ...meta } },
});

const list = async (args: Record<string, unknown>, reply: Reply = page([summary])) => {
  const { call, judge } = await connectWithExtras(reply);
  const outcome = await call('list_problems', { source: 'leetcode', ...args });
  return { ...outcome, targets: judge.requests.map(({ target }) => target) };
};

const hint = 'No problem matches: remove a filter, or list the tags with list_tags.';

describe('the request of list_problems', () => {
  test.each([
    ['a call without filters requests the first page of twenty', {}, 'page=1&per_page=20'],
    ['page and per_page are sent', { page: 3, per_page: 100 }, 'page=3&per_page=100'],
    [
      'search is trimmed and encoded',
      { search: ' a&b=最短\n' },
      'search=a%26b%3D%E6%9C%80%E7%9F%AD&page=1&per_page=20',
    ],
    ['difficulty is sent', { difficulty: 'Medium' }, 'difficulty=Medium&page=1&per_page=20'],
    ['tags are sent with the mode any', { tags: 'graph, dp' }, 'tags=graph%2Cdp&tag_mode=any&page=1&per_page=20'],
    ['empty tags are dropped', { tags: ' , graph,,' }, 'tags=graph&tag_mode=any&page=1&per_page=20'],
    ['tags that contain only commas are omitted', { tags: ' , ,' }, 'page=1&per_page=20'],
    ['numbers in quotes are accepted', { page: '2', rating_min: '1200' }, 'rating_min=1200&page=2&per_page=20'],
    ['a number is accepted as a string', { search: 1920 }, 'search=1920&page=1&per_page=20'],
    ['tag_mode all is sent', { tags: 'graph', tag_mode: 'all' }, 'tags=graph&tag_mode=all&page=1&per_page=20'],
    ['tag_mode without tags is omitted', { tag_mode: 'all' }, 'page=1&per_page=20'],
    [
      'a rating range is sent',
      { rating_min: 0, rating_max: 1500.5 },
      'rating_min=0&rating_max=1500.5&page=1&per_page=20',
    ],
    [
      'a rating range of one value is sent',
      { rating_min: 9, rating_max: 9 },
      'rating_min=9&rating_max=9&page=1&per_page=20',
    ],
    [
      'sort_by and sort_order are sent',
      { sort_by: 'rating', sort_order: 'desc' },
      'sort_by=rating&sort_order=desc&page=1&per_page=20',
    ],
    ['sort_order without sort_by sorts by id', { sort_order: 'desc' }, 'sort_by=id&sort_order=desc&page=1&per_page=20'],
    [
      'blank arguments are omitted',
      { search: ' ', difficulty: '', tags: '\t', tag_mode: '', sort_by: '' },
      'page=1&per_page=20',
    ],
    ['null arguments are omitted', { search: null, page: null, sort_by: null }, 'page=1&per_page=20'],
  ])('is built from the arguments: %s', async (_, args, query) => {
    const { targets, isError } = await list(args);
    expect(targets).toEqual([`/api/v1/problems/leetcode?${query}`]);
    expect(isError).toBe(false);
  });

  test('contains the platform as one encoded path segment', async () => {
    expect((await list({ source: 'a b/c' })).targets).toEqual(['/api/v1/problems/a%20b%2Fc?page=1&per_page=20']);
  });

  const named = (sentence: string) => `list_problems: ${sentence}`;
  test.each([
    [{ source: ' ' }, '"source" must not be empty.'],
    [{ source: '.' }, '"source" must not be ".".'],
    [{ page: 0 }, named('"page" must be 1 or more, got the number 0')],
    [{ page: 1e15 }, named('"page" must be 1000000 or less, got the number 1000000000000000')],
    [{ page: 1.5 }, named('"page" must be a whole number, got the number 1.5')],
    [{ per_page: 0 }, named('"per_page" must be 1 or more, got the number 0')],
    [{ per_page: 101 }, named('"per_page" must be 100 or less, got the number 101')],
    [{ rating_min: -1 }, named('"rating_min" must be 0 or more, got the number -1')],
    [{ rating_max: 1e300 }, named('"rating_max" must be 10000 or less, got the number 1e+300')],
    [{ rating_min: 2, rating_max: 1 }, '"rating_min" must not be greater than "rating_max", got 2 and 1.'],
    [{ tag_mode: 'both' }, named('"tag_mode" must be "any" or "all", got the string "both"')],
    [{ sort_order: 'up' }, named('"sort_order" must be "asc" or "desc", got the string "up"')],
    [
      { sort_by: 'title' },
      named('"sort_by" must be "id" or "difficulty" or "rating" or "ac_rate", got the string "title"'),
    ],
    [{ tags: ['graph'] }, named('"tags" must be a string, got a list')],
    [{ search: 'x'.repeat(2001) }, '"search" must have 2000 characters or fewer.'],
    [{ tag: 'graph' }, named('unknown argument "tag", did you mean "tags"?')],
  ])('is not sent and a tool error is returned for %j', async (args, text) => {
    expect(await list(args)).toMatchObject({ isError: true, text, targets: [] });
  });
});

describe('the result of list_problems', () => {
  test('shows the total and a table in the order of the response', async () => {
    const other = {
      ...summary,
      id: '9|9',
      title: null,
      difficulty: null,
      rating: 1587.6,
      ac_rate: null,
      tags: [],
      link: null,
    };
    expect(await list({}, page([summary, other]))).toMatchObject({
      isError: false,
      texts: [
        `# Problems of leetcode

2 problems in total.

| ID | Title | Difficulty | Rating | AC Rate | Tags | Link |
|----|-------|------------|--------|---------|------|------|
| 1 | Two Sum | Easy | N/A | 57.3% | Array, Hash Table | https://leetcode.com/problems/two-sum/ |
| 9\\|9 | 两数之和 | N/A | 1588 | N/A | N/A | N/A |`,
      ],
    });
  });

  const next = { total: 2913, total_pages: 146 };
  test.each([
    ['the first page', {}, next, '2,913 problems in total, page 1 of 146. For the next page call again with page 2.'],
    [
      'a later page',
      { page: 145, tags: 'dp' },
      { ...next, page: 145 },
      '2,913 problems match, page 145 of 146. For the next page call again with page 146.',
    ],
    ['the last page', {}, { ...next, page: 146 }, '2,913 problems in total, page 146 of 146. This is the last page.'],
    ['the only page', { search: 'sum' }, { total: 1 }, '1 problem matches.'],
  ])('states for %s the total and how to get the next page', async (_, args, meta, sentence) => {
    expect((await list(args, page([summary], meta))).text.split('\n')[2]).toBe(sentence);
  });

  test.each([
    ['a filter without a match', { difficulty: 'Medium' }, {}, hint],
    ['a rating filter without a match', { rating_min: 0 }, {}, hint],
    [
      'a platform without problems',
      { sort_by: 'id' },
      {},
      'The backend has no problems of this platform: get_platform_status lists its platforms.',
    ],
    [
      'the page after the last',
      { page: 3 },
      { total: 21, page: 3, total_pages: 2 },
      '21 problems in total on 2 pages: page 3 does not exist.',
    ],
    [
      'a page past the end',
      { page: 2000 },
      { total: 21, page: 2000, total_pages: 2 },
      '21 problems in total on 2 pages: page 2,000 does not exist.',
    ],
  ])('has no rows and states the next step for %s', async (_, args, meta, sentence) => {
    const { isError, text } = await list(args, page([], meta));
    expect(isError).toBe(false);
    expect(text).toBe(
      `# Problems of leetcode\n\n${sentence}\n\n| ID | Title | Difficulty | Rating | AC Rate | Tags | Link |\n` +
        '|----|-------|------------|--------|---------|------|------|',
    );
  });

  test('is a tool error with the text of an error response of the backend', async () => {
    const { call } = await connectWithExtras({
      status: 400,
      type: 'application/problem+json',
      json: { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'invalid source: uva' },
    });
    expect(await call('list_problems', { source: 'uva' })).toMatchObject({
      isError: true,
      text: '[400] Bad Request: invalid source: uva',
    });
  });

  test.each([
    ['a problem without an id', page([{ ...summary, id: null }])],
    ['a negative count', page([summary], { total: -1 })],
    ['a count beyond 2^53', page([summary], { total: 2 ** 53 })],
    ['a list without meta', { json: { data: [] } }],
    ['a bare list', { json: [] }],
  ])('is a protocol error for a response of %s', async (_, reply) => {
    await expect(list({}, reply)).rejects.toThrow('The response of the backend to /api/v1/problems/leetcode');
  });
});
