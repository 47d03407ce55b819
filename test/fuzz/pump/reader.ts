/** A part of the program that reads external input, with inputs that make slow algorithms visible. */
export interface Reader {
  name: string;
  cases: readonly PumpCase[];
  /** Reads the input once. This function contains no checks, because its CPU time is measured. */
  read(input: Buffer): unknown;
}

export interface PumpCase {
  name: string;
  /** Returns an input of about this many bytes. */
  content(bytes: number): Buffer;
}

export function defineReader(reader: Reader): Reader {
  return reader;
}

/** Returns one test case for each piece of text. The input of a case repeats the piece between a start and an end. */
export function repeat(pieces: readonly string[], start = '', end = ''): PumpCase[] {
  return pieces.map(piece => ({
    name: JSON.stringify(start === '' ? piece : `${start}(${piece})`).slice(1, 50),
    content: bytes => Buffer.from(start + piece.repeat(Math.ceil(bytes / Buffer.byteLength(piece))) + end),
  }));
}

/** Returns the same cases as `repeat`, encoded in latin1 for binary formats. */
export function repeatBytes(pieces: readonly string[], start = '', end = ''): PumpCase[] {
  return pieces.map(piece => ({
    name: JSON.stringify(start === '' ? piece : `${start}(${piece})`).slice(1, 50),
    content: bytes => Buffer.from(start + piece.repeat(Math.ceil(bytes / piece.length)) + end, 'latin1'),
  }));
}

/** Returns one test case for each pair. The input opens the pieces many times and then closes all of them. */
export function nest(pairs: readonly (readonly [open: string, close: string])[], start = ''): PumpCase[] {
  return pairs.map(([open, close]) => ({
    name: JSON.stringify(`${open}…${close}`).slice(1, 50),
    content(bytes) {
      const depth = Math.ceil(bytes / (open.length + close.length));
      return Buffer.from(start + open.repeat(depth) + close.repeat(depth));
    },
  }));
}

/** Returns the message of an error as the result, because an input that is rejected must be fast too. */
export function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}
