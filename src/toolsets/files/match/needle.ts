import { byteAt } from '../../../documents/bytes.ts';
import type { DecodedText } from '../../../documents/encoding/decode.ts';
import { CharacterFoldTable, foldCaseAndAccents, foldTextInPieces, specialCharacterFoldCodes } from './fold.ts';

/** A phrase to search, with precomputed tables for a fast comparison. */
export interface PreparedPhrase {
  folds: CharacterFoldTable;
  text: string;
  bytes: Buffer;
  isAscii: boolean;
  /** The index of the phrase's rarest character, which is searched first. */
  anchor: number;
  isAnchorRare: boolean;
  /**
   * The first bytes of all characters that match the rarest character of the phrase: its upper and lower case, and its
   * accented forms.
   */
  starts: readonly number[];
  /**
   * The tables of the Horspool algorithm: the index of the last byte of the phrase's longest word, and the shift
   * distance for each byte.
   */
  end: number;
  jumps: Uint8Array;
}

/**
 * Creates the search tables of a case-folded phrase. All phrases of a thread share one table of case-folded characters.
 */
export function preparePhrase(text: string, folds: CharacterFoldTable = new CharacterFoldTable()): PreparedPhrase {
  const bytes = Buffer.from(text, 'utf8');
  let anchor = 0;
  for (let index = 0; index < bytes.length; index++) {
    if (frequency(byteAt(bytes, index)) < frequency(byteAt(bytes, anchor))) anchor = index;
  }
  const isAscii = bytes.length === text.length;
  const rarest = byteAt(bytes, anchor);
  const isAnchorRare = frequency(rarest) <= maxRareFrequency;
  const starts = isAscii ? [...bothCases(rarest), ...folds.leadsOf(rarest)] : [];
  return { folds, text, bytes, isAscii, anchor, isAnchorRare, starts, ...jumpsOf(text, bytes) };
}

function bothCases(byte: number): number[] {
  return byte >= 0x61 && byte <= 0x7a ? [byte, byte - 0x20] : [byte];
}

const maxJump = 255;

/**
 * Returns the shift table of the Boyer–Moore–Horspool algorithm. A byte that is not in the word shifts by the length of
 * the word.
 */
function jumpsOf(text: string, bytes: Buffer): Pick<PreparedPhrase, 'end' | 'jumps'> {
  const word = text.split(' ').reduce((left, right) => (right.length > left.length ? right : left));
  const start = Math.max(text.indexOf(word), text.indexOf(word) + word.length - maxJump);
  const end = text.indexOf(word) + word.length - 1;
  const jumps = new Uint8Array(256).fill(Math.max(1, end - start + 1));
  for (let index = start; index < end; index++)
    for (const byte of bothCases(byteAt(bytes, index))) jumps[byte] = end - index;
  return { end, jumps };
}

/**
 * The most frequent characters of English text and source code. The string below contains their frequencies per
 * thousand characters. All other characters count as rare.
 */
const frequencies = ' eatoinsrlcdhupmfgybvw._()/:,-"\'=;0123';
const perMille = [
  160, 85, 60, 60, 56, 52, 52, 48, 46, 36, 28, 28, 26, 22, 20, 20, 16, 15, 13, 11, 9, 9, 10, 9, 8, 8, 8, 8, 8, 8, 8, 8,
  8, 8, 8, 8, 8, 8,
];
const maxRareFrequency = 13;

function frequency(byte: number): number {
  return perMille[frequencies.indexOf(String.fromCharCode(byte))] ?? 1;
}

/**
 * Returns whether a text contains the phrase. An ASCII phrase is searched in the bytes, so that the whole text need not
 * be case-folded.
 */
export function containsPhrase(needle: PreparedPhrase, { bytes, isAscii }: DecodedText): boolean {
  if (!needle.isAscii) return !isAscii && matchesFolded(needle, bytes.toString('utf8'));
  if (needle.isAnchorRare) return matchesAtAnchor(needle, bytes, isAscii);
  return isAscii ? matchesByWord(needle, bytes) : matchesByByte(needle, bytes);
}

function matchesFolded(needle: PreparedPhrase, text: string): boolean {
  for (const piece of foldTextInPieces(text, needle.text.length)) if (piece.includes(needle.text)) return true;
  return false;
}

/**
 * Finds the bytes that may begin the rarest character of the phrase, and compares the phrase at each of these offsets.
 */
function matchesAtAnchor(needle: PreparedPhrase, content: Buffer, isAscii: boolean): boolean {
  for (const start of needle.starts) {
    if (isAscii && start >= 0x80) break;
    for (let at = content.indexOf(start); at !== -1; at = content.indexOf(start, at + 1)) {
      if (isAtAnchor(needle, content, at)) return true;
    }
  }
  return false;
}

/**
 * Compares the phrase at each byte of the text. This is faster than a search for the rarest character if all characters
 * of the phrase are frequent.
 */
