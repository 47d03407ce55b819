import type { Reply } from '../../../support/judge.ts';
import { problemDocument, problemRecord } from '../support.ts';

export type Args = Readonly<Record<string, unknown>>;

const similar = {
  rewritten_query: 'range\u200b | sums',
  results: [
    {
      source: 'leetcode',
      id: '303',
      title: 'Range | Sum',
      difficulty: 'Easy',
      link: 'https://leetcode.com/x',
      similarity: 0.98765,
    },
    { source: 'atcoder', id: 'abc_a', title: null, title_cn: '和', similarity: 1 },
    { source: 'x', id: 'y', link: 'javascript:alert(1)', similarity: 0 },
  ],
};
const resolved = { source: 'codeforces', id: '1920a', problem: null };
const list = {
  data: [
    { ...problemRecord, rating: 1234.5 },
    { id: '2', source: 'x', title: 'A | b\nc', tags: ['a', 'b|c'], ac_rate: null, link: null },
  ],
  meta: { total: 41, page: 2, per_page: 20, total_pages: 3 },
};
const status = {
  version: '1.2.3',
  platforms: [
    { source: 'leetcode', total: 3500, missing_content: 12, not_embedded: 0 },
    { source: 'luogu', total: 1_234_567, missing_content: 999, not_embedded: 1000 },
  ],
};
const samples =
  '<p>Text</p><pre><strong>Input:</strong> nums = [2,7]\n<strong>Output:</strong> [0,1]\n<strong>Explanation:</strong> because\n</pre>';

/** The responses of the backend to successful calls. */
export const answers: readonly (readonly [tool: string, args: Args, reply: Reply])[] = [
  ['get_problem', { source: 'leetcode', id: '1' }, { json: problemRecord }],
  [
    'get_problem',
    { source: ' leetcode ', id: 1 },
    { json: { ...problemRecord, rating: 1500.6, contest: 'Weekly 1', paid_only: 1 } },
  ],
  ['get_problem', { source: 'a/b', id: '?x#y %' }, { json: { id: '1' } }],
  [
    'get_problem',
    { source: 'luogu', id: 'P1001' },
    { json: { ...problemRecord, content: null, tags: [], ac_rate: 100, link: 'x y' } },
  ],
  [
    'get_problem',
    { source: 'leetcode', id: '2' },
    { json: { ...problemRecord, title: null, content: `<p>${'long '.repeat(30_000)}</p>` } },
  ],
  ['get_daily_challenge', { date: '2024-02-29' }, { json: { ...problemRecord, source: undefined } }],
  ['get_daily_challenge', { date: '2024-02-29', domain: 'cn' }, { status: 202, json: { retry_after: 30 } }],
  ['get_daily_challenge', { date: '2020-04-01' }, { status: 202, json: { retry_after: 1 } }],
  ['get_daily_challenge', { date: '2020-04-01' }, { status: 202, json: { retry_after: 0 } }],
  ['get_daily_challenge', { date: '2020-04-01' }, { status: 202, json: { retry_after: -1 } }],
  ['get_daily_challenge', { date: '2020-04-01' }, { status: 202, body: 'soon' }],
  ['find_similar_problems', { query: '  range sums ' }, { json: similar }],
  [
    'find_similar_problems',
    { query: 'sum', limit: 1, threshold: 0.5, source_filter: 'leetcode,atcoder' },
    { json: similar },
  ],
  ['find_similar_problems', { source: 'leetcode', id: '1', limit: '50' }, { json: { results: [] } }],
  ['find_similar_problems', { query: '日本語', threshold: 1 }, { json: { rewritten_query: null, results: [] } }],
  ['find_similar_problems', { query: 'sum', source_filter: 'x', threshold: 0.1 }, { json: { results: [] } }],
  [
    'resolve_problem',
    { query: 'https://leetcode.com/problems/two-sum/' },
    { json: { ...resolved, problem: problemRecord } },
  ],
  ['resolve_problem', { query: 'codeforces:1920a' }, { json: resolved }],
  [
    'resolve_problem',
    { query: 'leetcode/two-sum' },
    { json: { source: 'unknown', id: 'leetcode/two-sum', problem: null } },
  ],
  ['resolve_problem', { query: 'nothing' }, { json: { source: 'unknown', id: 'nothing', problem: null } }],
  ['get_platform_status', {}, { json: status }],
  ['get_platform_status', {}, { json: { version: '', platforms: [] } }],
  ['list_problems', { source: 'leetcode' }, { json: list }],
  [
    'list_problems',
    {
      source: 'leetcode',
      search: 'two',
      difficulty: 'Easy',
      tags: 'a,b',
      tag_mode: 'all',
      rating_min: 0,
      rating_max: 10_000,
      sort_by: 'rating',
      sort_order: 'desc',
      page: 2,
      per_page: 100,
    },
    { json: list },
  ],
  [
    'list_problems',
    { source: 'luogu', page: 3 },
    { json: { data: [], meta: { total: 0, page: 3, per_page: 20, total_pages: 0 } } },
  ],
  [
    'list_problems',
    { source: 'luogu', tags: 'x' },
    { json: { data: [], meta: { total: 0, page: 1, per_page: 20, total_pages: 0 } } },
  ],
  ['list_tags', { source: 'leetcode' }, { json: { tags: ['Array', 'Hash | Table'] } }],
  ['list_tags', { source: 'leetcode' }, { json: { tags: [] } }],
  ['get_samples', { source: 'leetcode', id: '1' }, { json: { ...problemRecord, content: samples } }],
  ['get_samples', { source: 'leetcode', id: '1' }, { json: problemRecord }],
];

