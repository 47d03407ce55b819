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

const hint = 'No problem fits: leave a filter out, or see with list_tags which tags there are.';

describe('the request', () => {
  test.each([
    ['asks for the first twenty', {}, 'page=1&per_page=20'],
    ['asks for another page', { page: 3, per_page: 100 }, 'page=3&per_page=100'],
    ['encodes a search', { search: ' a&b=最短\n' }, 'search=a%26b%3D%E6%9C%80%E7%9F%AD&page=1&per_page=20'],
    ['passes a difficulty on', { difficulty: 'Medium' }, 'difficulty=Medium&page=1&per_page=20'],
    ['takes any of the tags', { tags: 'graph, dp' }, 'tags=graph%2Cdp&tag_mode=any&page=1&per_page=20'],
    ['leaves empty tags out', { tags: ' , graph,,' }, 'tags=graph&tag_mode=any&page=1&per_page=20'],
    ['takes commas alone for nothing', { tags: ' , ,' }, 'page=1&per_page=20'],
    ['takes numbers in quotes', { page: '2', rating_min: '1200' }, 'rating_min=1200&page=2&per_page=20'],
    ['takes a number for a text', { search: 1920 }, 'search=1920&page=1&per_page=20'],
    ['or all of them', { tags: 'graph', tag_mode: 'all' }, 'tags=graph&tag_mode=all&page=1&per_page=20'],
    ['has no mode without tags', { tag_mode: 'all' }, 'page=1&per_page=20'],
    ['passes a range on', { rating_min: 0, rating_max: 1500.5 }, 'rating_min=0&rating_max=1500.5&page=1&per_page=20'],
    ['that may be one point', { rating_min: 9, rating_max: 9 }, 'rating_min=9&rating_max=9&page=1&per_page=20'],
    ['sorts', { sort_by: 'rating', sort_order: 'desc' }, 'sort_by=rating&sort_order=desc&page=1&per_page=20'],
    ['names what an order is of', { sort_order: 'desc' }, 'sort_by=id&sort_order=desc&page=1&per_page=20'],
    [
      'takes blanks for nothing',
      { search: ' ', difficulty: '', tags: '\t', tag_mode: '', sort_by: '' },
      'page=1&per_page=20',
    ],
    ['takes null for nothing', { search: null, page: null, sort_by: null }, 'page=1&per_page=20'],
  ])('%s', async (_, args, query) => {
    const { targets, isError } = await list(args);
    expect(targets).toEqual([`/api/v1/problems/leetcode?${query}`]);
    expect(isError).toBe(false);
  });

  test('encodes the platform', async () => {
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
  ])('%j is a tool error, and nothing is sent', async (args, text) => {
    expect(await list(args)).toMatchObject({ isError: true, text, targets: [] });
  });
});

describe('the answer', () => {
  test('is a sentence and a table in the order of the backend', async () => {
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

2 problems in all.

| ID | Title | Difficulty | Rating | AC Rate | Tags | Link |
|----|-------|------------|--------|---------|------|------|
| 1 | Two Sum | Easy | N/A | 57.3% | Array, Hash Table | https://leetcode.com/problems/two-sum/ |
| 9\\|9 | 两数之和 | N/A | 1588 | N/A | N/A | N/A |`,
      ],
    });
  });

  const next = { total: 2913, total_pages: 146 };
  test.each([
    ['the first page', {}, next, '2,913 problems in all, page 1 of 146. For the next ones call again with page 2.'],
    [
      'a later one',
      { page: 145, tags: 'dp' },
      { ...next, page: 145 },
      '2,913 problems fit, page 145 of 146. For the next ones call again with page 146.',
    ],
    ['the last one', {}, { ...next, page: 146 }, '2,913 problems in all, page 146 of 146. This is the last page.'],
    ['the only one', { search: 'sum' }, { total: 1 }, '1 problem fits.'],
  ])('of %s says how many there are and where the others are', async (_, args, meta, sentence) => {
    expect((await list(args, page([summary], meta))).text.split('\n')[2]).toBe(sentence);
  });

  test.each([
    ['a filter that nothing passes', { difficulty: 'Medium' }, {}, hint],
    ['a filter at its end', { rating_min: 0 }, {}, hint],
    [
      'a platform without problems',
      { sort_by: 'id' },
      {},
      'The backend has no problems of this platform: see with get_platform_status which ones it has.',
    ],
    [
      'the page behind the last',
      { page: 3 },
      { total: 21, page: 3, total_pages: 2 },
      '21 problems in all, on 2 pages: there is no page 3, ask for one up to 2.',
    ],
    [
      'a page past the end',
      { page: 2000 },
      { total: 21, page: 2000, total_pages: 2 },
      '21 problems in all, on 2 pages: there is no page 2,000, ask for one up to 2.',
    ],
  ])('to %s has no rows and says what to do', async (_, args, meta, sentence) => {
    const { isError, text } = await list(args, page([], meta));
    expect(isError).toBe(false);
    expect(text).toBe(
      `# Problems of leetcode\n\n${sentence}\n\n| ID | Title | Difficulty | Rating | AC Rate | Tags | Link |\n` +
        '|----|-------|------------|--------|---------|------|------|',
    );
  });

  test("relays the backend's refusal", async () => {
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
    ['a count that is none', page([summary], { total: -1 })],
    ['a count beyond 2^53', page([summary], { total: 2 ** 53 })],
    ['a list without its counts', { json: { data: [] } }],
    ['a bare list', { json: [] }],
  ])('cannot be %s', async (_, reply) => {
    await expect(list({}, reply)).rejects.toThrow("The backend's answer to /api/v1/problems/leetcode");
  });
});
