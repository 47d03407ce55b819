import { expect, onTestFinished, test } from 'vitest';
import { type FlagValues, openToolset } from '../../../src/toolset/toolset.ts';
import { oj } from '../../../src/toolsets/oj/index.ts';
import { connect } from '../../support/client.ts';
import { sampleToolset } from '../../support/sample-toolset.ts';
import { fileWith, jsonLines } from './collection/support.ts';
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

async function openWith(values: FlagValues, isDemo = false) {
  const opened = await openToolset(oj, values, { isDemo });
  onTestFinished(() => opened.close());
  return opened;
}

test('the oj toolset logs the source of its problems and whether a token is set, but not the token', async () => {
  const backend = { 'base-url': 'https://judge.example' };
  const file = fileWith(jsonLines());
  expect((await openWith(backend)).notes).toEqual(['token: not configured']);
  expect((await openWith({ ...backend, token: 'a-secret-token' })).notes).toEqual(['token: configured']);
  expect((await openWith({ problems: [file] })).notes).toEqual([`problems of ${file}: no requests are sent`]);
  expect((await openWith({}, true)).notes).toEqual(['built-in problems: no requests are sent']);
});

test('the oj toolset warns of flags that its mode ignores', async () => {
  const ignored = { 'base-url': 'https://judge.example', token: 'a-secret-token' };
  expect((await openWith(ignored, true)).warnings).toEqual([
    '--base-url is ignored because of --demo',
    '--token is ignored because of --demo',
  ]);
  expect((await openWith({ ...ignored, problems: [fileWith(jsonLines())] })).warnings).toEqual([
    '--base-url is ignored because of --problems',
    '--token is ignored because of --problems',
  ]);
  await expect(openWith({ problems: [fileWith(jsonLines())] }, true)).rejects.toThrow(
    '--problems and --demo are both set.',
  );
});

test.each([
  [300, true],
  [301, false],
])('the oj toolset publishes the sources of a collection up to 300 characters: %i', async (length, isListed) => {
  const source = 's'.repeat(length);
  const { published } = await openWith({ problems: [fileWith(jsonLines([{ source, id: '1', title: 'One' }]))] });
  const list = isListed ? source : 'see get_platform_status';
  expect(published).toEqual({
    instructions: `The problems, also the daily one, are from the user's files. Sources: ${list}.`,
    arguments: { source: `Here only: ${list}`, source_filter: `Here only: ${list}` },
  });
});

test('the oj toolset publishes the sources of the demo, and none of a backend', async () => {
  const { published } = await openWith({}, true);
  expect(published.instructions).toMatch(/^This is a demo with invented problems, .* Sources: .+\.$/);
  expect((await openWith({ 'base-url': 'https://judge.example' })).published).toEqual({});
});
