import { expect, test } from 'vitest';
import type { Api } from '../../../src/toolsets/oj/io/api.ts';
import { openDemo } from '../../../src/toolsets/oj/io/collection/demo.ts';
import { deferApi } from '../../../src/toolsets/oj/io/deferred-api.ts';

const { signal } = new AbortController();

test('deferApi loads the API once, at the first call, and forwards all arguments', async () => {
  let loads = 0;
  const load = async (): Promise<Api> => {
    loads++;
    return openDemo();
  };
  const api = deferApi(load);
  expect(loads).toBe(0);
  const [source, id] = ['lantern', 'lan007_a'];
  const [problem, status] = await Promise.all([api.problem(source, id, signal), api.status(signal)]);
  expect(problem).toEqual(await openDemo().problem(source, id, signal));
  expect(status).toEqual(await openDemo().status(signal));
  expect(loads).toBe(1);
});
