/** A text with several parts, each counting as much as its weight says: a title tells more than a statement. */
export type WeightedText = readonly { readonly text: string; readonly weight: number }[];

export type SimilarityIndex = {
  /** How alike each indexed text is to the one at `position`: cosines from 0 to 1, in the order of the texts. */
  compareIndexed(position: number): number[];
  /** How alike each indexed text is to words from elsewhere. */
  compareText(text: string): number[];
};

/** Grammar, and what every statement is made of; numbers, markup and formulas are dropped before. */
const stopWords = new Set(
  `about after again all also an and any are as at be been but by can do does each either every for from given has
  have he her his how if in into is it its just may more most must no none not of off on once one only or other out
  over own same she should so some such than that the their them then there these they this those to two up was what
  when where which while who will with would you your
  answer code constraint example explanation first find follow following format holds input integer length line made
  memory note output print problem return sample satisfy score second standard statement test time value least`
    .split(/\s+/)
    .filter(word => word !== ''),
);

/** The words of a statement that say what it is about, in order and with repetitions. */
export function contentWords(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/<\/?[a-z][^<>]*>/g, ' ')
    .replace(/&#?\w+;/g, ' ')
    .replace(/\\[a-z]+/g, ' ')
    .replace(/['\u2019]s\b/g, '');
  return [...plain.matchAll(/\p{Script=Han}+|[^\P{L}\p{Script=Han}]{2,}/gu)]
    .flatMap(([run]) => (/^\p{Script=Han}/u.test(run) ? hanPairs(run) : [singular(run)]))
    .filter(word => !stopWords.has(word));
}

/** Chinese is written without spaces; pairs of neighbouring characters do instead of words. */
function hanPairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.length === 1 ? characters : characters.slice(1).map((character, i) => characters[i] + character);
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && /[^sui]s$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Compares texts by the cosine of their TF-IDF vectors. */
export function indexTexts(texts: readonly WeightedText[]): SimilarityIndex {
  const counted = texts.map(countWords);
  const textsWith = new Map<string, number>();
  for (const counts of counted) {
    for (const word of counts.keys()) textsWith.set(word, (textsWith.get(word) ?? 0) + 1);
  }

  // A word that all texts share weighs nothing.
  const rarity = (word: string) => Math.log((1 + texts.length) / (1 + (textsWith.get(word) ?? 0)));
  const vectors = counted.map(counts => toUnitVector(counts, rarity));
  const compareVector = (vector: ReadonlyMap<string, number>) => vectors.map(other => cosine(vector, other));

  return {
    compareIndexed: position => compareVector(vectors[position] ?? new Map<string, number>()),
    compareText: text => compareVector(toUnitVector(countWords([{ text, weight: 1 }]), rarity)),
  };
}

/** A repeated word counts more, but ever less so. */
function countWords(text: WeightedText): Map<string, number> {
  const total = new Map<string, number>();
  for (const part of text) {
    const counts = new Map<string, number>();
    for (const word of contentWords(part.text)) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      total.set(word, (total.get(word) ?? 0) + part.weight * (1 + Math.log(count)));
    }
  }
  return total;
}

function toUnitVector(counts: ReadonlyMap<string, number>, rarity: (word: string) => number): Map<string, number> {
  const weights = [...counts].map(([word, count]) => [word, count * rarity(word)] as const);
  const length = Math.hypot(...weights.map(([, weight]) => weight));
  return new Map(length === 0 ? [] : weights.map(([word, weight]) => [word, weight / length]));
}

/** Six decimals are plenty, and keep 1 from becoming 1.0000000000000002. */
function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [word, weight] of a) sum += weight * (b.get(word) ?? 0);
  return Math.min(1, Number(sum.toFixed(6)));
}
