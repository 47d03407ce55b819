import { findDates } from '../match/date-forms.ts';
import { foldQueryPhrase, foldWidth } from '../match/fold.ts';
import { type FileKindWord, findFileKindWord, isTimeWord } from '../match/kind-words.ts';
import { monthNumberOf } from '../match/months.ts';
import { createFileNameMatcher } from '../match/needle.ts';
import { isStopWord, splitAtParticles } from '../match/stop-words.ts';
import { maxQueryWords } from '../match/word-match.ts';
import { isInScriptWithoutSpaces, spellInAscii, splitWords } from '../match/words.ts';

/** A word of a query that is not a stop word. */
export interface QueryWord {
  text: string;
  /**
   * Texts that match instead of the word: its spelling in ASCII letters or with the letter ß, or an identifier that
   * contains it.
   */
  otherForms: readonly string[];
  /**
   * False for a word that a result need not contain, because it is very short or only means a kind of file or a time.
   */
  isRequired: boolean;
  kind?: FileKindWord | undefined;
  isTime: boolean;
  month?: number | undefined;
  /** The dates that the word can mean, in the form `2024-03-14`, and the day, month and year as separate words. */
  date?: { isos: readonly string[]; parts: readonly QueryWord[] } | undefined;
  /** True for a part of a date. A result need not contain the part if it contains the complete date. */
  isDatePart?: boolean;
  /** Returns whether a file name matches the pattern from which this word comes, such as `report-202?`. */
  fitsPattern?: ((name: string) => boolean) | undefined;
}

export interface ParsedQuery {
  /** The whole query after case folding. */
  phrase: string;
  /** The text between quotation marks after case folding. If it is present, only this phrase is searched. */
  quoted: string | undefined;
  words: readonly QueryWord[];
  /** The words of the query that are not searched: stop words, and words beyond the maximum number. */
  ignored: readonly string[];
  /** The words of the query that other search programs treat as operators. They are searched as plain text here. */
  operators: readonly string[];
}

