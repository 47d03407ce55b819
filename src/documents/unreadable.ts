/** Limits the size of a document in bytes. Larger documents are not parsed. */
export const maxDocumentBytes = 64 * 1024 * 1024;

/** Thrown if a document is damaged, encrypted or exceeds its budget. The library catches this error. */
export class UnreadableError extends Error {}

/**
 * Returns the result of a reader, or undefined if the document is unreadable. All other errors are bugs and are thrown
 * again.
 */
export function undefinedIfUnreadable<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableError) && !isNodeDataError(error)) throw error;
    return undefined;
  }
}

/** Returns the output of a zlib function, or undefined for invalid data. */
export function undefinedIfDamaged(unpack: () => Buffer): Buffer | undefined {
  try {
    return unpack();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('Z_')) throw error;
    return undefined;
  }
}

/**
 * Returns whether Node threw a RangeError with a code, as for an offset outside of a buffer or for an unknown encoding.
 */
function isNodeDataError(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error;
}

/** Counts the steps and decoded bytes of a document, and throws an error when a limit is exceeded. */
export class DocumentBudget {
  #steps: number;
  #bytes: number;

  constructor(steps: number, bytes: number) {
    this.#steps = steps;
    this.#bytes = bytes;
  }

  step(): void {
    if (this.#steps-- <= 0) throw new UnreadableError('the document exceeds the limit of parsing steps');
  }

  /** Returns the number of bytes that may still be decoded. */
  get bytes(): number {
    return this.#bytes;
  }

  unpacked(count: number): void {
    this.#bytes -= count;
    if (this.#bytes <= 0) throw new UnreadableError('the decompressed document is too large');
  }
}
