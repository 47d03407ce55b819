import { createDateSearchWord } from '../match/date-forms.ts';
import { stemOfWord } from '../match/inflection.ts';
import { createCjkMonthNames, createMonthSearchWord } from '../match/months.ts';
import { findSimilarWords, type KnownWordList } from '../match/spelling.ts';
import {
  matchQualityLevels,
  maxQueryWords,
  minLettersForPrefixMatch,
  minLettersForSubstringMatch,
  type SearchTerm,
} from '../match/word-match.ts';
import { bigramsOf, isInScriptWithoutSpaces } from '../match/words.ts';
import type { QueryWord } from './parse.ts';

/**
 * The terms of a search by words, which runs if no file contains the phrase: the words to find, and the texts that are
 * searched for them.
 */
export interface SearchStage {
  name: 'words' | 'similar';
  words: readonly QueryWord[];
  terms: readonly SearchTerm[];
  /** The numbers of words that a result must contain. A result must meet only one of these quotas. */
  quotas: readonly RequiredWordCount[];
  /** Maps the index of each unknown word to the known words with a similar spelling. */
  corrections: ReadonlyMap<number, readonly string[]>;
}

/** The number of words that a file must contain, and the indexes of the words that are counted. */
export interface RequiredWordCount {
  words: readonly number[];
  needed: number;
}

/** Creates the search for files that contain all words exactly as written. */
export function createAllWordsStage(words: readonly QueryWord[]): SearchStage {
  const required = indexesOf(words, ({ isRequired }) => isRequired);
  const quotas = [{ words: required, needed: required.length }];
  return {
    name: 'words',
    words,
    terms: words.flatMap((_, index) => exactTerms(words, index)),
    quotas,
    corrections: new Map(),
  };
}

/** Creates the search for files that contain at least one of the words exactly as written. */
export function createAnyWordStage(words: readonly QueryWord[]): SearchStage {
  return { ...createAllWordsStage(words), quotas: [{ words: indexesOf(words, () => true), needed: 1 }] };
}

/**
 * Creates the search for files that contain at least half of the words, in any inflection or with a similar spelling.
 */
export function createSimilarWordsStage(all: readonly QueryWord[], knownWords: KnownWordList): SearchStage {
  const expanded = all.flatMap(word => expandWord(word, knownWords)).slice(0, maxQueryWords);
  const words = expanded.map(({ word }) => word);
  const terms = expanded.flatMap(({ word: { kind, isRequired }, stem, similar }, index) => {
    // In this search a word for a kind of file must match the kind of the file. Many texts contain words such as
    // "email" and "pdf", so that their contents are ignored.
    if (kind !== undefined && !isRequired) return [];
    return [
      ...exactTerms(words, index),
      ...(stem === undefined ? [] : [{ text: stem, word: index, quality: matchQualityLevels.inflection }]),
      ...similar.map(text => ({ text, word: index, quality: matchQualityLevels.spelling })),
    ];
  });
  const corrections = new Map(
    expanded.flatMap(({ similar }, index) => (similar.length === 0 ? [] : [[index, similar] as const])),
  );
  return { name: 'similar', words, terms, quotas: similarQuotas(words), corrections };
}

/** A word of the query, and the texts that match it in other forms. */
interface ExpandedWord {
  word: QueryWord;
  /** The stem of the word. A compound word has the stem of one of its parts. */
  stem: string | undefined;
  /** The known words with a similar spelling, if the vocabulary does not contain the word. */
  similar: readonly string[];
}

/**
 * Splits a text without spaces, such as Chinese, into pairs of characters, because it may consist of several words. An
 * unknown compound becomes two words, one for the stem of each part. Other unknown words get the known words with a
 * similar spelling.
 */
function expandWord(word: QueryWord, knownWords: KnownWordList): ExpandedWord[] {
  const { text, month, kind, date } = word;
  // The parts of a date are searched as separate words too, because a file can contain them in different places.
  if (date !== undefined) return [word, ...date.parts].map(part => ({ word: part, stem: undefined, similar: [] }));
  if (isInScriptWithoutSpaces(text)) {
    const texts = month === undefined && kind === undefined ? bigramsOf(text) : [text];
    return texts.map(part => ({ word: { ...word, text: part }, stem: undefined, similar: [] }));
  }
  if (knownWords.has(text)) return [{ word, stem: stemOfWord(text), similar: [] }];
  const corrections = findSimilarWords(text, knownWords);
  const parts = corrections.length > 0 ? undefined : partsOfCompound(text, knownWords);
  const similar = [...new Set([...umlautFormsOf(text), ...corrections])];
  return (parts ?? [text]).map(part => ({ word, stem: stemOfWord(part), similar }));
}

