import { expect, test } from 'vitest';
import { oj } from '../../../src/toolsets/oj/index.ts';
import { connect } from '../../support/client.ts';

test('INVARIANT S3 the tools are exactly these five', async () => {
  const { client } = await connect({ toolsets: [oj], isDemo: true });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'get_daily_challenge',
    'get_problem',
    'find_similar_problems',
    'resolve_problem',
    'get_platform_status',
  ]);
});

test('is what is served when nothing else is asked for', () => {
  expect(oj.isDefault).toBe(true);
});
