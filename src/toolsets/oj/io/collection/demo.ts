import { Failure } from '../../../../errors/failure.ts';
import type { Api } from '../api.ts';
import { createProblemCollection, type ProblemCollection } from './collection.ts';
import { createProblemCollectionApi } from './collection-api.ts';
import records from './demo-problems.json' with { type: 'json' };
import { parseProblemRecord } from './record.ts';

const dayMs = 86_400_000;
const demoNotice =
  '<p>(Demo: this problem is invented. The daily problem of LeetCode needs <code>--base-url</code>.)</p>\n';

/** Creates the API that serves the built-in problems of --demo. */
export function openDemoApi(): Api {
  const collection = demoCollection();
  const api = createProblemCollectionApi(collection, 'en');
  return {
    ...api,
    resolve: async (query, signal) => await api.resolve(query, signal).catch(nameDemo),
    problem: async (source, id, signal) => await api.problem(source, id, signal).catch(nameDemo),
    /**
     * The demo has a problem for each day. The step from one day to the next is chosen so that all 14 problems occur
     * before one is repeated.
     */
    async daily(domain, date) {
      const day = Date.parse(date) / dayMs + (domain === 'cn' ? 1 : 0);
      const { entries } = collection;
      const problem = entries[(day * 5) % entries.length]?.read();
      if (problem === undefined) return { problem, retryAfterSeconds: undefined };
      return { problem: { ...problem, content: `${demoNotice}${problem.content}` } };
    },
  };
}

/** Adds a hint to an error of the demo: real problems require a backend. */
function nameDemo(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  const { code, message, status, hint = '' } = error;
  throw new Failure(code, message, {
    ...(status !== undefined && { status }),
    hint: `This is the demo: real problems need --base-url in place of --demo. ${hint}`.trim(),
  });
}

function demoCollection(): ProblemCollection {
  const name = 'the built-in collection';
  const place = (): string => name;
  const entries = records.map(record => ({
    source: record.source,
    id: record.id,
    hasStatement: true,
    place,
    read: () => parseProblemRecord(record, place),
  }));
  return createProblemCollection([{ entries }], [name]);
}
