/** Reads a part of a file; a part beyond its end is empty. */
export type ReadAt = (position: number, length: number) => Buffer;
