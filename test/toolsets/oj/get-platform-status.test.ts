import { describe, expect, test } from 'vitest';
import * as fc from '../../support/property.ts';
import { connectToJudge } from './support.ts';

const token = 'a-token-of-the-test';
const platform = { source: 'atcoder', total: 8356, missing_content: 320, not_embedded: 339 };

async function statusText(json: unknown): Promise<string> {
  const { call } = await connectToJudge({ json }, token);
  return (await call('get_platform_status')).text;
}

test('get_platform_status without a token returns a tool error and sends no request (INVARIANT T5)', async () => {
  const { call, judge } = await connectToJudge({ json: {} });
  expect(await call('get_platform_status')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Authentication is required: oj-mcp was started without a token\.\n\n.*OJ_MCP_TOKEN/),
  });
  expect(judge.requests).toEqual([]);
});

test('get_platform_status sends a request to /status with the bearer token', async () => {
  const { call, judge } = await connectToJudge({ json: { version: '1', platforms: [] } }, token);
  await call('get_platform_status');
  expect(judge.requests).toMatchObject([{ target: '/status', headers: { authorization: `Bearer ${token}` } }]);
});

test('get_platform_status shows the version and a table of four columns in the order of the response (INVARIANT T5)', async () => {
  const platforms = [
    { ...platform, source: 'spoj' },
    platform,
    { source: 'le|et', total: 0, missing_content: 12984, not_embedded: 1e6 },
  ];
  expect(await statusText({ version: '1.2.3', platforms })).toBe(`# OJ Platform Status (v1.2.3)

| Platform | Problems | Missing Content | Not Embedded |
|----------|----------|-----------------|--------------|
| spoj | 8,356 | 320 | 339 |
| atcoder | 8,356 | 320 | 339 |
| le\\|et | 0 | 12,984 | 1,000,000 |`);
});

test('get_platform_status shows a table without rows and a sentence for a backend without platforms', async () => {
  expect(await statusText({ version: '1', platforms: [] })).toBe(`# OJ Platform Status (v1)

| Platform | Problems | Missing Content | Not Embedded |
|----------|----------|-----------------|--------------|

No platforms: the backend has no problems yet.`);
});

describe('a count in the result of get_platform_status', () => {
  test.each([
    [0, '0'],
    [100, '100'],
    [1000, '1,000'],
    [12984, '12,984'],
    [4294967295, '4,294,967,295'],
    [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
  ])('is shown as in this example: %d as %s (INVARIANT T5)', async (total, text) => {
    expect(await statusText({ version: '1', platforms: [{ ...platform, total }] })).toContain(`| atcoder | ${text} |`);
  });

  test('has a comma before every third digit from the right (INVARIANT T5)', async () => {
    const { call, judge } = await connectToJudge({ json: {} }, token);
    await fc.assert(
      fc.asyncProperty(fc.nat(Number.MAX_SAFE_INTEGER), async total => {
        judge.reply = { json: { version: '1', platforms: [{ ...platform, total }] } };
        const { text } = await call('get_platform_status');
        expect(text).toContain(`| atcoder | ${new Intl.NumberFormat('en-US').format(total)} |`);
      }),
      { numRuns: 50 },
    );
  });

  test.each([2 ** 53, -1, 1.5, '7'])('causes a protocol error if it is invalid: %j', async total => {
    const { call } = await connectToJudge({ json: { version: '1', platforms: [{ ...platform, total }] } }, token);
    await expect(call('get_platform_status')).rejects.toThrow('The response of the backend to /status');
  });
});