/** Calls that the server rejects without a request to the backend. */
export const refused: readonly (readonly [tool: string, args: Args])[] = [
  ['get_problem', {}],
  ['get_problem', { source: 'leetcode' }],
  ['get_problem', { source: '', id: '1' }],
  ['get_problem', { source: 'leetcode', id: ' \u0085' }],
  ['get_problem', { source: '.', id: '1' }],
  ['get_problem', { source: 'leetcode', id: '..' }],
  ['get_problem', { source: 'leetcode', id: 'x'.repeat(2001) }],
  ['get_problem', { source: 'leetcode', id: '1', more: true }],
  ['get_problem', { source: ['leetcode'], id: '1' }],
  ['get_daily_challenge', { date: '2023-02-29' }],
  ['get_daily_challenge', { date: '2023-2-2' }],
  ['get_daily_challenge', { date: 'x'.repeat(41) }],
  ['get_daily_challenge', { domain: 'org' }],
  ['find_similar_problems', {}],
  ['find_similar_problems', { query: 'ab' }],
  ['find_similar_problems', { query: 'x'.repeat(2001) }],
  ['find_similar_problems', { source: 'leetcode' }],
  ['find_similar_problems', { id: '1' }],
  ['find_similar_problems', { query: 'sum', limit: 0 }],
  ['find_similar_problems', { query: 'sum', limit: 51 }],
  ['find_similar_problems', { query: 'sum', limit: 1.5 }],
  ['find_similar_problems', { query: 'sum', threshold: -0.1 }],
  ['find_similar_problems', { query: 'sum', threshold: 1.1 }],
  ['resolve_problem', { query: ' ' }],
  ['list_problems', { source: 'leetcode', page: 0 }],
  ['list_problems', { source: 'leetcode', page: 1_000_001 }],
  ['list_problems', { source: 'leetcode', per_page: 101 }],
  ['list_problems', { source: 'leetcode', rating_max: 10_001 }],
  ['list_problems', { source: 'leetcode', rating_min: 5, rating_max: 4 }],
  ['list_problems', { source: 'leetcode', tag_mode: 'none' }],
];

const calls: readonly (readonly [tool: string, args: Args])[] = [
  ['get_problem', { source: 'leetcode', id: 'Two Sum' }],
  ['get_problem', { source: 'Codeforces', id: '1920a' }],
  ['get_problem', { source: 'codeforces', id: '1920a' }],
  ['get_problem', { source: 'other', id: '1' }],
  ['get_daily_challenge', { date: '2024-02-29' }],
  ['find_similar_problems', { query: 'é'.repeat(1001) }],
  ['find_similar_problems', { source: 'leetcode', id: '1' }],
  ['resolve_problem', { query: 'x' }],
  ['get_platform_status', {}],
  ['list_problems', { source: 'LeetCode' }],
  ['list_tags', { source: 'other' }],
];
const replies = [400, 401, 403, 404, 407, 429, 500, 502, 503, 504].map(code =>
  problemDocument(code, 'Title', `detail ${code}`),
);

export const errors = calls.flatMap(([tool, args]) => replies.map(reply => [tool, args, reply] as const));

/** Responses of the backend that are not valid for any call. */
export const malformed: readonly Reply[] = [
  { body: '' },
  { type: 'application/json', body: '{' },
  { type: 'application/json', body: Buffer.from([0x22, 0xff, 0x22]) },
  { type: 'text/html', body: '<html>' },
  { type: 'application/json; charset=utf-8', body: '[]' },
  { type: 'application/json', body: `"${'x'.repeat(1_048_576)}"` },
  { json: { id: 1 } },
  { json: { ...problemRecord, ac_rate: 'x' } },
  { json: null },
  { status: 204, body: '' },
  { status: 304, body: '' },
  { status: 418, type: 'text/plain', body: 'x'.repeat(600) },
  { status: 400, type: 'application/problem+json', body: '{"title":"T","status":422,"detail":null}' },
  { status: 400, type: 'application/problem+json', body: '{"title":"T","detail":7}' },
  { status: 400, type: 'application/problem+json', body: '{"title":"T\u200b","status":"x"}' },
];
