import type { FileTable } from '../index/file-table.ts';
import type { TableFile } from '../index/folder.ts';
import type { FolderWalk } from '../index/folder-walk.ts';
import { FileReadQueue, type ReadQueueTask } from '../index/work-queue.ts';
import {
  matchQualityOfWord,
  maxWordCloseness,
  mergeMatchQualities,
  type WordMatch,
  type WordMatchQualities,
} from '../match/word-match.ts';
import type { CallTimeControl } from '../workers/control.ts';
import type { FileReaderPool } from '../workers/pool.ts';
import type { FileStatus } from '../workers/reader-job.ts';
import { type CandidateFile, CandidateFilter, containsEnoughQueryWords } from './candidates.ts';
import { KnownWords } from './known-words.ts';
import type { ParsedQuery, QueryWord } from './parse.ts';
import { createAllWordsStage, createAnyWordStage, createSimilarWordsStage, type SearchStage } from './plan.ts';
import type { ClosestFile, FileQuery, SearchedFileParts } from './protocol.ts';
import {
  compareByRank,
  computeWeightedWordShare,
  type RankedHit,
  rankHits,
  type ScoredHit,
  scoreFile,
  wordWeightsOf,
} from './rank.ts';

/** The results of the searches by words, which run if no file contains the phrase. */
export interface WordSearchResults {
  stage: SearchStage;
  /** The files that were found, sorted from the best to the worst. */
  hits: readonly RankedHit[];
  /** The best files that contain only a few of the words. The array is filled only if there are no hits. */
  closest: readonly ClosestFile[];
  /** False if the time limit passed before all candidate files were read. */
  isComplete: boolean;
  /** True if unread files may also match. They would rank below these results. */
  hasMore: boolean;
}

export interface WordSearchInput {
  scope: string;
  query: FileQuery;
  parsed: ParsedQuery;
  where: SearchedFileParts;
  /** The number of results that the requested page needs. */
  needed: number;
}

/** Limits the number of files that the search for similar words reads. The most promising files come first. */
const maxSimilarReads = 3000;
const firstReads = 128;
/**
 * The best result contains a number of words. Every other result of the search for similar words must contain at least
 * this share of that number.
 */
const minShare = 0.6;

/**
 * Searches files that contain all words. If there are none, searches files that contain most of the words in similar
 * forms.
 */
export async function searchWords(
  table: FileTable,
  readers: FileReaderPool,
  walk: FolderWalk,
  input: WordSearchInput,
  control: CallTimeControl,
): Promise<WordSearchResults> {
  const { words } = input.parsed;
  const run = async (stage: SearchStage, where = input.where): Promise<[WordSearchResults, readonly number[]]> => {
    const stageRun = new StageRun(table, readers, { ...input, where }, stage, control);
    return [await stageRun.run(walk), stageRun.counts];
  };
  const [exact, counts] = await run(createAllWordsStage(words));
  if (exact.hits.length > 0 || !exact.isComplete) return exact;
  const [similar] = await run(createSimilarWordsStage(words, new KnownWords(table.vocabulary, walk)));
  if (similar.hits.length > 0 || !similar.isComplete) return similar;
  if (words.length < 2) return similar;
  const isTelling = ({ isRequired, text }: QueryWord): boolean => isRequired && !/^[a-z]{1,2}$/.test(text);
  const telling = words.filter(isTelling);
  const readable = words.filter((word, index) => isTelling(word) && (counts[index] ?? 0) <= maxClosestReads);
  const [any] = await run(createAnyWordStage(readable));
  const closest = closestFiles(any.hits, readable);
  if (closest.length > 0 || input.where === 'content') return { ...similar, closest };
  const [named] = await run(createAnyWordStage(telling), 'name');
  return { ...similar, closest: closestFiles(named.hits, telling) };
}

/**
 * If more files than this may contain a word, only names are searched for the word. The number includes false
 * positives: for a word of three letters, up to a quarter of all trigram signatures match by chance.
 */
const maxClosestReads = 200;
/** A word that occurs in more files than this does not help to find files that are relevant for the query. */
const maxRareFiles = 20;
const maxClosest = 3;

/** Returns the best files that contain one of the rare words. */
function closestFiles(hits: readonly RankedHit[], words: readonly QueryWord[]): ClosestFile[] {
  const has = ({ qualities }: RankedHit, word: number): boolean => matchQualityOfWord(qualities, word) > 0;
  const rare = words.flatMap((_, word) => (hits.filter(hit => has(hit, word)).length <= maxRareFiles ? [word] : []));
  return hits
    .filter(hit => rare.some(word => has(hit, word)))
    .slice(0, maxClosest)
    .map(hit => ({ path: hit.path, words: words.flatMap(({ text }, word) => (has(hit, word) ? [text] : [])) }));
}

