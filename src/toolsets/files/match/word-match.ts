import type { DecodedText } from '../../../documents/encoding/decode.ts';
import { isYearOfDateAt } from './date-forms.ts';
import { foldTextInPieces } from './fold.ts';
import { isInflectionOf } from './inflection.ts';
import { isInScriptWithoutSpaces } from './words.ts';

/**
 * The qualities of a match between a text and a word of the query, from none to the exact word. A higher number is
 * better. A quality takes two bits in `WordMatchQualities`.
 */
export const matchQualityLevels = { missing: 0, spelling: 1, inflection: 2, word: 3 } as const;

/**
 * A text that is searched in files in place of a word of the query: the word itself, its stem, or a word with a similar
 * spelling.
 */
export interface SearchTerm {
  text: string;
  /** The index of the query's word that this term stands for. */
  word: number;
  quality: number;
  /**
   * The complete date, such as `2024-03-14`, if this term is the year of a date. The text must contain the date at the
   * place of the year.
   */
  date?: string | undefined;
}

/**
 * Limits the number of words in a query, because the match qualities of all words are stored in one number of 32 bits.
 */
export const maxQueryWords = 16;

/** The match qualities of all words of a query in one file, with two bits for each word. */
export type WordMatchQualities = number;

export function matchQualityOfWord(qualities: WordMatchQualities, word: number): number {
  return (qualities >>> (2 * word)) & 3;
}

/** Returns the better of two match qualities for each word. */
export function mergeMatchQualities(left: WordMatchQualities, right: WordMatchQualities): WordMatchQualities {
  if (left === 0 || left === right) return right;
  if (right === 0) return left;
  let best = 0;
  for (let word = 0; word < maxQueryWords; word++)
    best |= Math.max(matchQualityOfWord(left, word), matchQualityOfWord(right, word)) << (2 * word);
  return best >>> 0;
}

export const maxWordCloseness = 3;

/**
 * The words of a query that a text contains, and their distance as `closeness`: 0 for distant words and 3 for adjacent
 * ones.
 */
export interface WordMatch {
  qualities: WordMatchQualities;
  closeness: number;
}

const noMatch: WordMatch = { qualities: 0, closeness: 0 };
/** The pieces of a long text overlap by this number of characters, so that each word is complete in one piece. */
const overlap = 64;

/** Matches the words of a query against all texts of a file. The cost is one pass over each text for each term. */
export function matchWords(texts: readonly DecodedText[], terms: readonly SearchTerm[]): WordMatch {
  let match = noMatch;
  for (const text of texts) for (const piece of comparablePieces(text)) match = merge(match, matchPiece(piece, terms));
  return match;
}

/**
 * Returns the text in pieces that can be compared with terms. An ASCII text is only converted to lower case. Its runs
 * of white space stay, because they separate words as well as one space does.
 */
function comparablePieces({ bytes, isAscii }: DecodedText): Iterable<string> {
  return isAscii ? [bytes.toString('latin1').toLowerCase()] : foldTextInPieces(bytes.toString('utf8'), overlap);
}

function merge(left: WordMatch, right: WordMatch): WordMatch {
  const qualities = mergeMatchQualities(left.qualities, right.qualities);
  const closeness = Math.max(
    left.qualities === 0 || countFoundWords(left.qualities) === countFoundWords(qualities) ? left.closeness : 0,
    countFoundWords(right.qualities) === countFoundWords(qualities) ? right.closeness : 0,
  );
  return { qualities, closeness };
}

/** Returns how many words of the query were found. */
export function countFoundWords(qualities: WordMatchQualities): number {
  let count = 0;
  for (let rest = qualities; rest !== 0; rest >>>= 2) if ((rest & 3) !== 0) count++;
  return count;
}

interface Occurrence {
  at: number;
  word: number;
}

/** Limits the number of occurrences of each term that are used to compute the closeness. */
const maxOccurrences = 64;

function matchPiece(piece: string, terms: readonly SearchTerm[]): WordMatch {
  const occurrences: Occurrence[] = [];
  let qualities = 0;
  let isWhole = false;
  for (const term of terms) {
    let count = 0;
    for (
      let at = piece.indexOf(term.text);
      at !== -1 && count < maxOccurrences;
      at = piece.indexOf(term.text, at + 1)
    ) {
      const fit = fitAt(piece, at, term);
      if (fit === 'none') continue;
      count++;
      isWhole ||= fit === 'whole';
      occurrences.push({ at, word: term.word });
    }
    if (count > 0) qualities = mergeMatchQualities(qualities, (term.quality << (2 * term.word)) >>> 0);
  }
  const words = countFoundWords(qualities);
  return { qualities, closeness: words > 1 ? closenessOf(occurrences, words) : isWhole ? maxWordCloseness : 0 };
}

