/** The 95 digits are the printable ASCII characters. This is the code of the first one, which stands for the digit 0. */
const zero = 0x20;
/**
 * Each character code is its digit plus `zero`. This constant is the sum of these additions in a value of four digits.
 */
const offset = zero * (1 + 95 + 95 ** 2 + 95 ** 3);

/**
 * Decodes text in which 16 characters represent 13 bytes: each 4 characters are a number of 26 bits. Numbers and bytes
 * start with their least significant part. `build/embedded.mjs` is the encoder. The numbers are this small because each
 * packed module is decoded only once, before V8 has optimized the loop.
 */
export function decodeBase95(text: string): Uint8Array {
  const codes = Buffer.from(text, 'latin1');
  const bytes = new Uint8Array((codes.length / 16) * 13);
  let to = 0;
  let pending = 0;
  let pendingBits = 0;
  for (let at = 0; at < codes.length; at += 4) {
    const high = ((codes[at + 3] ?? 0) * 95 + (codes[at + 2] ?? 0)) * 95 + (codes[at + 1] ?? 0);
    // At most 6 bits remain from the previous number, so 32 bits are sufficient.
    pending |= (high * 95 + (codes[at] ?? 0) - offset) << pendingBits;
    for (pendingBits += 26; pendingBits >= 8; pendingBits -= 8) {
      bytes[to++] = pending;
      pending >>>= 8;
    }
  }
  return bytes;
}
