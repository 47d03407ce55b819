/** Words that do not describe the topic of a problem: function words, and words that occur in every statement. */
const stopWords = new Set(
  `about after again all also an and any are as at be been but by can do does each either every for from given has
  have he her his how if in into is it its just may more most must no none not of off on once one only or other out
  over own same she should so some such than that the their them then there these they this those to two up was what
  when where which while who will with would you your
  answer code constraint example explanation first find follow following format holds input integer length line made
  memory note output print problem return sample satisfy score second standard statement test time value least
  lt gt le ge leq geq ldots cdots times frac text mathrm quot nbsp amp`.split(/\s+/),
);

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
/** Matches words. In scripts without spaces between words, such as Chinese, a run of characters is one match. */
const unicodeRuns = new RegExp(String.raw`[${unspaced}]+|(?:(?![${unspaced}])[\p{L}\p{N}])+`, 'gu');
const asciiRuns = /[a-z0-9]+/g;
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u');

/**
 * Returns the words of a text for the index, in order and with repetitions. They are in lower case and singular, and
 * stop words are removed.
 */
export function indexWordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/<[^<>]*>|&#?\w+;|\\[a-z]+|['\u2019]s\b/g, ' ');
  const isAscii = !/[^\0-\x7f]/.test(plain);
  const words: string[] = [];
  for (const [run] of plain.matchAll(isAscii ? asciiRuns : unicodeRuns)) {
    if (!isAscii && startsUnspaced.test(run)) for (const pair of pairsOf(run)) words.push(pair);
    else if (run.length > 1 && !stopWords.has(run)) words.push(singular(run));
  }
  return words;
}

/**
 * Returns the pairs of adjacent characters in a text without spaces between words. The index contains these pairs
 * instead of words.
 */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, index) => characters[index] + character);
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

const termMark = '=';

/**
 * Returns the index term for a complete title. With this term a search also finds a title of common words, such as
 * "Once Again".
 */
export function indexTermOfTitle(title: string): string {
  const key = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return termMark + key;
}

/** Joins the words of a query for the field `rewritten_query`. The term for a complete title is left out. */
export function joinQueryWords(terms: readonly string[]): string {
  return terms.filter(term => !term.startsWith(termMark)).join(' ');
}
