/** Larger documents are not read. */
export const maxDocumentBytes = 64 * 1024 * 1024;

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

/** Counts what a document makes us do; a document that goes beyond is given up. */
export class Budget {
  #steps: number;
  #bytes: number;

  constructor(steps: number, bytes: number) {
    this.#steps = steps;
    this.#bytes = bytes;
  }

  step(): void {
    if (this.#steps-- <= 0) throw new Unreadable('the document takes too many steps');
  }

  /** What may still be unpacked. */
  get bytes(): number {
    return this.#bytes;
  }

  unpacked(count: number): void {
    this.#bytes -= count;
    if (this.#bytes <= 0) throw new Unreadable('the document unpacks to too much');
  }
}