/** Runs one search by words for one call: it selects candidate files, reads them and ranks the results. */
class StageRun {
  readonly #table: FileTable;
  readonly #readers: FileReaderPool;
  readonly #input: WordSearchInput;
  readonly #stage: SearchStage;
  readonly #control: CallTimeControl;
  /** Stores the results by path. A better result replaces the hit by name after the file was read. */
  readonly #hits = new Map<string, RankedHit>();
  /** Maps each word to the number of files that may contain it, according to the index. */
  counts: readonly number[] = [];
  #weights: readonly number[] = [];
  /** The most promising unread file, if reading ended before all candidates were read. */
  #firstUnread: ScoredHit | undefined;

  constructor(
    table: FileTable,
    readers: FileReaderPool,
    input: WordSearchInput,
    stage: SearchStage,
    control: CallTimeControl,
  ) {
    [this.#table, this.#readers, this.#input, this.#stage, this.#control] = [table, readers, input, stage, control];
  }

  async run(walk: FolderWalk): Promise<WordSearchResults> {
    const { scope, query, where } = this.#input;
    const filter = new CandidateFilter(this.#table, scope, query, this.#stage, where);
    const candidates = await filter.select(walk, this.#control);
    this.counts = filter.counts;
    this.#weights = wordWeightsOf(filter.counts, filter.fileCount);
    const toRead = candidates.filter(candidate => !this.#isDecidedByNames(candidate));
    for (const candidate of candidates) this.#add(candidate, notRead);
    const isComplete = await this.#readMostPromising(toRead);
    return {
      stage: this.#stage,
      hits: this.#ranked(),
      closest: [],
      isComplete: isComplete && walk.isComplete,
      hasMore: this.#firstUnread !== undefined,
    };
  }

  #isDecidedByNames({ names, possible }: CandidateFile): boolean {
    return possible === 0 || (this.#stage.name === 'words' && containsEnoughQueryWords(names, this.#stage));
  }

  #add(candidate: CandidateFile, match: WordMatch): void {
    if (!containsEnoughQueryWords(mergeMatchQualities(candidate.names, match.qualities), this.#stage)) return;
    const hit = rankHits(candidate, match, this.#stage.words, this.#weights);
    this.#hits.set(hit.path, hit);
  }

  /** Reads files in the given order. Returns false if the time limit passed before all files were read. */
  async #read(candidates: readonly CandidateFile[]): Promise<boolean> {
    if (this.#control.isOver || candidates.length === 0) return candidates.length === 0;
    const byPath = new Map(candidates.map(candidate => [candidate.file.path, candidate]));
    const onRead = (file: TableFile, status: FileStatus, match: WordMatch): void => {
      const candidate = byPath.get(file.path);
      if (status === 'match' && candidate !== undefined) this.#add({ ...candidate, file }, match);
    };
    const task: ReadQueueTask = {
      allowedRoot: this.#input.scope,
      phrases: [],
      terms: this.#stage.terms,
    };
    const queue = new FileReadQueue(this.#table, this.#readers, task, this.#control, { onRead });
    queue.files.first.putBack(candidates.map(({ file }) => file));
    queue.start();
    await queue.until(() => queue.isDone());
    const isDone = queue.isDone();
    queue.stop();
    return isDone;
  }

  /**
   * Reads the most promising files first. The search ends when the page is full of results that no unread file can
   * outrank.
   */
  async #readMostPromising(candidates: readonly CandidateFile[]): Promise<boolean> {
    const { name, words } = this.#stage;
    const isExact = name === 'words';
    const promising = candidates
      .map(candidate => {
        const best = { qualities: candidate.possible, closeness: isExact ? maxWordCloseness : 0 };
        const { path, mtimeMs } = candidate.file;
        return { candidate, path, mtimeMs, score: scoreFile(candidate, best, words, this.#weights) };
      })
      .sort(compareByRank)
      .slice(0, isExact ? undefined : maxSimilarReads);
    for (let [at, count] = [0, firstReads]; at < promising.length; at += count, count *= 2) {
      const next = promising[at];
      if (next !== undefined && this.#hitsBefore(next).length >= this.#input.needed) {
        this.#firstUnread = next;
        return true;
      }
      if (!(await this.#read(promising.slice(at, at + count).map(({ candidate }) => candidate)))) return false;
    }
    return true;
  }

  #wordShare(qualities: WordMatchQualities): number {
    return computeWeightedWordShare(qualities, this.#stage.words, this.#weights);
  }

  #hitsBefore(file: ScoredHit): RankedHit[] {
    return [...this.#hits.values()].filter(hit => compareByRank(hit, file) < 0);
  }

  /**
   * Returns the results in order. A search for all words returns only results that no unread file can outrank, so that
   * later pages can continue the order.
   */
  #ranked(): RankedHit[] {
    const isExact = this.#stage.name === 'words';
    if (isExact && this.#firstUnread !== undefined) return this.#hitsBefore(this.#firstUnread).sort(compareByRank);
    const hits = [...this.#hits.values()].sort(compareByRank);
    if (isExact) return hits;
    const best = hits.reduce((most, { qualities }) => Math.max(most, this.#wordShare(qualities)), 0);
    return hits.filter(({ qualities }) => this.#wordShare(qualities) >= minShare * best);
  }
}

const notRead: WordMatch = { qualities: 0, closeness: 0 };