/**
 * Returns the folded forms of a word whose umlauts are spelled in ASCII letters: "gruße" for "gruesse". Words of four
 * letters have none, because they are often other words, such as "true".
 */
function umlautFormsOf(word: string): string[] {
  const plain = word.replace(/([aou])e/g, '$1');
  return plain === word || word.length < 5 ? [] : [plain, plain.replaceAll('ss', 'ß')];
}

const pluralEndings = ['', 's', 'n', 'en', 'e', 'er'];

/**
 * Returns the two words of which a compound consists, possibly joined by the German letter s. The vocabulary must
 * contain both, in the singular or plural.
 */
function partsOfCompound(word: string, knownWords: KnownWordList): readonly [string, string] | undefined {
  const isKnown = (part: string): boolean => pluralEndings.some(ending => knownWords.has(part + ending));
  for (let cut = minLettersForPrefixMatch; cut <= word.length - minLettersForPrefixMatch; cut++) {
    const [start, second] = [word.slice(0, cut), word.slice(cut)];
    const first = [start, start.replace(/s$/, '')].find(isKnown);
    if (first !== undefined && isKnown(second)) return [first, second];
  }
  return undefined;
}

/**
 * Returns two quotas: half of the required words, or half of the meaningful words. Words in Hiragana are mostly grammar
 * and do not count as meaningful. One word for a kind of file counts, so that "photo of my cat Mimi" finds `mimi.jpg`.
 */
function similarQuotas(words: readonly QueryWord[]): RequiredWordCount[] {
  const required = indexesOf(words, ({ isRequired }) => isRequired);
  const [firstKind] = indexesOf(words, ({ kind }) => kind !== undefined);
  const meaningful = indexesOf(words, ({ text, isRequired }, index) =>
    isRequired ? !/^\p{Script=Hiragana}+$/u.test(text) : index === firstKind || /^\p{Script=Han}$/u.test(text),
  );
  const half = { words: required, needed: required.length === 1 ? 1 : halfOf(required) };
  return meaningful.length < 2 ? [half] : [half, { words: meaningful, needed: halfOf(meaningful) }];
}

function halfOf({ length }: readonly number[]): number {
  return Math.max(2, Math.ceil(length / 2));
}

/** Returns the terms that match a word without inflections: the word, its other forms, and compounds with it. */
function exactTerms(words: readonly QueryWord[], word: number): SearchTerm[] {
  const { text = '', month, otherForms = [], date } = words[word] ?? {};
  if (date !== undefined) return date.isos.flatMap(iso => dateTerms(iso, word));
  const forms = [
    text,
    ...otherForms,
    ...(month === undefined ? [] : [createMonthSearchWord(month), ...createCjkMonthNames(month)]),
    ...compoundsOf(words[word - 1], words[word]),
    ...compoundsOf(words[word], words[word + 1]),
  ];
  return forms.map(form => ({ text: form, word, quality: matchQualityLevels.word }));
}

function dateTerms(date: string, word: number): SearchTerm[] {
  const quality = matchQualityLevels.word;
  return [
    { text: date.slice(0, 4), date, word, quality },
    { text: createDateSearchWord(date), word, quality },
  ];
}

/**
 * Returns the compound of two words, because a file may write `data base` as `database`. The compound is needed only if
 * one of the words is too short to match a part of a longer word.
 */
function compoundsOf(first: QueryWord | undefined, second: QueryWord | undefined): string[] {
  if (first === undefined || second === undefined) return [];
  const isShort = first.text.length < minLettersForPrefixMatch || second.text.length < minLettersForSubstringMatch;
  return isShort && isCompoundPart(first.text) && isCompoundPart(second.text) ? [first.text + second.text] : [];
}

function isCompoundPart(word: string): boolean {
  return /^\p{L}{3,}$/u.test(word) && !isInScriptWithoutSpaces(word);
}

function indexesOf(
  words: readonly QueryWord[],
  isWanted: (word: QueryWord, index: number) => boolean,
): readonly number[] {
  return words.flatMap((word, index) => (isWanted(word, index) ? [index] : []));
}
