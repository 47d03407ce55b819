import type { Api } from '../api.ts';
import { type Collection, createCollection } from './collection.ts';
import { createCollectionApi } from './collection-api.ts';
import records from './demo-problems.json' with { type: 'json' };
import { parseRecord } from './record.ts';

const dayMs = 86_400_000;

/** Creates the API that serves the built-in problems of --demo. */
export function openDemo(): Api {
  const collection = demoCollection();
  return {
    ...createCollectionApi(collection),
    /** Each day has a problem. The increment visits all 14 problems before one is repeated. */
    async daily(domain, date) {
      const day = Date.parse(date) / dayMs + (domain === 'cn' ? 1 : 0);
      const { entries } = collection;
      const problem = entries[(day * 5) % entries.length]?.read();
      return problem === undefined ? { problem, retryAfterSeconds: undefined } : { problem };
    },
  };
}

function demoCollection(): Collection {
  const name = 'the built-in collection';
  const place = (): string => name;
  const entries = records.map(record => ({
    source: record.source,
    id: record.id,
    hasStatement: true,
    place,
    read: () => parseRecord(record, place),
  }));
  return createCollection([{ entries }], [name]);
}
