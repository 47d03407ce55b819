import { expect, test } from 'vitest';
import { connectWithExtras } from './support.ts';

test('asks for the tags of the platform, encoded', async () => {
  const { call, judge } = await connectWithExtras({ json: [] });
  await call('list_tags', { source: ' a/b ' });
  expect(judge.requests.map(({ target }) => target)).toEqual(['/api/v1/tags/a%2Fb']);
});

test.each([
  [['array', 'hash table'], '2 tags, as "tags" of list_problems takes them:\n\narray, hash table'],
  [['动态规划\n'], '1 tag, as "tags" of list_problems takes them:\n\n动态规划'],
  [['a\nb', '', ' \u200b'], '1 tag, as "tags" of list_problems takes them:\n\na b'],
  [[], 'The problems of this platform have no tags: list_problems can search their titles.'],
])('%j reads as a list', async (json, text) => {
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
])('%j is a tool error, and nothing is sent', async (args, text) => {
  const { call, judge } = await connectWithExtras({ json: [] });
  expect(await call('list_tags', args)).toMatchObject({ isError: true, text });
  expect(judge.requests).toEqual([]);
});

test.each([{}, null, 'array', [1], [null]])('%j is no list of tags', async json => {
  const { call } = await connectWithExtras({ json });
  await expect(call('list_tags', { source: 'leetcode' })).rejects.toThrow("The backend's answer to /api/v1/tags");
});
