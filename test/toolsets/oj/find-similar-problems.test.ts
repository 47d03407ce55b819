import { describe, expect, test } from 'vitest';
import { connectToJudge, problemDocument } from './support.ts';

const hit = {
  source: 'leetcode',
  id: '167',
  title: 'Two Sum II',
  difficulty: 'Medium',
  link: 'https://x.example/167',
  similarity: 0.79,
};
const reply = { json: { rewritten_query: 'arrays', results: [hit] } };
const both = 'Set either "query", or both "source" and "id".';

async function target(args: Record<string, unknown>): Promise<string | undefined> {
  const { call, judge } = await connectToJudge(reply);
  const { isError, text } = await call('find_similar_problems', args);
  expect(isError, text).toBe(false);
  return judge.requests[0]?.target;
}

describe('the request of find_similar_problems', () => {
  test.each([
    [
      'a query selects the text search (INVARIANT T3)',
      { query: 'arrays' },
      '/api/v1/similar?q=arrays&limit=10&threshold=0',
    ],
    [
      'a query selects the text search even with source and id (INVARIANT T3)',
      { query: 'arrays', source: 'leetcode', id: '1' },
      '/api/v1/similar?q=arrays&limit=10&threshold=0',
    ],
    [
      'a query selects the text search even with a dot segment as source (INVARIANT T3)',
      { query: 'arrays', source: '..', id: '' },
      '/api/v1/similar?q=arrays&limit=10&threshold=0',
    ],
    [
      'the query is trimmed and encoded',
      { query: ' a&b=c d\n' },
      '/api/v1/similar?q=a%26b%3Dc%20d&limit=10&threshold=0',
    ],
    [
      'a query of exactly 3 characters is sent (INVARIANT T3)',
      { query: 'abc' },
      '/api/v1/similar?q=abc&limit=10&threshold=0',
    ],
    [
      'query length is counted in characters, not in UTF-16 code units',
      { query: '😀😀😀' },
      '/api/v1/similar?q=%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80&limit=10&threshold=0',
    ],
    [
      'source and id select the search by problem',
      { source: 'leetcode', id: '1' },
      '/api/v1/similar/leetcode/1?limit=10&threshold=0',
    ],
    [
      'a blank query with source and id selects the search by problem',
      { query: ' \t', source: 'leetcode', id: '1' },
      '/api/v1/similar/leetcode/1?limit=10&threshold=0',
    ],
    [
      'source and id are encoded in the path (INVARIANT T3)',
      { source: 'a b', id: 'c/d' },
      '/api/v1/similar/a%20b/c%2Fd?limit=10&threshold=0',
    ],
    [
      'limit and threshold are sent',
      { query: 'abc', limit: 50, threshold: 0.25 },
      '/api/v1/similar?q=abc&limit=50&threshold=0.25',
    ],
    [
      'the smallest and largest allowed values are sent',
      { query: 'abc', limit: 1, threshold: 1 },
      '/api/v1/similar?q=abc&limit=1&threshold=1',
    ],
    [
      'the filter is encoded',
      { query: 'abc', source_filter: 'leetcode, atcoder&x' },
      '/api/v1/similar?q=abc&limit=10&threshold=0&source=leetcode%2C%20atcoder%26x',
    ],
    ['a blank filter is omitted', { query: 'abc', source_filter: ' ' }, '/api/v1/similar?q=abc&limit=10&threshold=0'],
    [
      'null arguments are omitted',
      { query: 'abc', limit: null, threshold: null, source: null, id: null, source_filter: null },
      '/api/v1/similar?q=abc&limit=10&threshold=0',
    ],
  ])('is built from the arguments: %s', async (_, args, expected) => {
    expect(await target(args)).toBe(expected);
  });

  test('is sent for a query of exactly 2000 characters (INVARIANT T3)', async () => {
    expect(await target({ query: '😀'.repeat(2000) })).toBe(
      `/api/v1/similar?q=${'%F0%9F%98%80'.repeat(2000)}&limit=10&threshold=0`,
    );
  });

  const named = (sentence: string) => `find_similar_problems: ${sentence}`;
  test.each([
    ['limit 0', { query: 'abc', limit: 0 }, [named('"limit" must be 1 or more, got the number 0')]],
    ['limit 51', { query: 'abc', limit: 51 }, [named('"limit" must be 50 or less, got the number 51')]],
    ['limit -1', { query: 'abc', limit: -1 }, [named('"limit" must be 1 or more, got the number -1')]],
    [
      'limit 1e15',
      { query: 'abc', limit: 1e15 },
      [named('"limit" must be 50 or less, got the number 1000000000000000')],
    ],
    ['limit 1.5', { query: 'abc', limit: 1.5 }, [named('"limit" must be a whole number, got the number 1.5')]],
    ['limit "ten"', { query: 'abc', limit: 'ten' }, [named('"limit" must be a number, got the string "ten"')]],
    ['threshold 1.1', { query: 'abc', threshold: 1.1 }, [named('"threshold" must be 1 or less, got the number 1.1')]],
    [
      'threshold -0.1',
      { query: 'abc', threshold: -0.1 },
      [named('"threshold" must be 0 or more, got the number -0.1')],
    ],
    [
      'an invalid limit before an invalid threshold',
      { limit: 0, threshold: 2 },
      [named('"limit" must be 1 or more, got the number 0')],
    ],
    [
      'an invalid threshold before a short query',
      { threshold: 2, query: 'a' },
      [named('"threshold" must be 1 or less, got the number 2')],
    ],
    [
      'an invalid limit without query, source and id',
      { limit: 0 },
      [named('"limit" must be 1 or more, got the number 0')],
    ],
    ['a query of 2 characters (INVARIANT T3)', { query: 'ab' }, ['"query" must have 3 characters or more, it has 2.']],
    [
      'a query of 2 characters in 4 UTF-16 code units',
      { query: '😀😀' },
      ['"query" must have 3 characters or more, it has 2.'],
    ],
    [
      'a short query with source and id (INVARIANT T3)',
      { query: ' ab ', source: 'leetcode', id: '1' },
      ['"query" must have 3 characters or more, it has 2.'],
    ],
    [
      'a query of 2001 characters (INVARIANT T3)',
      { query: 'x'.repeat(2001) },
      ['"query" must have 2000 characters or fewer, it has 2001.'],
    ],
    ['a call without arguments (INVARIANT T3)', {}, [both]],
    ['a call with blank arguments', { query: ' ', source: '', id: '\t' }, [both]],
    ['an empty id (INVARIANT T3)', { source: 'leetcode', id: '' }, [`"id" must not be empty.\n\n${both}`]],
    ['an empty source (INVARIANT T3)', { source: '', id: '1' }, [`"source" must not be empty.\n\n${both}`]],
    ['an id without a source', { id: '1' }, [`"source" must not be empty.\n\n${both}`]],
    ['a dot segment', { source: 'leetcode', id: '..' }, [`"id" must not be "..".\n\n${both}`]],
  ])('is not sent and a tool error is returned for %s', async (_, args, texts) => {
    const { call, judge } = await connectToJudge(reply);
    expect(await call('find_similar_problems', args)).toMatchObject({ isError: true, texts });
    expect(judge.requests).toEqual([]);
  });
});

