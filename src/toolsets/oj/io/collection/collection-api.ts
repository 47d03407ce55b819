import { Failure } from '../../../../errors/failure.ts';
import { chooseProblemTitle, chooseStatement, type StatementLanguage } from '../../model/language.ts';
import type {
  DailyResponse,
  ProblemRecord,
  ResolvedProblemResponse,
  SimilarProblemsResponse,
  StatusResponse,
} from '../../model/problem.ts';
import type { Api, SimilarProblemsOptions } from '../api.ts';
import type { ProblemCollection } from './collection.ts';
import { addHintAboutChangedFile, createProblemNotFoundFailure } from './errors.ts';
import { listProblemPage } from './list.ts';
import {
  createKnownSourcesHint,
  createProblemCollectionLookup,
  joinFirstNames,
  type ProblemCollectionLookup,
} from './lookup.ts';
import {
  findMostSimilar,
  type SearchIndex,
  type SearchIndexHit,
  termsOfProblem,
  termsOfQuery,
} from './search-index.ts';
import { verifyProblemRecords } from './verify.ts';
import { indexWordsOf, joinQueryWords } from './words.ts';

/** The version of the API that a collection implements. get_platform_status returns it. */
const version = '0.2.1-local';

/** Creates the API that serves a collection without a backend. */
export function createProblemCollectionApi(collection: ProblemCollection, language: StatementLanguage): Api {
  const lookup = createProblemCollectionLookup(collection, language);
  return {
    sources: collection.sources,
    daily: async (domain, date) => daily(collection, domain, date),
    problem: async (source, id) => lookup.find(source, id).read(),
    similarToProblem: async (source, id, options) =>
      await similarToProblem(collection, lookup, { source, id }, options),
    similarToText: async (text, options) => similarToText(collection, await lookup.loadIndex(), text, options),
    resolve: async query => await resolve(collection, lookup, query),
    status: async () => status(collection),
    list: async (source, options) => listProblemPage(await lookup.summariesOf(source), options),
    async tags(source) {
      const tags = (await lookup.summariesOf(source)).flatMap(summary => summary.tags ?? []);
      return [...new Set(tags.map(tag => tag.toLowerCase()))].sort();
    },
    note: sourceFilter => joinNotes(noteOnUnknownSources(collection, sourceFilter), lookup.noteOnInvalidRecords()),
    verify: signal => verifyProblemRecords(collection, signal),
    close: collection.close,
  };
}

function daily(collection: ProblemCollection, domain: string, date: string): DailyResponse {
  for (const entry of collection.entries) {
    const problem = entry.date === date ? entry.read() : undefined;
    if (problem === undefined || (problem.domain ?? domain) !== domain) continue;
    return problem.source === 'leetcode' ? { problem } : { problem, note: ownDailyNote };
  }
  const problem = collection.daily(domain, date);
  if (problem !== undefined) return { problem };
  throw createProblemNotFoundFailure(
    collection,
    `the collection has no daily challenge of leetcode.${domain} for ${date}`,
    'Use find_similar_problems instead.',
  );
}

const ownDailyNote =
  'This daily problem is chosen by the field "date" of a record in the collection: it is not the one of LeetCode.';

function status({ entries, sources }: ProblemCollection): StatusResponse {
  const platforms = sources.map(source => {
    const own = entries.filter(entry => entry.source === source);
    const missing = own.filter(({ hasStatement }) => !hasStatement);
    return { source, total: own.length, missing_content: missing.length, not_embedded: 0 };
  });
  return { version, platforms };
}

async function resolve(
  collection: ProblemCollection,
  lookup: ProblemCollectionLookup,
  query: string,
): Promise<ResolvedProblemResponse> {
  const { sources } = collection;
  const found = (await lookup.loadResolver()).resolve(query);
  const [entry, ...others] = found;
  if (entry !== undefined && others.length === 0) return { source: entry.source, id: entry.id, problem: entry.read() };
  const hint =
    entry === undefined
      ? `Use a link of a problem, a slug, or source and id as in "${sources[0] ?? 'source'}:id"; find_similar_problems searches titles. ${createKnownSourcesHint(sources)}`
      : `Several problems match: ${joinFirstNames(found.map(({ source, id }) => `${source}:${id}`))}.`;
  throw new Failure('upstream', `problem not found: ${query}`, {
    status: 404,
    hint: addHintAboutChangedFile(collection, hint),
  });
}

