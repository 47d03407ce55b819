import { describe, expect, test } from 'vitest';
import * as fc from '../../support/property.ts';
import { connectToJudge, connectWithExtras, problemDocument, problemRecord, problemText } from './support.ts';

describe('the request of get_problem', () => {
  test.each([
    ['leetcode', '1', '/api/v1/problems/leetcode/1'],
    ['a/b', 'c d', '/api/v1/problems/a%2Fb/c%20d'],
    ['codeforces', '1920/A', '/api/v1/problems/codeforces/1920%2FA'],
    [' leetcode\n', '\u00851\u3000', '/api/v1/problems/leetcode/1'],
    ['\ufeffx', '1', '/api/v1/problems/%EF%BB%BFx/1'],
    ['x', "%2e%2e'()*!~-_", '/api/v1/problems/x/%252e%252e%27%28%29%2A%21~-_'],
    ['x', '../..', '/api/v1/problems/x/..%2F..'],
    ['x', '题?#', '/api/v1/problems/x/%E9%A2%98%3F%23'],
    ['x', 'a\ud800b', '/api/v1/problems/x/a%EF%BF%BDb'],
  ])('contains the source %j and the id %j as %s', async (source, id, target) => {
    const { call, judge } = await connectToJudge({ json: problemRecord });
    await call('get_problem', { source, id });
    expect(judge.requests.map(request => request.target)).toEqual([target]);
  });

  test('has two path segments that decode to source and id for every input (INVARIANT T2)', async () => {
    const { call, judge } = await connectToJudge({ json: problemRecord });
    // The generated text has no white space at its ends and is neither `.` nor `..`, because separate rules apply to
    // these.
    const segment = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map(text => `x${text.toWellFormed()}x`);
    await fc.assert(
      fc.asyncProperty(segment, segment, async (source, id) => {
        await call('get_problem', { source, id });
        const target = judge.requests.at(-1)?.target ?? '';
        expect(target).toMatch(/^\/api\/v1\/problems\/[\w.~%-]+\/[\w.~%-]+$/);
        expect(target.split('/').slice(4).map(decodeURIComponent)).toEqual([source, id]);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [{ source: '', id: '1' }, '"source" must not be empty.'],
    [{ source: '  ', id: '1' }, '"source" must not be empty.'],
    [{ source: 'leetcode', id: '' }, '"id" must not be empty.'],
    [{ source: 'leetcode', id: ' \u0085\t' }, '"id" must not be empty.'],
    [{ source: '..', id: 'status' }, '"source" must not be "..".'],
    [{ source: 'leetcode', id: ' . ' }, '"id" must not be ".".'],
    [{ source: 'x', id: 'x'.repeat(2001) }, '"id" must have 2000 characters or fewer.'],
    [{ id: '1' }, 'get_problem: "source" is required'],
    [{ source: 'leetcode', id: null }, 'get_problem: "id" is required'],
    [{ source: 'leetcode', id: 1.5 }, 'get_problem: "id" must be a string, got the number 1.5'],
  ])('is not sent and a tool error is returned for %j (INVARIANT T2)', async (args, text) => {
    const { call, judge } = await connectToJudge({ json: problemRecord });
    expect(await call('get_problem', args)).toMatchObject({ isError: true, text });
    expect(judge.requests).toEqual([]);
  });
});

describe('the result of get_problem', () => {
  test('shows the title, the header and the statement (INVARIANT T2)', async () => {
    const { call } = await connectToJudge({ json: problemRecord });
    expect(await call('get_problem', { source: 'leetcode', id: '1' })).toMatchObject({
      isError: false,
      texts: [problemText],
    });
  });

  const exactly = 'Ids are matched exactly: for a link or a slug use resolve_problem.';
  test.each([
    ['leetcode', '12345', exactly],
    ['leetcode', 'Two Sum', 'For a slug call resolve_problem with "leetcode:two-sum".'],
    ['codeforces', '1920a', 'Did you mean "1920A"?'],
    ['atcoder', 'ABC300_A', 'Did you mean "abc300_a"?'],
    ['luogu', 'P1', exactly],
    ['elsewhere', 'x', exactly],
  ])('is a tool error with the next step for a 404 response to %s %s', async (source, id, hint) => {
    const { call } = await connectToJudge(problemDocument(404, 'Not Found', 'problem not found'));
    expect(await call('get_problem', { source, id })).toMatchObject({
      isError: true,
      texts: ['[404] Not Found: problem not found', hint],
    });
  });

  test.each([
    ['LeetCode', 'Did you mean "leetcode"?'],
    ['uva', 'get_platform_status lists the platforms.'],
  ])('is a tool error with the next step for a 400 response to the platform %s', async (source, hint) => {
    const reply = problemDocument(400, 'Bad Request', `invalid source: ${source}`);
    const { call } = await connectToJudge(reply, undefined, { 'oj-extras': true });
    for (const tool of ['get_problem', 'list_problems', 'list_tags']) {
      expect(await call(tool, { source, ...(tool === 'get_problem' && { id: '1' }) })).toMatchObject({
        isError: true,
        texts: [`[400] Bad Request: invalid source: ${source}`, hint],
      });
    }
  });

  test('is a protocol error with the reason and a shortened path if the response is unreadable', async () => {
    const { call } = await connectToJudge({ json: { title: 'no id' } });
    const start = `The response of the backend to /api/v1/problems/leetcode/${'%E9%A2%98'.repeat(10)}`;
    const message = expect.stringMatching(new RegExp(`${start}.*…: "id" is required\\. .*--check\\.$`));
    await expect(call('get_problem', { source: 'leetcode', id: '题'.repeat(2000) })).rejects.toMatchObject({ message });
  });

  test('is a tool error with the general hint for an unknown 400 response', async () => {
    const { call } = await connectToJudge(problemDocument(400, 'Bad Request', 'something else'));
    expect((await call('get_problem', { source: 'leetcode', id: '1' })).texts).toEqual([
      '[400] Bad Request: something else',
      'The backend rejects the request: compare the arguments with the description of the tool.',
    ]);
  });

  test.each([
    ['a string', 'x', 'it must be an object, got a string'],
    ['null', null, 'it must be an object, got null'],
    ['a record without id', { ...problemRecord, id: undefined }, '"id" is required'],
    ['a record with tags that are not a list', { ...problemRecord, tags: 'x' }, '"tags" must be a list, got a string'],
  ])('is a protocol error for a response of %s (S4.1)', async (_, json, message) => {
    const { call } = await connectToJudge({ json });
    await expect(call('get_problem', { source: 'leetcode', id: '1' })).rejects.toThrow(
      `The response of the backend to /api/v1/problems/leetcode/1: ${message}`,
    );
  });

  test('contains at most 102,400 bytes of a statement of 200 KiB (INVARIANT S5.2)', async () => {
    const { call } = await connectToJudge({ json: { ...problemRecord, content: 'x'.repeat(200 * 1024) } });
    const { text } = await call('get_problem', { source: 'leetcode', id: '1' });
    expect(Buffer.byteLength(text)).toBe(102_400 + 17);
    expect(text).toMatch(/x\n\n\.\.\. \(truncated\)$/);
  });

  test('never contains the token, which is redacted from every response', async () => {
    const token = 'tok_en*0123456789';
    const { call, judge } = await connectToJudge(
      { json: { ...problemRecord, title: token, content: `<p>${token}</p><p>tok&#95;en*0123456789</p>` } },
      token,
    );
    expect((await call('get_problem', { source: 'leetcode', id: '1' })).text).not.toMatch(/0123456789/);
    judge.reply = { status: 401, type: 'text/plain', body: `who is ${token}?` };
    expect((await call('get_problem', { source: 'leetcode', id: '1' })).text).toBe('[401] who is [redacted]?');
    judge.reply = { json: { id: 1, [token]: token } };
    await expect(call('get_problem', { source: 'leetcode', id: token })).rejects.toThrow('[redacted]');
  });

  test('is not sent after a cancellation of the call, and the request to the backend is aborted', async () => {
    const { call, judge } = await connectToJudge(() => cancel.abort());
    const cancel = new AbortController();
    await expect(call('get_problem', { source: 'leetcode', id: '1' }, cancel.signal)).rejects.toThrow('aborted');
    await expect.poll(() => judge.aborted).toBe(1);
  });

  test('does not wait for other calls: fifty calls run concurrently', async () => {
    const { call, judge } = await connectToJudge({ json: problemRecord });
    const waiting: (() => void)[] = [];
    judge.reply = response => {
      waiting.push(() =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(problemRecord)),
      );
      if (waiting.length === 50) for (const answer of waiting) answer();
    };
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => call('get_problem', { source: 'x', id: '1' })));
    expect(outcomes.every(({ isError }) => !isError)).toBe(true);
  });
});

