import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createRequestFunction } from '../../src/http/request.ts';
import { startJudge } from '../support/judge.ts';
import { failure, network, never, request } from '../support/requests.ts';

describe('the HTTP client', () => {
  const redirect = (location: string, status = 302) => ({ status, location });
  function follow(steps: Record<string, { status: number; location: string }>) {
    return startJudge(response => {
      const step = steps[response.req.url ?? ''];
      if (step) response.writeHead(step.status, { location: step.location }).end('moved');
      else response.writeHead(200, { 'content-type': 'application/json' }).end('"there"');
    });
  }

  test.each([301, 302, 303, 307, 308])(
    'follows a redirect with status %i and sends the token again within the origin',
    async status => {
      const judge = await follow({ '/': redirect('/next', status) });
      expect((await request(judge, { token: 'a-token' })).data).toBe('there');
      expect(judge.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-token', 'Bearer a-token']);
    },
  );

  test('sends the token only to the first origin, also after a redirect back to it (INVARIANT)', async () => {
    const [home, abroad] = [await startJudge(), await startJudge()];
    const steps: Record<string, string> = {
      '/': `${abroad.origin}/there`,
      '/there': '/still-there',
      '/still-there': `${home.origin}/back`,
      '/back': '/end',
    };
    home.reply = abroad.reply = response => {
      const location = steps[response.req.url ?? ''];
      if (location === undefined) response.writeHead(200, { 'content-type': 'application/json' }).end('1');
      else response.writeHead(302, { location }).end();
    };
    await request(home, { token: 'a-token' });
    const seen = [...home.requests, ...abroad.requests].map(({ target, headers }) => [target, headers.authorization]);
    expect(seen).toEqual([
      ['/', 'Bearer a-token'],
      ['/back', undefined],
      ['/end', undefined],
      ['/there', undefined],
      ['/still-there', undefined],
    ]);
  });

  test('follows ten redirects and rejects the eleventh', async () => {
    const steps = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [`/${index}`, redirect(`/${index + 1}`)]),
    );
    const judge = await follow(steps);
    expect((await request(judge, { path: '/1' })).data).toBe('there');
    const error = await failure(request(judge, { path: '/0' }));
    expect(error).toMatchObject({
      code: 'network',
      message: `${judge.origin} redirected more than 10 times.`,
      hint: 'Look at the network.',
    });
    expect(judge.requests).toHaveLength(11 + 11);
  });

  test.each(['file:///etc/passwd', 'ftp://example.com/', 'javascript:1', 'http://'])(
    'rejects a redirect to %s',
    async location => {
      const judge = await follow({ '/': redirect(location) });
      expect((await failure(request(judge))).message).toContain('redirected to an address that is not http or https');
    },
  );

  test('reports the target of a redirect in the error if the target cannot be reached', async () => {
    const judge = await follow({ '/': redirect('http://127.0.0.1:1/') });
    expect((await failure(request(judge))).message).toContain(
      `Cannot reach http://127.0.0.1:1, to which ${judge.origin} redirects: nothing listens there`,
    );
  });

  test('returns a redirect without a Location header as the response', async () => {
    const judge = await startJudge({ status: 302, body: 'nowhere' });
    expect((await failure(request(judge))).message).toBe('[302] nowhere');
  });

  test('rejects a redirect from http to https of the same host when a token is set, and does not send the token over http again', async () => {
    const judge = await follow({ '/': redirect('https://127.0.0.1:1/there', 308) });
    const send = createRequestFunction({ ...network, token: 'a-token' });
    for (let call = 0; call < 2; call++) {
      const error = await failure(send(`${judge.origin}/`, never));
      expect(error).toMatchObject({ code: 'setting', hint: 'Go to https://127.0.0.1:1.' });
      expect(error.message).toBe(
        `${judge.origin} redirects to https://127.0.0.1:1, which would get no token; and to ${judge.origin} a token goes unencrypted, so it is not sent there again.`,
      );
    }
    expect(judge.requests).toHaveLength(1);
  });

  test('follows a redirect to https of another origin, because the token is no longer sent', async () => {
    const abroad = await follow({ '/there': redirect('https://127.0.0.1:1/there') });
    const home = await follow({ '/': redirect(`${abroad.origin}/there`) });
    const { message } = await failure(request(home, { token: 'a-token' }));
    expect(message).toContain('Cannot reach https://127.0.0.1:1, to which http://');
  });

  test('follows a redirect without waiting for the body of the redirect response', async () => {
    const judge = await startJudge(response => {
      if (response.req.url === '/') response.writeHead(302, { location: '/next' }).write('moved');
      else response.writeHead(200, { 'content-type': 'application/json' }).end('"there"');
    });
    expect((await request(judge, { deadlineMs: 2 ** 31 - 1 })).data).toBe('there');
    await expect.poll(() => judge.aborted).toBe(1);
  });

  test.each([401, 403])(
    'names the new origin in the hint when the target of a redirect, which gets no token, responds with status %i',
    async status => {
      const abroad = await startJudge({ status, json: { title: 'No' } });
      const home = await follow({ '/': redirect(`${abroad.origin}/there`) });
      const error = await failure(request(home, { token: 'a-token' }));
      expect(error.hint).toBe(
        `A redirect led to ${abroad.origin}, and the token was not sent there. If that is the backend: Go to ${abroad.origin}.`,
      );
      expect((await failure(request(home))).hint).toBe(`Rejected with ${status}, no token.`);
    },
  );

  test('applies one deadline to all redirects of a request', async () => {
    const left: number[] = [];
    const send = createRequestFunction({
      ...network,
      transport: async ({ timeoutMs = 0 }) => {
        left.push(timeoutMs);
        for (const start = performance.now(); performance.now() - start < 5; );
        return { status: 302, headers: { location: '/next' }, body: Readable.from([]) };
      },
    });
    await failure(send('http://judge.example/', never));
    expect(left).toHaveLength(11);
    left.reduce((before, after) => {
      expect(after).toBeLessThanOrEqual(before - 5);
      return after;
    });
  });
});
