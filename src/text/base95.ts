/** The 95 digits are the printable ASCII characters. This is the code of the first one, which stands for the digit 0. */
const zero = 0x20;
/** The code of each character is its digit plus `zero`. This is the part of a value that comes from these additions. */
const offset = zero * (1 + 95 + 95 ** 2 + 95 ** 3);

/**
 * Decodes text in which 16 characters stand for 13 bytes: each 4 characters are a number of 26 bits. Numbers and bytes
 * have their least significant part first. `build/embedded.mjs` encodes. The numbers are this small because the code of
 * each packed module is decoded once, before V8 compiles the loop to fast code.
 */
export function decodeBase95(text: string): Uint8Array {
  const codes = Buffer.from(text, 'latin1');
  const bytes = new Uint8Array((codes.length / 16) * 13);
  let to = 0;
  let pending = 0;
  let pendingBits = 0;
  for (let at = 0; at < codes.length; at += 4) {
    const high = ((codes[at + 3] ?? 0) * 95 + (codes[at + 2] ?? 0)) * 95 + (codes[at + 1] ?? 0);
    // At most 6 bits are left from the number before, so that 32 bits are enough.
    pending |= (high * 95 + (codes[at] ?? 0) - offset) << pendingBits;
    for (pendingBits += 26; pendingBits >= 8; pendingBits -= 8) {
      bytes[to++] = pending;
      pending >>>= 8;
    }
  }
  return bytes;
}
