import type { KnownWordList } from '../match/spelling.ts';

/**
 * Limits the number of words in the vocabulary. When it is full, misspelled queries are corrected with the stored words
 * only.
 */
const maxWords = 200_000;

/**
 * The words of all indexed texts, which are suggested for misspelled words of a query. Words of deleted files are kept,
 * because each suggestion is searched before it is used.
 */
export class IndexVocabulary implements KnownWordList {
  readonly #words = new Set<string>();

  get size(): number {
    return this.#words.size;
  }

  has(word: string): boolean {
    return this.#words.has(word);
  }

  add(words: Iterable<string>): void {
    for (const word of words) {
      if (this.#words.size >= maxWords) return;
      this.#words.add(word);
    }
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#words[Symbol.iterator]();
  }
}
