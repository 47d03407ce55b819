import { expect, test } from 'vitest';
import type { FlagValues } from '../../../src/toolset/toolset.ts';
import { oj } from '../../../src/toolsets/oj/index.ts';
import { connect } from '../../support/client.ts';
import { sampleToolset } from '../../support/sample-toolset.ts';
import { connectToJudge } from './support.ts';

const five = ['get_daily_challenge', 'get_problem', 'find_similar_problems', 'resolve_problem', 'get_platform_status'];

const listed = async (values: FlagValues) => {
  const { client } = await connect({ toolsets: [oj], isDemo: true, values });
  return (await client.listTools()).tools.map(({ name }) => name);
};

test('tools/list returns exactly the five tools of the oj toolset (INVARIANT S3)', async () => {
  expect(await listed({})).toEqual(five);
});

test('the flag --oj-extras enables three more tools', async () => {
  expect(await listed({ 'oj-extras': true })).toEqual([...five, 'list_problems', 'list_tags', 'get_samples']);
});

test('a call of an extra tool without --oj-extras returns an error with this flag and sends no request', async () => {
  const { call, judge } = await connectToJudge({ json: [] });
  for (const tool of ['list_problems', 'list_tags']) {
    expect(await call(tool, { source: 'leetcode' })).toEqual({
      isError: true,
      text: `The tool "${tool}" is disabled.\n\nThe user can enable the tool by adding --oj-extras to the arguments of this server in the configuration of the host.`,
      texts: [expect.any(String)],
      structured: undefined,
    });
  }
  expect(judge.requests).toEqual([]);
});

test('a call of an extra tool of a disabled toolset returns an error with both required flags', async () => {
  const { call } = await connect({ toolsets: [sampleToolset()], known: [oj] });
  expect((await call('list_tags', { source: 'leetcode' })).texts).toEqual([
    'The tool "list_tags" belongs to the toolset "oj", which is disabled.\n\nThe user can enable the tool by adding --toolsets sample,oj --oj-extras to the arguments of this server in the configuration of the host.',
  ]);
});

test('the oj toolset is enabled by default', () => {
  expect(oj.isDefault).toBe(true);
});
