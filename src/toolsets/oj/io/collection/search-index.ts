import { chooseStatement, type StatementLanguage } from '../../model/language.ts';
import type { ProblemRecord } from '../../model/problem.ts';
import { indexTermOfTitle, indexWordsOf } from './words.ts';

/**
 * The index ranks problems with BM25 (Robertson and Zaragoza 2009) and its usual parameters. A word of the title counts
 * three times, and a tag twice.
 */
const saturation = 1.2;
const lengthWeight = 0.75;
const titleWeight = 3;
const tagWeight = 2;

const maxTextCharacters = 1000;
/**
 * The number of characters of HTML in which the first 1,000 characters of text are searched. It is larger, because
 * markup takes space.
 */
const maxMarkupCharacters = 6000;
/**
 * The number of the rarest words in a problem that are used to search similar problems. More words do not improve the
 * result.
 */
const maxQueryWords = 60;
/** The maximum weight of a word, because the index stores it in four bits. */
const maxWeight = 15;
/** The highest similarity of texts that differ, so that 1 always means equal texts. */
const maxUnequal = 0.999;

export interface SearchIndexHit {
  /** The index of the problem in the array of the collection. */
  position: number;
  similarity: number;
}

/**
 * An inverted index. It maps each word to an array of postings, which contain the index of a problem and the weight of
 * the word in the problem.
 */
export interface SearchIndex {
  readonly postings: ReadonlyMap<string, readonly number[]>;
  /** The sum of the word weights of each problem. */
  readonly lengths: readonly number[];
  readonly averageLength: number;
  /** If a problem has two statements, the index contains the words of the statement in this language. */
  readonly language: StatementLanguage;
}

export function createIndexBuilder(language: StatementLanguage) {
  const postings = new Map<string, number[]>();
  const lengths: number[] = [];
  return {
    /** Adds the next problem of the collection to the index. */
    add(problem: ProblemRecord): void {
      let length = 0;
      for (const [word, weight] of weightsOf(problem, language)) {
        length += weight;
        const posting = lengths.length * (maxWeight + 1) + Math.min(weight, maxWeight);
        const list = postings.get(word);
        if (list === undefined) postings.set(word, [posting]);
        else list.push(posting);
      }
      lengths.push(length);
    },
    finish(): SearchIndex {
      const sum = lengths.reduce((total, length) => total + length, 0);
      return { postings, lengths, averageLength: sum / lengths.length || 1, language };
    },
  };
}

/** Returns the words of title, tags and the start of the statement, with their weights. */
function weightsOf(problem: ProblemRecord, language: StatementLanguage): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of indexWordsOf(text)) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  for (const title of [problem.title, problem.title_cn]) {
    add(title ?? '', titleWeight);
    if (title) weights.set(indexTermOfTitle(title), titleWeight);
  }
  add((problem.tags ?? []).join(' '), tagWeight);
  add(excerptOf(chooseStatement(problem, language) ?? ''), 1);
  return weights;
}

/** URLs are removed, because statements of CodeChef begin with links to six translations. */
function excerptOf(content: string): string {
  return content
    .slice(0, maxMarkupCharacters)
    .replace(/<[^<>]*>|\bhttps?:[^\s)]*/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, maxTextCharacters);
}

/** Options that limit the hits of a search. */
export interface SearchOptions {
  limit: number;
  threshold: number;
  /** Returns whether the problem at this index can be a hit. */
  accepts: (position: number) => boolean;
}

/** Returns the terms of a text query: its words, and the complete text if it is the title of a problem. */
export function termsOfQuery({ postings }: SearchIndex, text: string): string[] {
  const title = indexTermOfTitle(text);
  return [...new Set(indexWordsOf(text)), ...(postings.has(title) ? [title] : [])];
}

/**
 * Returns the terms of a problem whose product of weight and rarity is highest. They are used to find similar problems.
 */
export function termsOfProblem(index: SearchIndex, problem: ProblemRecord): string[] {
  return Array.from(weightsOf(problem, index.language), ([word, weight]) => ({
    word,
    value: weight * rarity(index, word),
  }))
    .sort((a, b) => b.value - a.value)
    .slice(0, maxQueryWords)
    .map(({ word }) => word);
}

/** Returns the most similar problems. The similarity is the score divided by the highest possible score. */
export function findMostSimilar(
  index: SearchIndex,
  terms: readonly string[],
  options: SearchOptions,
): SearchIndexHit[] {
  const scores = new Float64Array(index.lengths.length);
  let highest = 0;
  for (const word of terms) {
    const gain = rarity(index, word) * (saturation + 1);
    highest += gain;
    for (const posting of index.postings.get(word) ?? []) {
      const position = Math.floor(posting / (maxWeight + 1));
      const weight = posting % (maxWeight + 1);
      const relativeLength = (index.lengths[position] ?? 0) / index.averageLength;
      const norm = saturation * (1 - lengthWeight + lengthWeight * relativeLength);
      scores[position] = (scores[position] ?? 0) + (gain * weight) / (weight + norm);
    }
  }
  return best(scores, highest, options);
}

function rarity({ postings, lengths }: SearchIndex, word: string): number {
  const count = postings.get(word)?.length ?? 0;
  return Math.log(1 + (lengths.length - count + 0.5) / (count + 0.5));
}

/** Returns the problems with the highest scores. The function does not sort all problems. */
function best(scores: Float64Array, highest: number, { limit, threshold, accepts }: SearchOptions): SearchIndexHit[] {
  const hits: SearchIndexHit[] = [];
  for (const [position, score] of scores.entries()) {
    const last = hits[limit - 1]; // undefined while there are fewer hits than requested
    const similarity = Math.min(score / highest, maxUnequal);
    if (score === 0 || similarity < threshold || (last !== undefined && similarity <= last.similarity)) continue;
    if (!accepts(position)) continue;
    if (last !== undefined) hits.pop();
    const at = hits.findIndex(hit => hit.similarity < similarity);
    hits.splice(at === -1 ? hits.length : at, 0, { position, similarity });
  }
  return hits;
}
