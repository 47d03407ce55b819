import { stemOf } from '../match/inflection.ts';
import { cjkMonthNames, monthCodeWord } from '../match/months.ts';
import { findSimilarWords, type WordList } from '../match/spelling.ts';
import { matchQuality, maxQueryWords, type SearchTerm } from '../match/word-match.ts';
import { bigramsOf, isWithoutWordSpaces } from '../match/words.ts';
import type { QueryWord } from './parse.ts';

/**
 * A search by words after the phrase was not found: the words to find, and the terms that are searched in their place.
 */
export interface SearchStage {
  name: 'words' | 'similar';
  words: readonly QueryWord[];
  terms: readonly SearchTerm[];
  /** The number of required words that a result must contain. */
  needed: number;
  /** The words that are unknown, by index, with the known words of a similar spelling. */
  corrections: ReadonlyMap<number, readonly string[]>;
}

/** Creates the search for files that contain all words exactly as written. */
export function createAllWordsStage(words: readonly QueryWord[]): SearchStage {
  const terms = words.flatMap(exactTerms);
  return { name: 'words', words, terms, needed: requiredCount(words), corrections: new Map() };
}

/**
 * Creates the search for files that contain at least half of the words, in any inflection or with a similar spelling.
 */
export function createSimilarWordsStage(words: readonly QueryWord[], knownWords: WordList): SearchStage {
  const expanded = words.flatMap(toBigrams).slice(0, maxQueryWords);
  const corrections = new Map<number, readonly string[]>();
  const terms = expanded.flatMap((word, index) => {
    const similar = knownWords.has(word.text) ? [] : findSimilarWords(word.text, knownWords);
    if (similar.length > 0) corrections.set(index, similar);
    const stem = stemOf(word.text);
    return [
      ...exactTerms(word, index),
      ...(stem === undefined ? [] : [{ text: stem, word: index, quality: matchQuality.inflection }]),
      ...similar.map(text => ({ text, word: index, quality: matchQuality.spelling })),
    ];
  });
  const required = requiredCount(expanded);
  const needed = required === 1 ? 1 : Math.max(2, Math.ceil(required / 2));
  return { name: 'similar', words: expanded, terms, needed, corrections };
}

function exactTerms({ text, month }: QueryWord, word: number): SearchTerm[] {
  const term: SearchTerm = { text, word, quality: matchQuality.word };
  if (month === undefined) return [term];
  return [text, monthCodeWord(month), ...cjkMonthNames(month)].map(form => ({ ...term, text: form }));
}

function requiredCount(words: readonly QueryWord[]): number {
  return words.filter(({ isRequired }) => isRequired).length;
}

/** Splits a text without spaces, such as Chinese, into pairs of characters, because it may consist of several words. */
function toBigrams(word: QueryWord): QueryWord[] {
  return isWithoutWordSpaces(word.text) && word.month === undefined
    ? bigramsOf(word.text).map(text => ({ ...word, text }))
    : [word];
}
