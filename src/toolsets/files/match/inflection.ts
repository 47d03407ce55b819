import { isInScriptWithoutSpaces } from './words.ts';

/**
 * The endings of plurals and simple inflections in European languages, the longest first. They contain no umlauts,
 * because case folding removes them from the compared texts.
 */
const endings = [
  'keiten',
  'heiten',
  'ungen',
  'keit',
  'heit',
  'ings',
  'ies',
  'ern',
  'ing',
  'en',
  'er',
  'es',
  'ed',
  'em',
  'os',
  'as',
  'is',
  'us',
  'ly',
  'e',
  'n',
  's',
  'y',
  'a',
  'o',
  'i',
  'x',
];
const known: ReadonlySet<string> = new Set([
  '',
  ...endings,
  'ung',
  'd',
  'r',
  'rn',
  'nen',
  'in',
  'ion',
  'ions',
  'ment',
  'ments',
  'ne',
  'ies',
]);
/**
 * The endings that are removed from a word if the stem has only three letters. With other endings, most such words are
 * unrelated, such as `car` and `care`.
 */
const afterShortStem: ReadonlySet<string> = new Set(['', 's', 'es', 'en', 'ing', 'ed']);
const minStemLetters = 4;
const minShortStemLetters = 3;

/**
 * Returns the stem that the inflections of a word share, or undefined for short words and for scripts without such
 * endings.
 */
export function stemOfWord(word: string): string | undefined {
  if (word.length < minShortStemLetters || /\d/.test(word) || isInScriptWithoutSpaces(word)) return undefined;
  const ending = endings.find(
    end => word.endsWith(end) && word.length - end.length >= (end === 's' ? minShortStemLetters : minStemLetters),
  );
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  // English doubles the last consonant of a stem before some endings: "scan" becomes "scanned".
  return doubling.has(ending) && /([b-df-hj-np-tv-z])\1$/.test(stem) && stem.length >= minStemLetters
    ? stem.slice(0, -1)
    : stem;
}

const doubling: ReadonlySet<string> = new Set(['ing', 'ed', 'er']);

/** Returns whether a word of a text is an inflection of the word with this stem, such as "searches" for "search". */
export function isInflectionOf(stem: string, word: string): boolean {
  if (!word.startsWith(stem)) return false;
  const rest = word.slice(stem.length);
  const allowed = stem.length < minStemLetters ? afterShortStem : known;
  // English doubles the last consonant of a stem: "run" becomes "running".
  return allowed.has(rest) || (rest.length > 2 && rest.startsWith(stem.slice(-1)) && allowed.has(rest.slice(1)));
}
