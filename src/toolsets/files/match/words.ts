import { foldText } from './fold.ts';

/** Scripts without spaces between words. A run of their characters is one part and is compared as a substring. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々ー]/u;
const parts =
  /[\p{Script=Han}々]+|\p{Script=Hiragana}+|[\p{Script=Katakana}ー]+|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|\p{N}+|\p{L}+/gu;

/** Returns whether a word is compared as a substring because its script has no spaces. */
export function isWithoutWordSpaces(word: string): boolean {
  return unspaced.test(word);
}

/**
 * Returns the words of a text in the form in which they are compared. Words are separated by every character that is
 * not a letter or digit, by a change between letters and digits, by a change of script, and by the capital inside
 * `camelCase`. Numbers lose leading zeros.
 */
export function splitWords(text: string): string[] {
  const separated = text.replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ');
  return (foldText(separated).match(parts) ?? []).map(withoutLeadingZeros);
}

function withoutLeadingZeros(word: string): string {
  return /^0+\d/.test(word) ? word.replace(/^0+(?=\d)/, '') : word;
}

/**
 * Returns the overlapping pairs of characters in a word without spaces, or the word itself if it has only two
 * characters.
 */
export function bigramsOf(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length < 3) return [word];
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
