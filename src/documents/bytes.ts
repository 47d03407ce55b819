/** Returns the byte at an offset, or 0 outside of the bytes. */
export function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
