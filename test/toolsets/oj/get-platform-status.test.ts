import { describe, expect, test } from 'vitest';
import * as fc from '../../support/property.ts';
import { connectToJudge } from './support.ts';

const token = 'a-token-of-the-test';
const platform = { source: 'atcoder', total: 8356, missing_content: 320, not_embedded: 339 };

async function statusText(json: unknown): Promise<string> {
  const { call } = await connectToJudge({ json }, token);
  return (await call('get_platform_status')).text;
}

test('INVARIANT T5 a call without a token is a tool error without a request', async () => {
  const { call, judge } = await connectToJudge({ json: {} });
  expect(await call('get_platform_status')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Authentication is required: oj-mcp was started without a token\.\n\n.*OJ_MCP_TOKEN/),
  });
  expect(judge.requests).toEqual([]);
});

test('request goes to /status with the bearer token', async () => {
  const { call, judge } = await connectToJudge({ json: { version: '1', platforms: [] } }, token);
  await call('get_platform_status');
  expect(judge.requests).toMatchObject([{ target: '/status', headers: { authorization: `Bearer ${token}` } }]);
});

test('INVARIANT T5 result shows the version and a table of four columns in the order of the response', async () => {
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

test('result for a backend without platforms is a table without rows and a sentence', async () => {
  expect(await statusText({ version: '1', platforms: [] })).toBe(`# OJ Platform Status (v1)

| Platform | Problems | Missing Content | Not Embedded |
|----------|----------|-----------------|--------------|

No platforms: the backend has no problems yet.`);
});

describe('numbers', () => {
  test.each([
    [0, '0'],
    [100, '100'],
    [1000, '1,000'],
    [12984, '12,984'],
    [4294967295, '4,294,967,295'],
    [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
  ])('INVARIANT T5 the count %d is shown as %s', async (total, text) => {
    expect(await statusText({ version: '1', platforms: [{ ...platform, total }] })).toContain(`| atcoder | ${text} |`);
  });

  test('INVARIANT T5 counts have a comma before every third digit from the right', async () => {
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

  test.each([2 ** 53, -1, 1.5, '7'])('an invalid count %j is a protocol error', async total => {
    const { call } = await connectToJudge({ json: { version: '1', platforms: [{ ...platform, total }] } }, token);
    await expect(call('get_platform_status')).rejects.toThrow("The backend's answer to /status");
  });
});