/**
 * The maximum distances for the closeness values 3, 2 and 1. Each is the number of characters for each word after the
 * first.
 */
const distances = [24, 100, 600] as const;

/** Computes the closeness from the length of the shortest part of the text that contains all words. */
function closenessOf(occurrences: Occurrence[], words: number): number {
  occurrences.sort((left, right) => left.at - right.at);
  const counts = new Uint16Array(maxQueryWords);
  let [start, held, shortest] = [0, 0, Number.POSITIVE_INFINITY];
  for (const { at, word } of occurrences) {
    counts[word] = (counts[word] ?? 0) + 1;
    if (counts[word] === 1) held++;
    for (let first = occurrences[start]; held === words && first !== undefined; first = occurrences[++start]) {
      shortest = Math.min(shortest, at - first.at);
      counts[first.word] = (counts[first.word] ?? 0) - 1;
      if (counts[first.word] === 0) held--;
    }
  }
  return distances.filter(distance => shortest <= distance * (words - 1)).length;
}

type Fit = 'none' | 'part' | 'whole';
/**
 * The minimum number of letters in a word that matches the beginning of a longer word. The second number applies to the
 * middle or end of a longer word.
 */
export const minLettersForPrefixMatch = 4;
export const minLettersForSubstringMatch = 5;

/**
 * Returns how a term matches at an offset of the text. A number must match a whole number without its leading zeros.
 */
function fitAt(text: string, at: number, term: SearchTerm): Fit {
  const { text: word, quality, date } = term;
  if (date !== undefined) return isYearOfDateAt(text, at, date) ? 'whole' : 'none';
  if (quality === matchQualityLevels.inflection)
    return isWordStart(text, at) && isInflectionOf(word, wordAt(text, at)) ? 'whole' : 'none';
  if (isDigit(word, 0)) return isNumberAt(text, at, at + word.length) ? 'whole' : 'none';
  return isInScriptWithoutSpaces(word) ? 'whole' : fitLettersAt(text, at, term);
}

/**
 * Returns how a term of letters matches. A whole word always matches. The beginning of a word must have four letters,
 * and any other part of a word five.
 */
function fitLettersAt(text: string, at: number, { text: word, quality: how }: SearchTerm): Fit {
  const end = at + word.length;
  const isStart = isWordStart(text, at);
  if (isStart && !isLetter(text, end)) return 'whole';
  if (how === matchQualityLevels.spelling) return 'none';
  return word.length >= (isStart ? minLettersForPrefixMatch : minLettersForSubstringMatch) ? 'part' : 'none';
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !isLetter(text, at - 1);
}

function isNumberAt(text: string, at: number, end: number): boolean {
  let before = at - 1;
  while (text[before] === '0') before--;
  // The next character may be a digit if the term itself ends with a letter, as 12月 does.
  return !isDigit(text, before) && !(isDigit(text, end - 1) && isDigit(text, end));
}

const maxWordLength = 40;

function wordAt(text: string, at: number): string {
  let end = at;
  while (end < at + maxWordLength && isLetter(text, end)) end++;
  return text.slice(at, end);
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code >= 0x61 && code <= 0x7a;
  return /\p{L}/u.test(text.charAt(at)) && !isInScriptWithoutSpaces(text.charAt(at));
}

/** Matches terms with words that are already split, such as those of a file name. */
export function matchNameWords(words: readonly string[], terms: readonly SearchTerm[]): WordMatchQualities {
  let qualities = 0;
  for (const term of terms) {
    if (words.some(word => word.includes(term.text) && fitsWord(word, term)))
      qualities = mergeMatchQualities(qualities, (term.quality << (2 * term.word)) >>> 0);
  }
  return qualities;
}

function fitsWord(word: string, term: SearchTerm): boolean {
  for (let at = word.indexOf(term.text); at !== -1; at = word.indexOf(term.text, at + 1))
    if (fitAt(word, at, term) !== 'none') return true;
  return false;
}
