/**
 * The code of the first printable ASCII character, which represents the digit 0. The 95 digits are the printable ASCII
 * characters.
 */
const zero = 0x20;
/**
 * Each character code is the digit plus `zero`. This constant is the sum of these additions in a number of four digits.
 */
const offset = zero * (1 + 95 + 95 ** 2 + 95 ** 3);

/**
 * Decodes text in which 16 characters represent 13 bytes: 4 characters are a number of 26 bits, the least significant
 * digit first. `build/embedded.mjs` contains the encoder. The numbers are small enough for fast integer arithmetic,
 * because V8 does not optimize code that runs once.
 */
export function decodeBase95(text: string): Uint8Array {
  const codes = Buffer.from(text, 'latin1');
  const bytes = new Uint8Array((codes.length / 16) * 13);
  let to = 0;
  let pending = 0;
  let pendingBits = 0;
  for (let at = 0; at < codes.length; at += 4) {
    const high = ((codes[at + 3] ?? 0) * 95 + (codes[at + 2] ?? 0)) * 95 + (codes[at + 1] ?? 0);
    // At most 6 bits remain from the previous number, so that 32 bits are sufficient.
    pending |= (high * 95 + (codes[at] ?? 0) - offset) << pendingBits;
    for (pendingBits += 26; pendingBits >= 8; pendingBits -= 8) {
      bytes[to++] = pending;
      pending >>>= 8;
    }
  }
  return bytes;
}
