import { expect, test } from 'vitest';
import { connectToJudge, problemRecord } from './support.ts';

const hit = { source: 'leetcode', id: '1', title: 'x', difficulty: null, link: null, similarity: 0.5 };
const platform = { source: 'leetcode', total: 1, missing_content: 0, not_embedded: 0 };

/** Each row contains valid arguments and a valid response for a tool. */
const calls = [
  ['get_daily_challenge', { date: '2026-01-01' }, { ...problemRecord, date: '2026-01-01', domain: 'com' }],
  ['get_problem', { source: 'leetcode', id: '1' }, problemRecord],
  ['find_similar_problems', { query: 'abc' }, { rewritten_query: 'x', results: [hit, hit] }],
  ['resolve_problem', { query: '1' }, { source: 'leetcode', id: '1', problem: problemRecord }],
  ['get_platform_status', {}, { version: '1', platforms: [platform, platform] }],
  [
    'list_problems',
    { source: 'leetcode' },
    { data: [problemRecord], meta: { total: 1, page: 1, per_page: 20, total_pages: 1 } },
  ],
  ['list_tags', { source: 'leetcode' }, ['array', 'graph']],
  ['get_samples', { source: 'leetcode', id: '1' }, problemRecord],
] as const;

const unusual: unknown[] = [undefined, null, -1, 0.5, 1e308, '', '\u202e\u200b', '|\n# x', '\ud800', [null], {}];

/** Yields copies of a JSON value. In each copy one part of the value, or the whole value, is replaced. */
function* replacedOnce(value: unknown, by: unknown): Generator {
  yield by;
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) {
      for (const other of replacedOnce(part, by)) yield value.with(index, other);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      for (const other of replacedOnce(part, by)) yield { ...value, [name]: other };
    }
  }
}

test.each(calls)(
  'the tool %s shows or rejects a response with one unusual value, without an internal error',
  async (...row) => {
    const [tool, args, answer] = row;
    const { call, judge } = await connectToJudge({ json: answer }, 'a-token-of-the-test', { 'oj-extras': true });
    expect(await call(tool, args)).toMatchObject({ isError: false });
    for (const json of unusual.flatMap(by => [...replacedOnce(answer, by)])) {
      judge.reply = { json };
      const said = await call(tool, args).then(
        ({ texts }) => texts.join('\n'),
        (error: unknown) => String(error),
      );
      expect(said, JSON.stringify(json)).not.toMatch(/^$|this is a bug|undefined|\bNaN\b|\[object/);
    }
  },
);
