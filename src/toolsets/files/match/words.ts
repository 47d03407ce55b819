import { fold } from './fold.ts';

/** Scripts that put no blanks between words: a run of them is one part, and is compared as a substring. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々ー]/u;
const parts =
  /[\p{Script=Han}々]+|\p{Script=Hiragana}+|[\p{Script=Katakana}ー]+|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|\p{N}+|\p{L}+/gu;

/** Whether a word is compared as a substring because its script has no blanks. */
export function isUnspaced(word: string): boolean {
  return unspaced.test(word);
}

/**
 * The words of a text in the form in which they are compared. Every character that is no letter or digit separates words; so do a
 * change between letters and digits, a change of script, and the capital inside `camelCase`. Numbers lose leading zeros.
 */
export function splitWords(text: string): string[] {
  const separated = text.replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ');
  return (fold(separated).match(parts) ?? []).map(withoutLeadingZeros);
}

function withoutLeadingZeros(word: string): string {
  return /^0+\d/.test(word) ? word.replace(/^0+(?=\d)/, '') : word;
}

/** The overlapping pairs of characters of a word without blanks; the word itself when it has only two. */
export function bigramsOf(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length < 3) return [word];
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
