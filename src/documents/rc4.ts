/** Encrypts or decrypts with RC4. By default, OpenSSL 3 does not provide this algorithm. */
export function rc4(key: Uint8Array, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (left: number, right: number): void => {
    const kept = state[left] ?? 0;
    state[left] = state[right] ?? 0;
    state[right] = kept;
  };
  for (let index = 0, other = 0; index < 256; index++) {
    other = (other + (state[index] ?? 0) + (key[index % key.length] ?? 0)) & 0xff;
    swap(index, other);
  }
  const out = Buffer.allocUnsafe(bytes.length);
  for (let index = 0, first = 0, second = 0; index < bytes.length; index++) {
    first = (first + 1) & 0xff;
    second = (second + (state[first] ?? 0)) & 0xff;
    swap(first, second);
    out[index] = (bytes[index] ?? 0) ^ (state[((state[first] ?? 0) + (state[second] ?? 0)) & 0xff] ?? 0);
  }
  return out;
}
