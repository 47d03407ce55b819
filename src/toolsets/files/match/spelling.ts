/** Shorter words are not corrected, because too many other words are similar to them. */
const minLetters = 5;
/**
 * A correction can have two edits if the longer one of the two words has this number of letters, and otherwise one
 * edit.
 */
const minLettersForTwoEdits = 8;
const maxEdits = 2;

/**
 * Returns the edit distance of two words: the number of inserted, deleted, replaced and exchanged adjacent letters
 * (optimal string alignment). A distance above the limit is returned as `limit + 1`. The cost is the product of both
 * lengths, so that the arguments must be single words.
 */
export function computeEditDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const next = nextRow(left, right, row, last, beforeLast);
    if (Math.min(...next) > limit) return limit + 1;
    [beforeLast, last] = [last, next];
  }
  return Math.min(last[right.length] ?? 0, limit + 1);
}

/** Returns the edit distances from the first `row` letters of one word to each prefix of the other word. */
function nextRow(left: string, right: string, row: number, last: number[], beforeLast: number[]): number[] {
  const next = [row];
  for (let column = 1; column <= right.length; column++) {
    const replaced = (last[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
    const cost = Math.min((last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, replaced);
    const isExchange = row > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
    next.push(isExchange ? Math.min(cost, (beforeLast[column - 2] ?? 0) + 1) : cost);
  }
  return next;
}

/** The words that occur in indexed files. */
export interface KnownWordList extends Iterable<string> {
  has(word: string): boolean;
}

const maxSuggestions = 6;

/**
 * Returns the known words with the smallest edit distance from a word, unless the distance is too large for words of
 * this length.
 */
export function findSimilarWords(word: string, known: Iterable<string>): string[] {
  if (word.length < minLetters) return [];
  const letters = letterSet(word);
  const found: { text: string; edits: number }[] = [];
  for (const text of known) {
    const limit = Math.max(word.length, text.length) < minLettersForTwoEdits ? 1 : maxEdits;
    if (Math.abs(text.length - word.length) > limit || text === word) continue;
    // One edit changes at most two letters in the set of letters of a word. This fast test excludes most words before
    // the slower comparison.
    if (bitCount(letters ^ letterSet(text)) > 2 * limit) continue;
    const edits = computeEditDistance(word, text, limit);
    if (edits <= limit) found.push({ text, edits });
  }
  found.sort(
    (left, right) => left.edits - right.edits || Number(left.text > right.text) - Number(left.text < right.text),
  );
  const closest = found[0]?.edits;
  const suggestions = found.filter(({ edits }) => edits === closest).map(({ text }) => text);
  return [...new Set(suggestions)].slice(0, maxSuggestions);
}

function letterSet(word: string): number {
  let set = 0;
  for (let index = 0; index < word.length; index++) set |= 1 << (word.charCodeAt(index) & 31);
  return set;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
