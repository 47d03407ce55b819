import { memoize } from '../../../async/memoize.ts';
import type { Api } from './api.ts';

/** Returns an API that loads its code and its problems at the first call, so that they do not delay the start. */
export function loadApiOnFirstCall(loadApi: () => Promise<Api>): Api {
  const loaded = memoize(loadApi);
  return {
    load: async () => void (await loaded()),
    daily: async (...args) => await (await loaded()).daily(...args),
    problem: async (...args) => await (await loaded()).problem(...args),
    similarToProblem: async (...args) => await (await loaded()).similarToProblem(...args),
    similarToText: async (...args) => await (await loaded()).similarToText(...args),
    resolve: async (...args) => await (await loaded()).resolve(...args),
    status: async (...args) => await (await loaded()).status(...args),
    list: async (...args) => await (await loaded()).list(...args),
    tags: async (...args) => await (await loaded()).tags(...args),
  };
}