function matchesByByte(needle: PreparedPhrase, content: Buffer): boolean {
  const isStart = new Uint8Array(256);
  for (const start of needle.starts) isStart[start] = 1;
  for (let at = 0; at < content.length; at++) {
    if (isStart[content[at] ?? 0] === 1 && isAtAnchor(needle, content, at)) return true;
  }
  return false;
}

/** Searches the longest word of the phrase in an ASCII text by the Horspool algorithm. */
function matchesByWord(needle: PreparedPhrase, content: Buffer): boolean {
  const { bytes, end, jumps } = needle;
  const last = byteAt(bytes, end);
  for (let at = 0; at < content.length; at += jumps[content[at] ?? 0] ?? 1) {
    if (lowered(content[at] ?? 0) === last && isAround(needle, end, content, at, at + 1)) return true;
  }
  return false;
}

function isAtAnchor(needle: PreparedPhrase, content: Buffer, at: number): boolean {
  const { bytes, anchor, folds } = needle;
  const byte = content[at] ?? 0;
  if (byte < 0x80) return isAround(needle, anchor, content, at, at + 1);
  const length = characterLength(byte);
  const isAnchor = folds.codeOf(pointAt(content, at, length)) === bytes[anchor];
  return isAnchor && isAround(needle, anchor, content, at, at + length);
}

/**
 * Returns whether the content contains the whole phrase around its character `index`, which is between the offsets
 * `start` and `end`. A space of the phrase matches any run of white space. Characters that case folding removes are
 * skipped.
 */
function isAround(needle: PreparedPhrase, index: number, content: Buffer, start: number, end: number): boolean {
  return isBehind(needle, index, content, end) && isBefore(needle, index, content, start);
}

function isBehind({ bytes: phrase, folds }: PreparedPhrase, index: number, content: Buffer, end: number): boolean {
  let position = end;
  let isInBlank = phrase[index] === blank;
  for (let next = index + 1; next < phrase.length; ) {
    const byte = content[position];
    if (byte === undefined) return false;
    const length = byte < 0x80 ? 1 : characterLength(byte);
    const code = byte < 0x80 ? lowered(byte) : folds.codeOf(pointAt(content, position, length));
    position += length;
    if (code === specialCharacterFoldCodes.nothing) continue;
    if (code === blank && isInBlank) continue;
    if (code !== phrase[next]) return false;
    isInBlank = code === blank;
    next++;
  }
  return true;
}

function isBefore({ bytes: phrase, folds }: PreparedPhrase, index: number, content: Buffer, start: number): boolean {
  let position = start;
  let isInBlank = phrase[index] === blank;
  for (let next = index - 1; next >= 0; ) {
    if (--position < 0) return false;
    while (((content[position] ?? 0) & 0xc0) === 0x80) position--;
    const byte = content[position] ?? 0;
    const code = byte < 0x80 ? lowered(byte) : folds.codeOf(pointAt(content, position, characterLength(byte)));
    if (code === specialCharacterFoldCodes.nothing) continue;
    if (code === blank && isInBlank) continue;
    if (code !== phrase[next]) return false;
    isInBlank = code === blank;
    next--;
  }
  return true;
}

const blank = 0x20;

/** Converts an ASCII byte to lower case, and each kind of white space to a space. */
function lowered(byte: number): number {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte >= 0x09 && byte <= 0x0d ? blank : byte;
}

/** Returns the length of a UTF-8 character by its first byte. The content is valid UTF-8. */
function characterLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

function pointAt(content: Buffer, at: number, length: number): number {
  const lead = content[at] ?? 0;
  let point = length === 2 ? lead & 0x1f : length === 3 ? lead & 0x0f : lead & 0x07;
  for (let index = 1; index < length; index++) point = (point << 6) | ((content[at + index] ?? 0) & 0x3f);
  return point;
}

/**
 * Returns a function that tests whether a file name matches. A phrase with `*` or `?` must match the whole name, and
 * any other phrase must match a part of it. Case and accents are ignored.
 */
export function createFileNameMatcher(phrase: string): (name: string) => boolean {
  if (!/[*?]/.test(phrase)) return name => foldCaseAndAccents(name).includes(phrase);
  const pattern = Array.from(phrase);
  return name => fits(Array.from(foldCaseAndAccents(name)), pattern);
}

/**
 * Returns whether a name matches a pattern with `*` and `?`. After a mismatch only the last `*` is tried again, so that
 * the cost is at most the product of both lengths.
 */
function fits(name: readonly string[], pattern: readonly string[]): boolean {
  let [at, next, star, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    const wanted = pattern[next];
    if (wanted === '*') [star, mark, next] = [next, at, next + 1];
    else if (wanted === '?' || wanted === name[at]) [at, next] = [at + 1, next + 1];
    else if (star !== -1) [mark, at, next] = [mark + 1, mark + 1, star + 1];
    else return false;
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
}
