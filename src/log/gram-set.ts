/** The minimum length of a part of a secret that is redacted, because shorter parts also occur by chance. */
export const minSecretFragmentLength = 8;

/** A mask for four ASCII characters of seven bits, because eight characters are stored as two integers. */
const halfMask = 0x0fff_ffff;
const empty = -1;

/**
 * A hash set of all sequences of eight characters in some ASCII strings. Eight ASCII characters are 56 bits, so that a
 * sequence is stored as two integers. The comparison is exact and does not need the strings.
 */
export class SecretFragmentSet {
  #slots = 1024;
  #high = new Int32Array(this.#slots).fill(empty);
  #low = new Int32Array(this.#slots);
  #size = 0;

  addAll(characters: Uint16Array, length: number): void {
    let [high, low] = [0, 0];
    for (let index = 0; index < length; index++) {
      high = ((high << 7) | (low >>> 21)) & halfMask;
      low = ((low << 7) | (characters[index] ?? 0)) & halfMask;
      if (index + 1 >= minSecretFragmentLength) this.#add(high, low);
    }
  }

  /**
   * Calls the callback for each part of the text that consists of sequences in this set, with its start and end index.
   */
  findAll(units: Uint16Array, length: number, onFound: (from: number, to: number) => void): void {
    const [highs, mask] = [this.#high, this.#slots - 1];
    let [high, low, run, from, to] = [0, 0, 0, 0, 0];
    for (let index = 0; index < length; index++) {
      const unit = units[index] ?? 0;
      high = ((high << 7) | (low >>> 21)) & halfMask;
      low = ((low << 7) | unit) & halfMask;
      run = unit > 0x7f ? 0 : run + 1;
      if (run < minSecretFragmentLength || highs[hashOf(high, low) & mask] === empty) continue;
      if (highs[this.#find(high, low)] !== high) continue;
      if (index - minSecretFragmentLength >= to - 1) {
        if (to > 0) onFound(from, to);
        from = index + 1 - minSecretFragmentLength;
      }
      to = index + 1;
    }
    if (to > 0) onFound(from, to);
  }

  #add(high: number, low: number): void {
    if (++this.#size * 4 > this.#slots) this.#grow();
    this.#insert(high, low);
  }

  #insert(high: number, low: number): void {
    const slot = this.#find(high, low);
    this.#high[slot] = high;
    this.#low[slot] = low;
  }

  /** Returns the slot of the sequence in the hash table, or the empty slot into which it can be inserted. */
  #find(high: number, low: number): number {
    const mask = this.#slots - 1;
    let slot = hashOf(high, low) & mask;
    while (this.#high[slot] !== empty && (this.#high[slot] !== high || this.#low[slot] !== low))
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [high, low] = [this.#high, this.#low];
    this.#slots *= 2;
    this.#high = new Int32Array(this.#slots).fill(empty);
    this.#low = new Int32Array(this.#slots);
    for (const [index, value] of high.entries()) {
      if (value !== empty) this.#insert(value, low[index] ?? 0);
    }
  }
}

function hashOf(high: number, low: number): number {
  return Math.imul(high ^ Math.imul(low, 0x9e3779b1), 0x85ebca6b) >>> 12;
}
