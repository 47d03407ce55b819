import { describe, expect, test } from 'vitest';
import { connectToJudge, problemRecord, problemText } from './support.ts';

const utcToday = () => new Date().toISOString().slice(0, 10);

/**
 * Returns the date in the request, and the dates before and after the call, because midnight may pass during the call.
 */
async function sentDate(call: () => Promise<unknown>, sent: () => string | undefined) {
  const before = utcToday();
  await call();
  return { sent: sent()?.slice(-10), possible: [before, utcToday()] };
}

describe('the request of get_daily_challenge', () => {
  test('contains the UTC day in every time zone if the call has no date (INVARIANT T1)', async () => {
    const { call, judge } = await connectToJudge({ json: problemRecord });
    const zone = process.env['TZ'];
    try {
      for (const offset of ['Etc/GMT-14', 'Etc/GMT+12', 'UTC']) {
        process.env['TZ'] = offset;
        const { sent, possible } = await sentDate(
          () => call('get_daily_challenge'),
          () => judge.requests.at(-1)?.target,
        );
        expect(possible).toContain(sent);
      }
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  test('contains the domain com if the call has no domain (INVARIANT T1)', async () => {
    const { call, judge } = await connectToJudge({ json: problemRecord });
    await call('get_daily_challenge', { date: '2026-01-01' });
    expect(judge.requests[0]?.target).toBe('/api/v1/daily?domain=com&date=2026-01-01');
  });

  test.each(['com', 'cn'])('contains the domain %s in the query string', async domain => {
    const { call, judge } = await connectToJudge({ json: problemRecord });
    await call('get_daily_challenge', { domain, date: '2024-02-29' });
    expect(judge.requests[0]?.target).toBe(`/api/v1/daily?domain=${domain}&date=2024-02-29`);
  });

  test.each([
    [{ domain: 'COM' }, 'get_daily_challenge: "domain" must be "com" or "cn", got the string "COM"'],
    [{ domain: ' ' }, 'get_daily_challenge: "domain" must be "com" or "cn", got the string " "'],
    [{ domain: 1 }, 'get_daily_challenge: "domain" must be "com" or "cn", got the number 1'],
    [{ date: 20260101 }, 'get_daily_challenge: "date" must be a string, got the number 20260101'],
    [{ date: '' }, '"date" must be a calendar day in the form YYYY-MM-DD, got "".'],
    [{ date: '2026-1-1' }, '"date" must be a calendar day in the form YYYY-MM-DD, got "2026-1-1".'],
    [{ date: '2026-01-01&x=1' }, '"date" must be a calendar day in the form YYYY-MM-DD, got "2026-01-01&x=1".'],
    [{ date: '2026-02-29' }, '"date" must be a calendar day in the form YYYY-MM-DD, got "2026-02-29".'],
  ])('is not sent and a tool error is returned for %j', async (args, text) => {
    const { call, judge } = await connectToJudge({ json: problemRecord });
    expect(await call('get_daily_challenge', args)).toMatchObject({ isError: true, text });
    expect(judge.requests).toEqual([]);
  });
});

describe('the result of get_daily_challenge', () => {
  test('shows the header and the statement of a 200 response (INVARIANT T1)', async () => {
    const { source: _, ...daily } = { ...problemRecord, date: '2026-01-01', domain: 'com' };
    const { call } = await connectToJudge({ json: daily });
    expect(await call('get_daily_challenge')).toMatchObject({ isError: false, texts: [problemText] });
  });

  test('contains HTML content converted to Markdown (INVARIANT T1)', async () => {
    const { call } = await connectToJudge({ json: { ...problemRecord, content: '<b>bold</b>' } });
    expect((await call('get_daily_challenge')).text).toMatch(/\n\n---\n\n\*\*bold\*\*$/);
  });

  const unknownTime = 'The backend gave no retry_after: retry in a minute.';
  test.each([
    ['retry_after 1', { status: 202, json: { retry_after: 1 } }, 'Retry in 1 second (retry_after: 1).'],
    [
      'retry_after 30',
      { status: 202, json: { status: 'fetching', retry_after: 30 } },
      'Retry in 30 seconds (retry_after: 30).',
    ],
    ['retry_after 0', { status: 202, json: { retry_after: 0 } }, 'Retry now (retry_after: 0).'],
    ['a retry_after that is not a number', { status: 202, json: { retry_after: 'soon' } }, unknownTime],
    ['an infinite retry_after', { status: 202, type: 'application/json', body: '{"retry_after":1e999}' }, unknownTime],
    ['a text body', { status: 202, type: 'text/plain', body: 'wait' }, unknownTime],
  ])(
    'states when to retry, and is no error, for a 202 response with %s (INVARIANT T1, S4.5)',
    async (_, reply, retry) => {
      const { call } = await connectToJudge(reply);
      expect(await call('get_daily_challenge', { date: '2026-01-01' })).toMatchObject({
        isError: false,
        text: `The daily challenge of 2026-01-01 (com) is being fetched by the backend. ${retry}`,
      });
    },
  );

  test('is a tool error with the text of an error response of the backend', async () => {
    const { call } = await connectToJudge({
      status: 400,
      type: 'application/problem+json',
      json: { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'date must be <= today' },
    });
    expect(await call('get_daily_challenge', { date: '2099-01-01' })).toMatchObject({
      isError: true,
      text: '[400] Bad Request: date must be <= today',
    });
  });
});