const quotes = /^(?:"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」|『([^』]+)』)$/;
const prefix =
  /^(?:filename|file|name|ext|extension|filetype|mimetype|type|kind|path|title|intitle|inname|content|text):(?=\S)/i;

const possessive = /(?<=\p{L})['’]s(?=\P{L}*$)/u;

/** Parses a query that a person or a model wrote. The result contains its phrase and its words. */
export function parseQuery(query: string): ParsedQuery {
  const text = foldWidth(query);
  const quoted = quotes
    .exec(text.trim())
    ?.slice(1)
    .find(part => part !== undefined);
  const pieces = piecesOf(text);
  const operators = pieces.flatMap((piece, index) => operatorIn(piece, index > 0 && index < pieces.length - 1));
  const dates = dateWordsOf(text);
  const withoutDates = dates.reduce((rest, date) => rest.replaceAll(date.text, ' '), text);
  const words = [
    ...piecesOf(withoutDates).flatMap(piece => wordsOfPiece(piece.replace(prefix, '').replace(possessive, ''))),
    ...dates,
  ];
  return {
    phrase: foldQueryPhrase(text),
    quoted: quoted === undefined ? undefined : foldQueryPhrase(quoted),
    ...choose(words),
    operators: [...new Set(operators)],
  };
}

function piecesOf(text: string): string[] {
  return joinMonths(text).split(/\s+/);
}

/** Returns a word for each complete date in the query. */
function dateWordsOf(query: string): QueryWord[] {
  const found = findDates(query);
  return [...new Set(found.map(({ text }) => text))].map(text => {
    const isos = found.filter(date => date.text === text).map(({ iso }) => iso);
    const parts = piecesOf(text).flatMap(wordsOfPiece);
    return { ...toWord(text, undefined), date: { isos, parts: parts.map(part => ({ ...part, isDatePart: true })) } };
  });
}

/** Inserts spaces between the year, month and day of Chinese and Japanese dates such as `3 月` and `2025年3月14日`. */
function joinMonths(text: string): string {
  return text
    .trim()
    .replace(/(\d{1,4})\s*年/g, '$1 ')
    .replace(/([一二三四五六七八九十]{1,2}|\d{1,2})\s*月份?/g, ' $1月 ')
    .replace(/(\d{1,2})\s*[日号]/g, ' $1 ');
}

function operatorIn(piece: string, isBetween: boolean): string[] {
  if (isBetween && /^(?:OR|AND|NOT|\|\||&&)$/.test(piece)) return [piece];
  const [operator] = prefix.exec(piece) ?? [];
  return operator === undefined ? [] : [operator];
}

function wordsOfPiece(piece: string): QueryWord[] {
  if (monthNumberOf(piece) !== undefined) return [toWord(piece, undefined)];
  const fitsPattern = isPattern(piece) ? createFileNameMatcher(foldQueryPhrase(piece)) : undefined;
  const whole = foldQueryPhrase(piece);
  // A word with a hyphen, such as e-mail, is not split if it means a kind of file.
  if (findFileKindWord(whole) !== undefined) return [toWord(whole, fitsPattern)];
  const runs =
    joinThousands(piece.normalize('NFC')).match(/[\p{L}\p{M}\p{Script=Han}]+|[^\p{L}\p{M}\p{Script=Han}]+/gu) ?? [];
  return runs.flatMap(run => wordsOfRun(run, fitsPattern));
}

/**
 * Returns the words in a run of letters. The parts of an identifier such as `reserveCopies` and the whole identifier
 * are searched.
 */
function wordsOfRun(run: string, fitsPattern: QueryWord['fitsPattern']): QueryWord[] {
  const words = splitWords(run);
  if (isInScriptWithoutSpaces(run)) {
    const parts = words.flatMap(word => (findFileKindWord(word) === undefined ? splitAtParticles(word) : [word]));
    return parts.map(part => toWord(part, fitsPattern));
  }
  const identifier = words.length > 1 ? [foldQueryPhrase(run)] : [];
  const inAscii = splitWords(spellInAscii(run));
  return words.map((text, index) => {
    const spellings = [inAscii[index] ?? text, text.replaceAll('ss', 'ß')].filter(other => other !== text);
    return { ...toWord(text, fitsPattern), otherForms: [...spellings, ...identifier, ...groupedForms(text)] };
  });
}

/** Removes the separators of thousands from numbers such as `1,234.56`. */
function joinThousands(text: string): string {
  return text.replace(/(?<![\d.,])[1-9]\d{0,2}(?:[.,'’]\d{3})+(?!\d)/g, number => number.replace(/\D/g, ''));
}

/** Returns the forms of a number with separators of thousands, as in several countries. A year has no such forms. */
function groupedForms(word: string): string[] {
  if (!/^[1-9]\d{3,8}$/.test(word) || /^(?:19|20)\d\d$/.test(word)) return [];
  return [',', '.', ' ', "'"].map(separator => word.replace(/\B(?=(?:\d{3})+$)/g, separator));
}

/**
 * Returns whether a word is a pattern for file names. A pattern needs three literal characters. A question mark at the
 * end of a sentence does not make a pattern.
 */
function isPattern(piece: string): boolean {
  const literals = piece.replace(/[*?]/g, '');
  return literals.length >= 3 && /[*]|\?.|\d\?$/.test(piece);
}

function toWord(text: string, fitsPattern: QueryWord['fitsPattern']): QueryWord {
  const kind = findFileKindWord(text);
  const isTime = isTimeWord(text);
  const isRequired = kind === undefined && !isTime && !isFiller(text);
  return { text, otherForms: [], isRequired, kind, isTime, month: monthNumberOf(text), fitsPattern };
}

/**
 * Returns whether a word is too short to be searched: a single letter, or a Japanese ending of one or two Hiragana
 * characters.
 */
function isFiller(text: string): boolean {
  return /^\p{L}$/u.test(text) || /^\p{Script=Hiragana}{1,2}$/u.test(text);
}

/**
 * Selects the words to search: it removes stop words and repeated words. If only optional words remain, they become
 * required.
 */
function choose(all: readonly QueryWord[]): Pick<ParsedQuery, 'words' | 'ignored'> {
  const distinct = [...new Map(all.map(word => [word.text, word])).values()];
  const told = distinct.filter(({ text }) => !isStopWord(text));
  const words = told.length === 0 ? distinct : told;
  const hasRequired = words.some(({ isRequired }) => isRequired);
  const chosen = hasRequired ? words : words.map(word => ({ ...word, isRequired: true }));
  const required = chosen.filter(({ isRequired }) => isRequired);
  const optional = chosen.filter(({ isRequired }) => !isRequired);
  const sorted = [...required, ...optional].slice(0, maxQueryWords);
  const kept = new Set(sorted.map(({ text }) => text));
  return { words: sorted, ignored: distinct.map(({ text }) => text).filter(text => !kept.has(text)) };
}
