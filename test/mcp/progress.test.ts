import { expect, test, vi } from 'vitest';
import { createProgressReporter } from '../../src/mcp/progress.ts';

test.each([0, -1, 'token', ''])('progress is reported for the token %j until the request is cancelled', token => {
  const sent: unknown[] = [];
  const call = new AbortController();
  const report = createProgressReporter({ _meta: { progressToken: token } }, call.signal, async notification => {
    sent.push(notification);
  });
  report(1);
  report(2, 0, '');
  report(3, 10, 'three');
  call.abort();
  report(4);
  expect(sent).toEqual([
    { method: 'notifications/progress', params: { progressToken: token, progress: 1 } },
    { method: 'notifications/progress', params: { progressToken: token, progress: 2, total: 0, message: '' } },
    { method: 'notifications/progress', params: { progressToken: token, progress: 3, total: 10, message: 'three' } },
  ]);
});

test.each([undefined, {}, { _meta: {} }, { _meta: { progressToken: null } }, { _meta: { progressToken: 1.5 } }])(
  'progress is not reported for a request with the parameters %j',
  params => {
    const send = vi.fn<() => Promise<void>>();
    createProgressReporter(params, new AbortController().signal, send)(1);
    expect(send).not.toHaveBeenCalled();
  },
);

test('a progress notification that cannot be sent is ignored', async () => {
  const send = vi.fn<() => Promise<void>>(async () => await Promise.reject(new Error('closed')));
  createProgressReporter({ _meta: { progressToken: 1 } }, new AbortController().signal, send)(1);
  await new Promise(resolve => setImmediate(resolve));
  expect(send).toHaveBeenCalledTimes(1);
});