async function similarToProblem(
  collection: ProblemCollection,
  lookup: ProblemCollectionLookup,
  { source, id }: { source: string; id: string },
  options: SimilarProblemsOptions,
): Promise<SimilarProblemsResponse> {
  const entry = lookup.find(source, id);
  const problem = entry.read();
  const index = await lookup.loadIndex();
  const terms = termsOfProblem(index, problem);
  const isOther = (position: number): boolean => collection.entries[position] !== entry;
  const isEqual = (other: ProblemRecord): boolean => textOf(other, index) === textOf(problem, index);
  const name = [`${source}/${id}`, chooseProblemTitle(problem, index.language)].filter(Boolean).join(' ');
  return similar(collection, name, terms, findHits(collection, index, terms, options, isOther), isEqual);
}

function similarToText(
  collection: ProblemCollection,
  index: SearchIndex,
  text: string,
  options: SimilarProblemsOptions,
): SimilarProblemsResponse {
  const terms = termsOfQuery(index, text);
  const key = indexWordsOf(text).join(' ');
  const isEqual = (other: ProblemRecord): boolean => indexWordsOf(textOf(other, index)).join(' ') === key;
  const hits = findHits(collection, index, terms, options, () => true);
  return similar(collection, text, terms, hits, isEqual);
}

function findHits(
  collection: ProblemCollection,
  index: SearchIndex,
  terms: readonly string[],
  { limit, threshold, sourceFilter }: SimilarProblemsOptions,
  isCandidate: (position: number) => boolean,
): SearchIndexHit[] {
  const { entries, sources } = collection;
  const wanted = sourceFilter === undefined ? undefined : sourceNamesIn(sourceFilter);
  if (wanted?.some(source => sources.includes(source)) === false) {
    const detail = `the collection has no source ${joinFirstNames(wanted)}`;
    throw createProblemNotFoundFailure(collection, detail, createKnownSourcesHint(sources));
  }
  const accepts = (position: number): boolean =>
    isCandidate(position) && (wanted === undefined || wanted.includes(entries[position]?.source ?? ''));
  return findMostSimilar(index, terms, { limit, threshold, accepts });
}

function sourceNamesIn(sourceFilter: string): string[] {
  return sourceFilter.split(',').map(source => source.trim());
}

/** Returns a note on the sources in a filter that the collection does not have, because the search ignores them. */
function noteOnUnknownSources({ sources }: ProblemCollection, sourceFilter = ''): string | undefined {
  const unknown = sourceNamesIn(sourceFilter).filter(source => source !== '' && !sources.includes(source));
  if (unknown.length === 0) return undefined;
  return `The collection has no source ${joinFirstNames(unknown)}. ${createKnownSourcesHint(sources)}`;
}

function joinNotes(...notes: (string | undefined)[]): string | undefined {
  return notes.filter(Boolean).join(' ') || undefined;
}

/** Returns the records of the hits. Hits with the same text as the query have the similarity 1 and are first. */
function similar(
  { entries }: ProblemCollection,
  query: string,
  terms: readonly string[],
  hits: readonly SearchIndexHit[],
  isEqual: (problem: ProblemRecord) => boolean,
): SimilarProblemsResponse {
  const words = joinQueryWords(terms);
  const results = hits.flatMap(({ position, similarity }) => {
    const problem = entries[position]?.read();
    if (problem === undefined) return [];
    const { source, id, title, title_cn, difficulty, link } = problem;
    return [{ source, id, title, title_cn, difficulty, link, similarity: isEqual(problem) ? 1 : similarity }];
  });
  return {
    rewritten_query: words === '' || words === query.toLowerCase() ? query : `${query} (words used: ${words})`,
    results: results.sort((a, b) => b.similarity - a.similarity),
  };
}

/** Returns the text of a problem that the index contains. */
function textOf(problem: ProblemRecord, { language }: SearchIndex): string {
  const { title, title_cn, tags } = problem;
  return [title, title_cn, ...(tags ?? []), chooseStatement(problem, language)].filter(Boolean).join('\n');
}
