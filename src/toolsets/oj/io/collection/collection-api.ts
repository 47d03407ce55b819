import { memoize } from '../../../../async/memoize.ts';
import { EventLoopYielder } from '../../../../async/yielder.ts';
import { Failure } from '../../../../errors/failure.ts';
import type { CheckResult } from '../../../../toolset/toolset.ts';
import type { ProblemRecord, Similar } from '../../model/problem.ts';
import type { Api, SimilarOptions } from '../api.ts';
import { type Collection, type CollectionEntry, keyOf } from './collection.ts';
import { badRequest, notFound } from './errors.ts';
import { listPage, type Summary, summaryOf } from './list.ts';
import { createIdSuggestion, createResolver } from './resolve.ts';
import { createIndexBuilder, type Hit, queryTerms, type SearchIndex, search, topicTerms } from './search-index.ts';
import { shownWords, wordsOf } from './words.ts';

/** The version of the API that a collection implements. */
const version = '0.2.1-local';
/** Reading all records takes a second or two: other requests are handled every few milliseconds. */
const sliceMs = 20;
const maxNamed = 20;

/** Serves a collection without a backend. */
export function createCollectionApi(collection: Collection): Api {
  const { entries, byKey, sources } = collection;
  const suggestId = memoize(() => createIdSuggestion(collection));
  const readAll = async (use: (problem: ProblemRecord) => void): Promise<void> => {
    const yielder = new EventLoopYielder(sliceMs);
    for (const entry of entries) {
      use(entry.read());
      await yielder.yieldIfDue();
    }
  };
  const loadSummaries = memoize(async () => {
    const summaries: Summary[] = [];
    await readAll(problem => summaries.push(summaryOf(problem)));
    return summaries;
  });
  const loadIndex = memoize(async () => {
    const builder = createIndexBuilder();
    await readAll(problem => builder.add(problem));
    return builder.finish();
  });
  const loadResolver = memoize(async () => createResolver(collection, await loadSummaries()));

  const find = (source: string, id: string): CollectionEntry => {
    const entry = byKey.get(keyOf(source, id));
    if (entry !== undefined) return entry;
    const other = suggestId()(source, id);
    if (other !== undefined) throw notFound('problem not found', `Did you mean ${nameOf(other)}?`);
    if (sources.includes(source)) throw notFound('problem not found', unknownIdHint);
    throw notFound('problem not found', sourcesHint(sources));
  };
  const summariesOf = async (source: string): Promise<Summary[]> => {
    if (!sources.includes(source)) throw notFound(`the collection has no source ${source}`, sourcesHint(sources));
    return (await loadSummaries()).filter(summary => summary.source === source);
  };

  return {
    isTokenMissing: false,
    load: async () => {},

    async daily(domain, date) {
      for (const entry of entries) {
        const problem = entry.date === date ? entry.read() : undefined;
        if (problem !== undefined && (problem.domain ?? domain) === domain) return { problem };
      }
      throw notFound('a collection has no daily challenge', 'Use list_problems or find_similar_problems instead.');
    },

    problem: async (source, id) => find(source, id).read(),

    async similarToProblem(source, id, options) {
      const entry = find(source, id);
      const problem = entry.read();
      const index = await loadIndex();
      const terms = topicTerms(index, problem);
      const isOther = (position: number): boolean => entries[position] !== entry;
      const isEqual = (other: ProblemRecord): boolean => textOf(other) === textOf(problem);
      return similar(collection, terms, findHits(collection, index, terms, options, isOther), isEqual);
    },

    async similarToText(text, options) {
      const index = await loadIndex();
      const terms = queryTerms(index, text);
      const key = wordsOf(text).join(' ');
      const isEqual = (other: ProblemRecord): boolean => wordsOf(textOf(other)).join(' ') === key;
      return similar(
        collection,
        terms,
        findHits(collection, index, terms, options, () => true),
        isEqual,
      );
    },

    async resolve(query) {
      const found = (await loadResolver()).resolve(query);
      const [entry, ...others] = found;
      if (entry !== undefined && others.length === 0)
        return { source: entry.source, id: entry.id, problem: entry.read() };
      const hint =
        entry === undefined
          ? resolveHint(sources)
          : `Several problems match: ${named(found.map(({ source, id }) => `${source}:${id}`))}.`;
      throw new Failure('upstream', `problem not found: ${query}`, { status: 404, hint });
    },

    async status() {
      const platforms = sources.map(source => {
        const own = entries.filter(entry => entry.source === source);
        const missing = own.filter(({ hasStatement }) => !hasStatement);
        return { source, total: own.length, missing_content: missing.length, not_embedded: 0 };
      });
      return { version, platforms };
    },

    async list(source, options) {
      const { ratingMin, ratingMax } = options;
      if (ratingMin !== undefined && ratingMax !== undefined && ratingMin > ratingMax)
        throw badRequest('rating_min must be <= rating_max');
      return listPage(await summariesOf(source), options);
    },

    verify: signal => verify(collection, signal),
    close: collection.close,

    async tags(source) {
      const tags = (await summariesOf(source)).flatMap(summary => summary.tags ?? []);
      return [...new Set(tags.map(tag => tag.toLowerCase()))].sort();
    },
  };
}

