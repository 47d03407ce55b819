import { describe, expect, test } from 'vitest';
import { connectToJudge, problemRecord, problemText } from './support.ts';

const found = { source: 'leetcode', id: '1', problem: problemRecord };

describe('the request of resolve_problem', () => {
  test.each([
    ['https://leetcode.com/problems/two-sum/', 'https%3A%2F%2Fleetcode.com%2Fproblems%2Ftwo-sum%2F'],
    ['https://x.example/?a=b#c', 'https%3A%2F%2Fx.example%2F%3Fa%3Db%23c'],
    [' two-sum\n', 'two-sum'],
    ['codeforces:1900A', 'codeforces%3A1900A'],
    ['%2e%2e', '%252e%252e'],
  ])('contains the query %j as one encoded path segment (INVARIANT T4)', async (query, segment) => {
    const { call, judge } = await connectToJudge({ json: found });
    await call('resolve_problem', { query });
    expect(judge.requests.map(({ target }) => target)).toEqual([`/api/v1/resolve/${segment}`]);
  });

  test.each([
    [{}, 'resolve_problem: "query" is required'],
    [{ query: ' ' }, '"query" must not be empty.'],
    [{ query: '..' }, '"query" must not be "..".'],
    [{ query: 1.5 }, 'resolve_problem: "query" must be a string, got the number 1.5'],
  ])('is not sent and a tool error is returned for %j', async (args, text) => {
    const { call, judge } = await connectToJudge({ json: found });
    expect(await call('resolve_problem', args)).toMatchObject({ isError: true, text });
    expect(judge.requests).toEqual([]);
  });
});

describe('the result of resolve_problem', () => {
  test('shows the header and the statement of the problem (INVARIANT T4)', async () => {
    const { call } = await connectToJudge({ json: found });
    expect(await call('resolve_problem', { query: 'two-sum' })).toMatchObject({ isError: false, texts: [problemText] });
  });

  test('shows the source and id of the "problem" object in the response, not those next to it (INVARIANT T4)', async () => {
    const { call } = await connectToJudge({ json: { ...found, source: 'elsewhere', id: '9' } });
    expect((await call('resolve_problem', { query: 'two-sum' })).text).toContain('- Source: leetcode | ID: 1 |');
  });

  const topic = 'Check the link or id, or search by topic with find_similar_problems.';
  const platforms =
    'Supported links: leetcode.com, leetcode.cn, codeforces.com, atcoder.jp and luogu.com.cn. For others use platform and id, e.g. "codeforces:1920A".';
  test.each([
    ['xyz', 'leetcode', 'xyz', 'leetcode/xyz', topic],
    ['Two  Sum', 'leetcode', 'two  sum', 'leetcode/two sum', 'Did you mean "leetcode:two-sum"?'],
    [
      ' leetcode/two-sum ',
      'leetcode',
      'leetcode/two-sum',
      'leetcode/leetcode/two-sum',
      'Did you mean "leetcode:two-sum"?',
    ],
    [
      'Codeforces/1920a',
      'leetcode',
      'codeforces/1920a',
      'leetcode/codeforces/1920a',
      'Did you mean "codeforces:1920A"?',
    ],
    ['codeforces:1920a', 'codeforces', '1920a', 'codeforces/1920a', 'Did you mean "codeforces:1920A"?'],
    ['atcoder:ABC300_A', 'atcoder', 'ABC300_A', 'atcoder/ABC300_A', 'Did you mean "atcoder:abc300_a"?'],
    ['luogu:P1', 'luogu', 'P1', 'luogu/P1', topic],
    ['nowhere/1', 'leetcode', 'nowhere/1', 'leetcode/nowhere/1', topic],
    ['a/b/c', 'leetcode', 'a/b/c', 'leetcode/a/b/c', topic],
    ['https://x.example/1', 'unknown', 'https://x.example/1', 'https://x.example/1', platforms],
  ])(
    'is a tool error with the resolved id and the next step for the unknown problem %j',
    async (query, source, id, named, hint) => {
      const { call } = await connectToJudge({ json: { source, id, problem: null } });
      expect(await call('resolve_problem', { query })).toMatchObject({
        isError: true,
        texts: [`problem not found: ${named}`, hint],
      });
    },
  );
});
