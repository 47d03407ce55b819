/** A document that is damaged, encrypted, or more work than it is worth. Its readers throw this, and nobody else sees it. */
export class Unreadable extends Error {}

/** What a reader gives; undefined for a document that cannot be read. Everything else that is thrown is a bug. */
export function unlessUnreadable<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Unreadable) && !isRefusedByNode(error)) throw error;
    return undefined;
  }
}

/** What zlib gives; undefined for bytes it cannot make sense of. */
export function unlessDamaged(unpack: () => Buffer): Buffer | undefined {
  try {
    return unpack();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('Z_')) throw error;
    return undefined;
  }
}

/** A number that leads out of the bytes, an encoding nobody has: Node has a code for what is wrong with data. */
function isRefusedByNode(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error;
}