const maxFindings = 20;

/** Parses every record and reports the invalid ones. */
async function* verify({ entries, ignored }: Collection, signal: AbortSignal): AsyncGenerator<CheckResult> {
  const yielder = new EventLoopYielder(sliceMs, signal);
  let invalid = 0;
  for (const entry of entries) {
    const problem = unreadable(entry);
    await yielder.yieldIfDue();
    if (problem === undefined) continue;
    invalid++;
    if (invalid <= maxFindings) yield { isGood: false, line: problem.message, hint: problem.hint };
  }
  const line = invalid === 0 ? 'every record is valid' : `${invalid} of ${entries.length} records are invalid`;
  yield { isGood: invalid === 0, line };
  if (ignored.length > 0) yield { isGood: true, line: `files without problems: ${named(ignored)}` };
}

function unreadable(entry: CollectionEntry): Failure | undefined {
  try {
    entry.read();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function findHits(
  { entries }: Collection,
  index: SearchIndex,
  terms: readonly string[],
  { limit, threshold, sourceFilter }: SimilarOptions,
  isCandidate: (position: number) => boolean,
): Hit[] {
  const wanted = sourceFilter?.split(',').map(source => source.trim());
  const accepts = (position: number): boolean =>
    isCandidate(position) && (wanted === undefined || wanted.includes(entries[position]?.source ?? ''));
  return search(index, terms, { limit, threshold, accepts });
}

/** Reads the records of the hits. Equal texts have the similarity 1 and come first. */
function similar(
  { entries }: Collection,
  terms: readonly string[],
  hits: readonly Hit[],
  isEqual: (problem: ProblemRecord) => boolean,
): Similar {
  const results = hits.flatMap(({ position, similarity }) => {
    const problem = entries[position]?.read();
    if (problem === undefined) return [];
    const { source, id, title, title_cn, difficulty, link } = problem;
    return [{ source, id, title, title_cn, difficulty, link, similarity: isEqual(problem) ? 1 : similarity }];
  });
  return {
    rewritten_query: shownWords(terms) || null,
    results: results.sort((a, b) => b.similarity - a.similarity),
  };
}

function textOf({ title, title_cn, tags, content, content_cn }: ProblemRecord): string {
  return [title, title_cn, ...(tags ?? []), content || content_cn].filter(Boolean).join('\n');
}

const unknownIdHint = 'Ids are matched exactly: for a link or a slug use resolve_problem.';

function nameOf({ source, id }: CollectionEntry): string {
  return `${JSON.stringify(id)} of ${source}`;
}

function sourcesHint(sources: readonly string[]): string {
  return `Sources of this collection: ${named(sources)}.`;
}

function resolveHint(sources: readonly string[]): string {
  return `Use a link of a record, a slug, or source and id as in "${sources[0] ?? 'source'}:id". ${sourcesHint(sources)}`;
}

function named(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return names.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
