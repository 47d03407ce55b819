import { stemOf } from '../match/inflection.ts';
import { cjkMonthNames, monthCodeWord } from '../match/months.ts';
import { findSimilarWords, type WordList } from '../match/spelling.ts';
import { matchQuality, maxQueryWords, type SearchTerm } from '../match/word-match.ts';
import { bigramsOf, isWithoutWordSpaces } from '../match/words.ts';
import type { QueryWord } from './parse.ts';

/** A stage that follows the phrase stage: the words to find, and the terms that are searched for them. */
export interface SearchStage {
  name: 'words' | 'similar';
  words: readonly QueryWord[];
  terms: readonly SearchTerm[];
  /** The number of required words that a file must contain. */
  needed: number;
  /** The words that are replaced by other words with a similar spelling. */
  corrections: ReadonlyMap<number, readonly string[]>;
}

/** Creates the stage that needs all words exactly as written. */
export function createAllWordsStage(words: readonly QueryWord[]): SearchStage {
  const terms = words.flatMap(exactTerms);
  return { name: 'words', words, terms, needed: requiredCount(words), corrections: new Map() };
}

/** Creates the stage that needs at least half of the words, in any form or with a similar spelling. */
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

/** Splits a word of a script without spaces into pairs of characters, because it may be several words. */
function toBigrams(word: QueryWord): QueryWord[] {
  return isWithoutWordSpaces(word.text) && word.month === undefined
    ? bigramsOf(word.text).map(text => ({ ...word, text }))
    : [word];
}