test.each([
  ['a text search is not retried', { query: 'arrays' }, 'close', 2],
  ['a search by problem is retried', { source: 'leetcode', id: '1' }, 'keep-alive', 3],
])(
  'find_similar_problems retries only a search by problem after a connection reset: %s',
  async (_, args, connection, requests) => {
    const { call, judge } = await connectToJudge(reply);
    await call('find_similar_problems', { source: 'leetcode', id: '1' }); // leaves a connection in the keep-alive pool
    judge.reply = response => response.destroy();
    await expect(call('find_similar_problems', args)).rejects.toThrow('ECONNRESET');
    expect(judge.requests).toHaveLength(requests);
    expect(judge.requests[1]?.headers.connection).toBe(connection);
  },
);

describe('the result of find_similar_problems', () => {
  test('shows the rewritten query and a table in the order of the response', async () => {
    const { call } = await connectToJudge({
      json: {
        rewritten_query: 'two\nsum  arrays',
        results: [hit, { source: 'x', id: 'a|b', title: 'A | B\n', difficulty: null, link: null, similarity: 0.791 }],
      },
    });
    expect((await call('find_similar_problems', { query: 'abc' })).text).toBe(
      `# Similar Problems

Query: two sum arrays

| # | Source | ID | Title | Difficulty | Similarity | Link |
|---|--------|----|-------|------------|------------|------|
| 1 | leetcode | 167 | Two Sum II | Medium | 79.0% | https://x.example/167 |
| 2 | x | a\\|b | A \\| B | N/A | 79.1% | N/A |`,
    );
  });

  test.each([
    [0.791, '79.1%'],
    [1, '100.0%'],
    [0, '0.0%'],
    [0.0625, '6.2%'],
    [0.0675, '6.8%'],
    [0.79123455, '79.1%'],
    [-0.004, '-0.4%'],
    [-0.0625, '-6.2%'],
  ])('shows the similarity %d as %s (INVARIANT T3)', async (similarity, text) => {
    const { call } = await connectToJudge({ json: { rewritten_query: null, results: [{ ...hit, similarity }] } });
    expect((await call('find_similar_problems', { query: 'abc' })).text).toContain(`| ${text} |`);
  });

  test('shows null fields of the response as N/A', async () => {
    const { call } = await connectToJudge({ json: { rewritten_query: null, results: [{ ...hit, title: null }] } });
    const { text } = await call('find_similar_problems', { query: 'abc' });
    expect(text).toContain('Query: N/A');
    expect(text).toContain('| 1 | leetcode | 167 | N/A |');
  });

  test('is a tool error with the next step for a 404 response', async () => {
    const { call } = await connectToJudge(problemDocument(404, 'Not Found', 'no embedding found for this problem'));
    expect(await call('find_similar_problems', { source: 'leetcode', id: '1' })).toMatchObject({
      isError: true,
      texts: [
        '[404] Not Found: no embedding found for this problem',
        'The problem does not exist or has no embedding yet: describe it in "query" instead.',
      ],
    });
  });

  const isDown = 'Text search is unavailable or slow: retry later, or search by a problem with "source" and "id".';
  test.each([
    [502, 'Bad Gateway', 'embedding service failed', 'abc', isDown],
    [504, 'Gateway Timeout', 'embedding service timed out', 'abc', isDown],
    [
      400,
      'Bad Request',
      'query must be at most 2000 characters',
      '和'.repeat(700),
      'The backend limits "query" to 2000 bytes, and this one has 2100: shorten it.',
    ],
  ])(
    'is a tool error with the next step if a text search gets status %d',
    async (status, title, detail, query, step) => {
      const { call } = await connectToJudge(problemDocument(status, title, detail));
      expect(await call('find_similar_problems', { query })).toMatchObject({
        isError: true,
        texts: [`[${status}] ${title}: ${detail}`, step],
      });
    },
  );

  test('is a tool error with the general hint for a 400 response to a short query', async () => {
    const { call } = await connectToJudge(problemDocument(400, 'Bad Request', 'query must be at least 3 characters'));
    expect((await call('find_similar_problems', { query: '"ab"' })).texts).toEqual([
      '[400] Bad Request: query must be at least 3 characters',
      'The backend rejects the request: compare the arguments with the description of the tool.',
    ]);
  });

  const rephrase = 'rephrase the topic in "query"';
  test.each([
    ['a text', { query: 'abc' }, rephrase],
    ['a problem', { source: 'leetcode', id: '1' }, 'describe the topic in "query"'],
    ['a threshold', { query: 'abc', threshold: 0.9 }, 'lower the "threshold"'],
    ['a platform filter with the largest limit', { query: 'abc', source_filter: 'spoj', limit: 50 }, rephrase],
    [
      'a platform filter',
      { query: 'abc', source_filter: 'spoj', threshold: 0.9 },
      '"source_filter" applies to the nearest problems only: increase "limit" to include more',
    ],
  ])('is a table without rows and states the next step if nothing is found for %s', async (_, args, step) => {
    const { call } = await connectToJudge({ json: { rewritten_query: 'x', results: [] } });
    expect(await call('find_similar_problems', args)).toMatchObject({
      isError: false,
      texts: [
        `# Similar Problems

Query: x

| # | Source | ID | Title | Difficulty | Similarity | Link |
|---|--------|----|-------|------------|------------|------|

No hits: ${step}.`,
      ],
    });
  });
});
