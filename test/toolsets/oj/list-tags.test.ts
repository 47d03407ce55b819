import { expect, test } from 'vitest';
import { connectWithExtras } from './support.ts';

test('list_tags sends the platform as one encoded path segment', async () => {
  const { call, judge } = await connectWithExtras({ json: [] });
  await call('list_tags', { source: ' a/b ' });
  expect(judge.requests.map(({ target }) => target)).toEqual(['/api/v1/tags/a%2Fb']);
});

test.each([
  [['array', 'hash table'], '2 tags, valid for "tags" of list_problems:\n\narray, hash table'],
  [['动态规划\n'], '1 tag, valid for "tags" of list_problems:\n\n动态规划'],
  [['a\nb', '', ' \u200b'], '1 tag, valid for "tags" of list_problems:\n\na b'],
  [[], 'The problems of this platform have no tags: search the titles with list_problems.'],
])('list_tags shows a response of %j as a list', async (json, text) => {
  const { call } = await connectWithExtras({ json });
  expect(await call('list_tags', { source: 'leetcode' })).toMatchObject({
    isError: false,
    texts: [`# Tags of leetcode\n\n${text}`],
  });
});

test.each([
  [{}, 'list_tags: "source" is required'],
  [{ source: ' ' }, '"source" must not be empty.'],
  [{ source: '..' }, '"source" must not be "..".'],
])('list_tags returns a tool error and sends no request for %j', async (args, text) => {
  const { call, judge } = await connectWithExtras({ json: [] });
  expect(await call('list_tags', args)).toMatchObject({ isError: true, text });
  expect(judge.requests).toEqual([]);
});

test.each([{}, null, 'array', [1], [null]])('list_tags returns a protocol error for a response of %j', async json => {
  const { call } = await connectWithExtras({ json });
  await expect(call('list_tags', { source: 'leetcode' })).rejects.toThrow(
    'The response of the backend to /api/v1/tags',
  );
});
