import type { FileKind } from '../../../documents/file-type.ts';
import type { FileTable } from '../index/file-table.ts';
import type { FolderWalk } from '../index/folder-walk.ts';
import { compareNewestFirst } from '../match/newest-queue.ts';
import { matchQualityLevels, matchQualityOfWord } from '../match/word-match.ts';
import type { CallTimeControl } from '../workers/control.ts';
import type { FileReaderPool } from '../workers/pool.ts';
import { CandidateFilter } from './candidates.ts';
import type { ParsedQuery, QueryWord } from './parse.ts';
import { createAllWordsStage } from './plan.ts';
import type { SearchedFileParts, SearchRequest, SearchResultPage, SearchStageReport } from './protocol.ts';
import type { RankedHit } from './rank.ts';
import { buildResultPage, keepGivenHitOrder } from './result-page.ts';
import { countNeededResults } from './results.ts';
import { searchWords, type WordSearchResults } from './word-search.ts';

/** The parsed query, the list of the folder tree, and the result of the search for the phrase. */
export interface WordStagesInput {
  request: SearchRequest;
  parsed: ParsedQuery;
  where: SearchedFileParts;
  walk: FolderWalk;
  /** The result of the search for the phrase. */
  phrase: SearchResultPage;
}

const maxKept = 16;
const maxNamed = 3;
/**
 * If the searched folder has more files than this, no note names other files with the words, because comparing all
 * names would take too long.
 */
const maxFilesForNote = 200_000;

/** Runs the searches by words that follow the search for the phrase, and caches their last results for later pages. */
export class WordStageRunner {
  readonly #table: FileTable;
  readonly #readers: FileReaderPool;
  readonly #recent = new Map<string, { walk: FolderWalk; results: WordSearchResults }>();

  constructor(table: FileTable, readers: FileReaderPool) {
    [this.#table, this.#readers] = [table, readers];
  }

  /**
   * Adds a report on how the query was understood to the result of the search for the phrase. It is the source of the
   * notes for the client. If the phrase was found, the report lists other files whose names have all words of the query.
   */
  async explainPhrase(input: WordStagesInput, control: CallTimeControl): Promise<SearchResultPage> {
    const { phrase, parsed } = input;
    const isFound = phrase.hitCount > 0;
    const named = isFound && parsed.quoted === undefined ? await this.#namedFiles(input, control) : [];
    return { ...phrase, explanation: { ...explain(input), stage: isFound ? 'phrase' : 'nothing', named } };
  }

  async findByWords(input: WordStagesInput, control: CallTimeControl): Promise<SearchResultPage> {
    const { request, phrase } = input;
    const results = await this.#results(input, control);
    const { hits, stage } = results;
    const phrases = stage.terms.map(({ text }) => text).filter(text => !text.startsWith('\u0001'));
    const found = await buildResultPage(this.#table, this.#readers, keepGivenHitOrder(hits), request, control, phrases);
    const isPartial = phrase.isTimedOut || phrase.hasNoWorkers || !results.isComplete;
    const explanation: SearchStageReport = {
      ...explain(input),
      stage: hits.length === 0 ? 'nothing' : stage.name,
      isPartial,
      hitCount: hits.length,
      isByName: hits.every(({ matched }) => matched === 'name'),
      hasMore: results.hasMore,
      closest: results.closest,
      missing: missingWords(results),
      corrections: correctionsOf(results),
    };
    const isTimedOut = phrase.isTimedOut || (!results.isComplete && control.isTimedOut);
    return { ...phrase, ...found, isTimedOut, isFromBefore: false, explanation };
  }

  async #results(
    { request, parsed, where, walk }: WordStagesInput,
    control: CallTimeControl,
  ): Promise<WordSearchResults> {
    const { scope, query, page } = request;
    const key = JSON.stringify([scope, query]);
    const before = this.#recent.get(key);
    const needed = countNeededResults(page);
    const isKnown = before?.results.isComplete === true && (before.walk === walk || page.offset > 0);
    if (isKnown && (!before.results.hasMore || before.results.hits.length >= needed)) return before.results;
    const input = { scope, query, parsed, where, needed };
    const now = await searchWords(this.#table, this.#readers, walk, input, control);
    const results = now.isComplete || before === undefined ? now : withHitsBefore(now, before.results);
    this.#recent.delete(key);
    this.#recent.set(key, { walk, results });
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= maxKept) break;
      this.#recent.delete(oldest);
    }
    return results;
  }

