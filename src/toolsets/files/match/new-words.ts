import type { Text } from '../../../documents/encoding/decode.ts';
import { fold } from './fold.ts';

/** Shorter words are not corrected, longer runs of letters are no words. */
const minLetters = 5;
const maxLetters = 24;
/** Only so much of a text is looked at: what stands behind the start of a large file is mostly data. */
const maxBytes = 256 << 10;
const slots = 1 << 16;

/** Collects the words of texts, most of them once: the newest word in each slot of a hash table is known to be collected. */
export class NewWords {
  readonly #seen = new Uint32Array(slots);

  collect(texts: readonly Text[], found: Set<string>): void {
    for (const { bytes, isAscii } of texts) {
      const start = bytes.subarray(0, maxBytes);
      if (isAscii) this.#collectAscii(start, found);
      else for (const [word] of fold(start.toString('utf8')).matchAll(foldedWord)) found.add(word);
    }
  }

  #collectAscii(bytes: Buffer, found: Set<string>): void {
    let [hash, length] = [0, 0];
    for (let index = 0; index <= bytes.length; index++) {
      const letter = (bytes[index] ?? 0) | 0x20;
      if (letter >= 0x61 && letter <= 0x7a) {
        hash = Math.imul(hash ^ letter, 0x01000193);
        length++;
        continue;
      }
      if (length >= minLetters && length <= maxLetters && this.#isNew(hash))
        found.add(bytes.toString('latin1', index - length, index).toLowerCase());
      [hash, length] = [0, 0];
    }
  }

  #isNew(hash: number): boolean {
    const slot = (hash ^ (hash >>> 16)) & (slots - 1);
    if (this.#seen[slot] === hash >>> 0) return false;
    this.#seen[slot] = hash;
    return true;
  }
}

const foldedWord = /(?<!\p{L})(?:\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}){5,24}(?!\p{L})/gu;
