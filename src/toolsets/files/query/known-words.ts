import { basename } from 'node:path';
import type { FolderWalk } from '../index/folder-walk.ts';
import type { KnownWordList } from '../match/spelling.ts';
import { splitWords } from '../match/words.ts';

/**
 * The words in indexed texts and in names of files and folders. The words of a query are compared with them to detect
 * misspellings.
 */
export class KnownWords implements KnownWordList {
  readonly #vocabulary: KnownWordList;
  readonly #names: ReadonlySet<string>;

  constructor(vocabulary: KnownWordList, { listed }: FolderWalk) {
    this.#vocabulary = vocabulary;
    this.#names = new Set(
      listed.flatMap(({ path: folder, names }) => splitWords([basename(folder), ...names].join(' '))),
    );
  }

  has(word: string): boolean {
    return this.#names.has(word) || this.#vocabulary.has(word);
  }

  *[Symbol.iterator](): Iterator<string> {
    yield* this.#names;
    yield* this.#vocabulary;
  }
}
