/** The 95 digits are the printable ASCII characters. This is the code of the first one, which stands for the digit 0. */
const zero = 0x20;
const charactersPerGroup = 11;
const bytesPerGroup = 9;

/** Decodes text in which 11 characters stand for 9 bytes, both with the least significant one first. */
export function decodeBase95(text: string): Uint8Array {
  const codes = Buffer.from(text, 'latin1');
  const bytes = new Uint8Array((codes.length / charactersPerGroup) * bytesPerGroup);
  let to = 0;
  for (let at = 0; at < codes.length; at += charactersPerGroup) {
    // A group has 72 bits. They are kept in three numbers of 24 bits, so that each product fits into 31 bits.
    let [low, middle, high] = [0, 0, 0];
    for (let index = at + charactersPerGroup - 1; index >= at; index--) {
      low = low * 95 + (codes[index] ?? 0) - zero;
      middle = middle * 95 + (low >>> 24);
      high = high * 95 + (middle >>> 24);
      low &= 0xff_ffff;
      middle &= 0xff_ffff;
    }
    for (const part of [low, middle, high]) {
      bytes[to++] = part;
      bytes[to++] = part >>> 8;
      bytes[to++] = part >>> 16;
    }
  }
  return bytes;
}
