import { memoize } from '../../../../async/memoize.ts';
import { EventLoopYielder } from '../../../../async/yielder.ts';
import { Failure } from '../../../../errors/failure.ts';
import type { StatementLanguage } from '../../model/language.ts';
import type { ProblemRecord } from '../../model/problem.ts';
import { createProblemKey, type ProblemCollection, type ProblemCollectionEntry, readOrFailure } from './collection.ts';
import { createProblemNotFoundFailure, isChangedCollectionFailure } from './errors.ts';
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
  /** Returns a note on the invalid records, which searches and lists know only by source and id. */
  noteOnInvalidRecords(): string | undefined;
}

export function createProblemCollectionLookup(
  collection: ProblemCollection,
  language: StatementLanguage,
): ProblemCollectionLookup {
  const { byKey, sources } = collection;
  const suggestId = memoize(() => createIdSuggester(collection));
  const invalid = new Map<ProblemCollectionEntry, Failure>();
  const loadSummaries = memoize(async () => {
    const summaries: ProblemSummary[] = [];
    await readAll(collection, invalid, problem => summaries.push(problemSummaryOf(problem)));
    return summaries;
  });
  return {
    find(source, id) {
      const entry = byKey.get(createProblemKey(source, id));
      if (entry !== undefined) return entry;
      const other = suggestId()(source, id);
      const hint = sources.includes(source) ? unknownIdHint : createKnownSourcesHint(sources);
      const nextStep = other === undefined ? hint : `Did you mean ${nameOf(other)}?`;
      throw createProblemNotFoundFailure(collection, 'problem not found', nextStep);
    },
    async summariesOf(source) {
      if (!sources.includes(source)) {
        const detail = `the collection has no source ${source}`;
        throw createProblemNotFoundFailure(collection, detail, createKnownSourcesHint(sources));
      }
      return (await loadSummaries()).filter(summary => summary.source === source);
    },
    loadIndex: memoize(async () => {
      const builder = createIndexBuilder(language);
      await readAll(collection, invalid, problem => builder.add(problem));
      return builder.finish();
    }),
    loadResolver: memoize(async () => createProblemResolver(collection, await loadSummaries())),
    noteOnInvalidRecords: () => describeInvalidRecords([...invalid.values()]),
  };
}

function describeInvalidRecords([first, ...others]: readonly Failure[]): string | undefined {
  if (first === undefined) return undefined;
  const count =
    others.length === 0 ? '1 record is invalid and was' : `${others.length + 1} records are invalid and were`;
  const error = [first.message, first.hint].filter(Boolean).join(' ');
  return `${count} not searched, the first: ${error} The user can list all of them with --check.`;
}

/** Reads all records. An invalid record is replaced by its source and id, because `use` counts the records. */
async function readAll(
  { entries }: ProblemCollection,
  invalid: Map<ProblemCollectionEntry, Failure>,
  use: (problem: ProblemRecord) => void,
): Promise<void> {
  const yielder = new EventLoopYielder(sliceMs);
  for (const entry of entries) {
    const problem = readOrFailure(entry);
    if (problem instanceof Failure) {
      if (isChangedCollectionFailure(problem)) throw problem;
      invalid.set(entry, problem);
      use({ source: entry.source, id: entry.id });
    } else use(problem);
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