  /** Returns a few other files whose names contain all words, the newest first. */
  async #namedFiles(
    { request, parsed, where, walk, phrase }: WordStagesInput,
    control: CallTimeControl,
  ): Promise<string[]> {
    const { scope, query, page } = request;
    if (where !== 'any' || query.match !== undefined || page.offset > 0 || walk.fileCount > maxFilesForNote) return [];
    const filter = new CandidateFilter(this.#table, scope, query, createAllWordsStage(parsed.words), 'name');
    const shown = new Set(phrase.files.map(({ path }) => path));
    const candidates = await filter.select(walk, control);
    const files = candidates.map(({ file }) => file).filter(({ path }) => !shown.has(path));
    return files
      .sort(compareNewestFirst)
      .slice(0, maxNamed)
      .map(({ path }) => path);
  }
}

/** Adds the hits of the previous call to the results of an incomplete search. */
function withHitsBefore(now: WordSearchResults, before: WordSearchResults): WordSearchResults {
  if (before.stage.name !== now.stage.name) return now;
  const seen = new Set(now.hits.map(({ path }) => path));
  return { ...now, hits: [...now.hits, ...before.hits.filter(({ path }) => !seen.has(path))] };
}

function explain({ parsed, where }: WordStagesInput): SearchStageReport {
  const optional = parsed.words.filter(({ kind, isTime }) => kind !== undefined || isTime);
  const isListRequest = optional.length > 0 && parsed.words.every(word => optional.includes(word) || isDate(word));
  const kinds = optional.flatMap(({ kind: meant }): FileKind[] => (meant?.kind === undefined ? [] : [meant.kind]));
  return {
    stage: 'nothing',
    isPartial: false,
    isQuoted: parsed.quoted !== undefined,
    where,
    hitCount: 0,
    isByName: false,
    hasMore: false,
    words: textsOf(parsed.words.filter(({ isRequired }) => isRequired)),
    optional: textsOf(parsed.words.filter(({ isRequired }) => !isRequired)),
    ignored: parsed.ignored,
    closest: [],
    missing: [],
    corrections: [],
    operators: parsed.operators,
    kinds: [...new Set(kinds)],
    asksForTime: parsed.words.some(({ isTime }) => isTime) || (isListRequest && parsed.words.some(isDate)),
    isListRequest,
    named: [],
  };
}

/** Returns whether a word is the name of a month or a year. */
function isDate({ month, text }: QueryWord): boolean {
  return month !== undefined || /^(?:19|20)\d\d$/.test(text);
}

function textsOf(words: readonly QueryWord[]): string[] {
  return words.map(({ text }) => text);
}

function missingWords({ hits: [best], stage }: WordSearchResults): string[] {
  if (best === undefined) return [];
  const missing = stage.words.flatMap(({ text, isRequired, isDatePart }, word) =>
    isRequired && isDatePart !== true && matchQualityOfWord(best.qualities, word) === matchQualityLevels.missing
      ? [text]
      : [],
  );
  return [...new Set(missing)];
}

function correctionsOf({ hits, stage }: WordSearchResults): [string, readonly string[]][] {
  const best: RankedHit | undefined = hits[0];
  return [...stage.corrections].flatMap(([word, readAs]): [string, readonly string[]][] => {
    const isUsed = best !== undefined && matchQualityOfWord(best.qualities, word) === matchQualityLevels.spelling;
    const { text = '' } = stage.words[word] ?? {};
    return isUsed ? [[text, readAs]] : [];
  });
}
