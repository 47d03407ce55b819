import type { WordList } from '../match/spelling.ts';

/** Above this number new words are not stored. A misspelled query then finds only the stored words. */
const maxWords = 200_000;

/**
 * The words of indexed texts, used to correct misspelled queries. Words of deleted files stay, because they are only
 * suggestions.
 */
export class IndexVocabulary implements WordList {
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
