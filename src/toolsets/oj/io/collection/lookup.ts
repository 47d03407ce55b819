import { memoize } from '../../../../async/memoize.ts';
import { EventLoopYielder } from '../../../../async/yielder.ts';
import type { StatementLanguage } from '../../model/language.ts';
import type { ProblemRecord } from '../../model/problem.ts';
import { createProblemKey, type ProblemCollection, type ProblemCollectionEntry } from './collection.ts';
import { createProblemNotFoundFailure } from './errors.ts';
import { type ProblemSummary, problemSummaryOf } from './list.ts';
import { createIdSuggester, createProblemResolver, type ProblemResolver } from './resolve.ts';
import { createIndexBuilder, type SearchIndex } from './search-index.ts';

/**
 * Reading all records takes one to two seconds. The work is divided into time slices of this number of milliseconds,
 * and other requests are handled between them.
 */
const sliceMs = 20;

/** Finds problems. The summaries and the index are created at the first request that needs them. */
export interface ProblemCollectionLookup {
  /** Returns the problem. Throws a Failure with a hint if it does not exist. */
  find(source: string, id: string): ProblemCollectionEntry;
  /** Returns the summaries of a source. Throws a Failure if the source does not exist. */
  summariesOf(source: string): Promise<ProblemSummary[]>;
  loadIndex(): Promise<SearchIndex>;
  loadResolver(): Promise<ProblemResolver>;
}

export function createProblemCollectionLookup(
  collection: ProblemCollection,
  language: StatementLanguage,
): ProblemCollectionLookup {
  const { byKey, sources } = collection;
  const suggestId = memoize(() => createIdSuggester(collection));
  const loadSummaries = memoize(async () => {
    const summaries: ProblemSummary[] = [];
    await readAll(collection, problem => summaries.push(problemSummaryOf(problem)));
    return summaries;
  });
  return {
    find(source, id) {
      const entry = byKey.get(createProblemKey(source, id));
      if (entry !== undefined) return entry;
      const other = suggestId()(source, id);
      if (other !== undefined)
        throw createProblemNotFoundFailure(collection, 'problem not found', `Did you mean ${nameOf(other)}?`);
      throw createProblemNotFoundFailure(
        collection,
        'problem not found',
        sources.includes(source) ? unknownIdHint : createKnownSourcesHint(sources),
      );
    },
    async summariesOf(source) {
      if (!sources.includes(source))
        throw createProblemNotFoundFailure(
          collection,
          `the collection has no source ${source}`,
          createKnownSourcesHint(sources),
        );
      return (await loadSummaries()).filter(summary => summary.source === source);
    },
    loadIndex: memoize(async () => {
      const builder = createIndexBuilder(language);
      await readAll(collection, problem => builder.add(problem));
      return builder.finish();
    }),
    loadResolver: memoize(async () => createProblemResolver(collection, await loadSummaries())),
  };
}

async function readAll({ entries }: ProblemCollection, use: (problem: ProblemRecord) => void): Promise<void> {
  const yielder = new EventLoopYielder(sliceMs);
  for (const entry of entries) {
    use(entry.read());
    await yielder.yieldIfDue();
  }
}

const unknownIdHint =
  'Ids are matched exactly: for a link or a slug use resolve_problem, for a title find_similar_problems.';

function nameOf({ source, id }: ProblemCollectionEntry): string {
  return `${JSON.stringify(id)} of ${source}`;
}

export function createKnownSourcesHint(sources: readonly string[]): string {
  return `Sources of this collection: ${joinFirstNames(sources)}.`;
}

const maxNames = 20;

/** Joins at most 20 names and adds the number of the remaining names. */
export function joinFirstNames(names: readonly string[]): string {
  const more = names.length - maxNames;
  return names.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
