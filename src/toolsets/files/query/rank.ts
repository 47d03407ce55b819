import { compareNewestFirst } from '../match/newest-queue.ts';
import {
  matchQualityLevels,
  matchQualityOfWord,
  mergeMatchQualities,
  type WordMatch,
  type WordMatchQualities,
} from '../match/word-match.ts';
import type { CandidateFile } from './candidates.ts';
import type { QueryWord } from './parse.ts';
import type { FoundHit } from './partial-results.ts';
import type { MatchReason } from './results.ts';

export interface RankedHit extends FoundHit {
  matched: MatchReason;
  score: number;
  qualities: WordMatchQualities;
}

/**
 * Returns the weight of each word in the ranking. A rare word has more weight than a frequent one (inverse document
 * frequency).
 */
export function wordWeightsOf(counts: readonly number[], fileCount: number): number[] {
  return counts.map(count => Math.log(1 + (fileCount + 1) / (count + 1)));
}

const worth: Readonly<Record<number, number>> = {
  [matchQualityLevels.missing]: 0,
  [matchQualityLevels.spelling]: 0.7,
  [matchQualityLevels.inflection]: 0.9,
  [matchQualityLevels.word]: 1,
};

/** Returns the share of the required words that a file contains, weighted by rarity, from 0 to 1. */
export function computeWeightedWordShare(
  qualities: WordMatchQualities,
  words: readonly QueryWord[],
  weights: readonly number[],
): number {
  let [sum, total] = [0, 0];
  words.forEach(({ isRequired }, word) => {
    if (!isRequired) return;
    const weight = weights[word] ?? 0;
    total += weight;
    sum += weight * (worth[matchQualityOfWord(qualities, word)] ?? 0);
  });
  return total === 0 ? 0 : sum / total;
}

const coverageSteps = 20;
/** A file of the kind that the query names comes before every other file with the same words. */
const kindScore = 100;

/**
 * Computes the score of a file for the ranking. The share of the query's words in the file counts most. Then its kind
 * follows, words in its name, words that are close together, and words that mean a kind or time.
 */
export function scoreFile(
  { name, names, isOfKind }: Pick<CandidateFile, 'isOfKind' | 'name' | 'names'>,
  match: WordMatch,
  words: readonly QueryWord[],
  weights: readonly number[],
): number {
  const qualities = mergeMatchQualities(names, match.qualities);
  const optional = words.filter(
    ({ isRequired }, word) => !isRequired && matchQualityOfWord(qualities, word) > 0,
  ).length;
  return (
    100 * Math.round(coverageSteps * computeWeightedWordShare(qualities, words, weights)) +
    (isOfKind ? kindScore : 0) +
    30 * Math.round(2 * computeWeightedWordShare(name, words, weights)) +
    10 * optional +
    8 * match.closeness
  );
}

export function rankHits(
  candidate: CandidateFile,
  match: WordMatch,
  words: readonly QueryWord[],
  weights: readonly number[],
): RankedHit {
  const { file, names } = candidate;
  const qualities = mergeMatchQualities(names, match.qualities);
  const { path, mtimeMs, folder, index } = file;
  // A hit by name has no change time, because it stays a result when the contents of its file change.
  const ctimeMs = match.qualities === 0 ? undefined : folder.stat(index).ctimeMs;
  const score = scoreFile(candidate, match, words, weights);
  return { path, mtimeMs, ctimeMs, score, qualities, matched: reasonFor(qualities, names, words) };
}

function reasonFor(qualities: WordMatchQualities, names: WordMatchQualities, words: readonly QueryWord[]): MatchReason {
  const required = words.flatMap(({ isRequired }, word) => (isRequired ? [word] : []));
  const worst = Math.min(...required.map(word => matchQualityOfWord(qualities, word)));
  if (worst === matchQualityLevels.missing) return 'some words';
  if (worst === matchQualityLevels.spelling) return 'spelling';
  if (worst === matchQualityLevels.inflection) return 'inflection';
  return required.every(word => matchQualityOfWord(names, word) === matchQualityLevels.word) ? 'name' : 'words';
}

/** The properties of a hit that determine its position in the results. */
export type ScoredHit = Pick<RankedHit, 'path' | 'mtimeMs' | 'score'>;

/** Compares two results of a search by words: the higher score comes first, then the newer file. */
export function compareByRank(left: ScoredHit, right: ScoredHit): number {
  return right.score - left.score || compareNewestFirst(left, right);
}
