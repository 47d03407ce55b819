import { byteAt } from './bytes.ts';

/** Encrypts or decrypts with RC4. By default, OpenSSL 3 does not provide this algorithm. */
export function rc4(key: Uint8Array, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let index = 0, other = 0; index < 256; index++) {
    const byte = byteAt(state, index);
    other = (other + byte + byteAt(key, index % key.length)) & 0xff;
    state[index] = byteAt(state, other);
    state[other] = byte;
  }
  const out = Buffer.allocUnsafe(bytes.length);
  for (let index = 0, first = 0, second = 0; index < bytes.length; index++) {
    first = (first + 1) & 0xff;
    const left = byteAt(state, first);
    second = (second + left) & 0xff;
    const right = byteAt(state, second);
    state[first] = right;
    state[second] = left;
    out[index] = byteAt(bytes, index) ^ byteAt(state, (left + right) & 0xff);
  }
  return out;
}
