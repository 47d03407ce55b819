/** Shorter words are not corrected, longer runs of letters are no words. */
const minLetters = 5;
const maxLetters = 24;
/** Only the first bytes of a text are read: the rest of a large file is mostly data. */
const maxBytes = 256 << 10;
const slots = 1 << 16;

/** Collects the words of folded texts, most of them once: the last word in each slot of a hash table is known to be collected. */
export class NewWords {
  readonly #seen = new Uint32Array(slots);
  readonly #found = new Set<string>();

  /** The words since the last call. */
  take(): string[] {
    const words = [...this.#found];
    this.#found.clear();
    return words;
  }

  /** Of text in ASCII in any case, or of folded text. Scripts beyond two bytes a character have no words here. */
  collect(text: Uint8Array): void {
    const end = Math.min(text.length, maxBytes);
    let [start, hash, letters] = [0, 0, 0];
    for (let index = 0; index < end; index++) {
      const byte = text[index] ?? 0;
      const letter = byte < 0x80 ? byte | 0x20 : byte;
      if (isLetter(letter)) {
        hash = Math.imul(hash ^ letter, 0x01000193);
        // The second byte of a character is no letter of its own.
        if (letter < 0x80 || letter >= 0xc0) letters++;
        continue;
      }
      if (letters >= minLetters) this.#add(text, start, index, hash, letters);
      [start, hash, letters] = [index + 1, 0, 0];
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

/** A letter of ASCII in lower case, or a byte of a character of two bytes. */
function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x80 && byte < 0xe0);
}
