import { foldCaseAndAccents } from './fold.ts';

const southeastAsian = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** These scripts have no spaces between words. A run of their characters is compared as a substring. */
const unspacedScripts = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー${southeastAsian}`;
const unspaced = new RegExp(`[${unspacedScripts}]`, 'u');
const parts = new RegExp(
  String.raw`[\p{Script=Han}]+|\p{Script=Hiragana}+|[\p{Script=Katakana}ー]+|[${southeastAsian}]+|\p{N}+|[^\P{L}${unspacedScripts}]+`,
  'gu',
);

/** Returns whether a word is compared as a substring because its script has no spaces. */
export function isInScriptWithoutSpaces(word: string): boolean {
  return unspaced.test(word);
}

/**
 * Returns the words of a text for comparison. A word ends at each character that is not a letter or digit, between
 * letters and digits, between two scripts, and before a capital letter as in `camelCase`. Numbers lose leading zeros.
 */
export function splitWords(text: string): string[] {
  const separated = text.replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ');
  return (foldCaseAndAccents(separated).match(parts) ?? []).map(withoutLeadingZeros);
}

function withoutLeadingZeros(word: string): string {
  return /^0+\d/.test(word) ? word.replace(/^0+(?=\d)/, '') : word;
}

/** Returns all pairs of adjacent characters in a word without spaces, such as "AB" and "BC" for "ABC". */
export function bigramsOf(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length < 3) return [word];
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/**
 * Maps letters such as `ß` to their spellings in ASCII, here `ss`. Letters that only lose their accents are not listed.
 */
const asciiSpellings: ReadonlyMap<string, string> = new Map(
  Object.entries({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', œ: 'oe', ø: 'oe', å: 'aa', ł: 'l' }),
);

/** Spells a text in ASCII letters, as file names often do: `Größe` becomes `Groesse`. */
export function spellInAscii(text: string): string {
  return text.normalize('NFC').replace(/[äöüßæœøåł]/gi, letter => {
    const ascii = asciiSpellings.get(letter.toLowerCase()) ?? letter;
    return letter === letter.toLowerCase() ? ascii : ascii.charAt(0).toUpperCase() + ascii.slice(1);
  });
}
