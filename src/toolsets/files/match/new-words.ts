/**
 * Only words of 5 to 24 letters are collected: shorter words are not corrected, and longer runs of letters are not
 * words.
 */
const minLetters = 5;
const maxLetters = 24;
/** The number of bytes of a text that are searched for new words, because the rest of a large file is mostly data. */
const maxBytes = 256 << 10;
const slots = 1 << 16;
/**
 * Maps each byte to the lower-case letter that it represents, or to itself if it is part of a character of two bytes.
 * All other bytes map to 0.
 */
const wordBytes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = byte < 0x80 ? byte | 0x20 : byte;
  return (letter >= 0x61 && letter <= 0x7a) || (letter >= 0x80 && letter < 0xe0) ? letter : 0;
});

/**
 * Collects the words of case-folded texts for the vocabulary. A small hash table, which stores the hash of the last
 * word in each slot, removes most repetitions.
 */
export class NewWordCollector {
  readonly #seen = new Uint32Array(slots);
  readonly #found = new Set<string>();

  /** Returns and removes the words that were collected since the last call. */
  take(): string[] {
    const words = [...this.#found];
    this.#found.clear();
    return words;
  }

  /**
   * Collects the words of an ASCII or case-folded text. Words in scripts with more than two bytes per character are
   * ignored.
   */
  collect(text: Uint8Array): void {
    const end = Math.min(text.length, maxBytes);
    let [start, hash, letters] = [0, 0, 0];
    for (let index = 0; index < end; index++) {
      const letter = wordBytes[text[index] ?? 0] ?? 0;
      if (letter !== 0) {
        hash = Math.imul(hash ^ letter, 0x01000193);
        // Continuation bytes of UTF-8 are not counted as letters.
        if (letter < 0x80 || letter >= 0xc0) letters++;
        continue;
      }
      if (letters >= minLetters) this.#add(text, start, index, hash, letters);
      // The variables are assigned one by one, because a destructuring assignment would allocate an array for each
      // word.
      start = index + 1;
      hash = 0;
      letters = 0;
    }
    if (letters >= minLetters && end === text.length) this.#add(text, start, end, hash, letters);
  }

  #add(text: Uint8Array, start: number, end: number, hash: number, letters: number): void {
    const slot = (hash ^ (hash >>> 16)) & (slots - 1);
    if (letters > maxLetters || this.#seen[slot] === hash >>> 0) return;
    this.#seen[slot] = hash;
    const word = Buffer.from(text.buffer, text.byteOffset + start, end - start).toString('utf8');
    if (/^\p{L}+$/u.test(word)) this.#found.add(word.toLowerCase());
  }
}
