/** Reads a part of a file; shorter at its end. */
export type ReadAt = (position: number, length: number) => Buffer;