describe('the flag --oj-language in get_problem', () => {
  const both = { ...problemRecord, content_cn: '<p>返回下标。</p>' };
  test.each([
    ['en', both, '# Two Sum', 'Return **both** indices'],
    ['cn', both, '# 两数之和', '返回下标。'],
    ['en', { ...both, title: null, content: ' ' }, '# 两数之和', '返回下标。'],
    ['cn', { ...both, title_cn: '', content_cn: null }, '# Two Sum', 'Return **both** indices'],
    ['cn', { ...both, title_cn: 1, content_cn: [] }, '# Two Sum', 'Return **both** indices'],
    [
      'en',
      { ...both, title: null, title_cn: null, content: null, content_cn: null },
      '# N/A',
      'No description available.',
    ],
  ])(
    'selects the language: %s of %j shows the title %j and the statement %j',
    async (language, json, title, statement) => {
      const { call } = await connectToJudge({ json }, undefined, { 'oj-language': language });
      const { text } = await call('get_problem', { source: 'leetcode', id: '1' });
      expect(text.split('\n')[0]).toBe(title);
      expect(text).toContain(`\n---\n\n${statement}`);
    },
  );
});

describe('the line of extra fields in get_problem', () => {
  const extras = async (changes: object) => {
    const { call } = await connectWithExtras({ json: { ...problemRecord, ...changes } });
    return (await call('get_problem', { source: 'leetcode', id: '1' })).text.split('\n').slice(5, 8);
  };

  test.each([
    [{ rating: 1900, contest: '1920', paid_only: 1 }, '- Rating: 1900 | Contest: 1920 | Paid only: yes'],
    [{ rating: 1587.6, contest: ' ', paid_only: 0 }, '- Rating: 1588 | Paid only: no'],
    [{ rating: 0, contest: 'a\nb', paid_only: null }, '- Contest: a b'],
    [{ rating: 'x', contest: 'c', paid_only: {} }, '- Contest: c'],
  ])('shows the fields of %j below the acceptance rate', async (changes, line) => {
    expect(await extras(changes)).toEqual(['- AC Rate: 57.3%', line, '']);
  });

  test('is omitted if the backend has none of the fields', async () => {
    expect(await extras({ rating: 0, contest: null, paid_only: null })).toEqual(['- AC Rate: 57.3%', '', '---']);
  });
});
