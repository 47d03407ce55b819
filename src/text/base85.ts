/** The 85 digits are consecutive ASCII characters. This is the code of the first one, which stands for the digit 0. */
const zero = 0x23;
/**
 * The code of each character is its digit plus `zero`. This is the part of the value that comes from these additions.
 */
const offset = zero * (1 + 85 + 85 ** 2 + 85 ** 3 + 85 ** 4);

/** Decodes text in which five characters stand for four bytes, both with the least significant one first. */
export function decodeBase85(text: string): Uint8Array {
  const codes = Buffer.from(text, 'latin1');
  const bytes = new Uint8Array((codes.length / 5) * 4);
  let to = 0;
  for (let at = 0; at < codes.length; at += 5) {
    const high = ((codes[at + 4] ?? 0) * 85 + (codes[at + 3] ?? 0)) * 85 + (codes[at + 2] ?? 0);
    const value = (high * 85 + (codes[at + 1] ?? 0)) * 85 + (codes[at] ?? 0) - offset;
    bytes[to++] = value;
    bytes[to++] = value / 0x100;
    bytes[to++] = value / 0x1_0000;
    bytes[to++] = value / 0x100_0000;
  }
  return bytes;
}
