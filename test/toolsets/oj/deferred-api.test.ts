import { expect, test } from 'vitest';
import type { Api } from '../../../src/toolsets/oj/io/api.ts';
import { openDemoApi } from '../../../src/toolsets/oj/io/collection/demo.ts';
import { loadApiOnFirstCall } from '../../../src/toolsets/oj/io/deferred-api.ts';

const { signal } = new AbortController();

test('loadApiOnFirstCall loads the API once, at the first call, and forwards all arguments', async () => {
  let loads = 0;
  const load = async (): Promise<Api> => {
    loads++;
    return openDemoApi();
  };
  const api = loadApiOnFirstCall(load);
  expect(loads).toBe(0);
  const [source, id] = ['lantern', 'lan007_a'];
  const [problem, status] = await Promise.all([api.problem(source, id, signal), api.status(signal)]);
  expect(problem).toEqual(await openDemoApi().problem(source, id, signal));
  expect(status).toEqual(await openDemoApi().status(signal));
  expect(loads).toBe(1);
});
