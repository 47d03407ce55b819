/** A part of the program that reads external input, with inputs that make bad algorithms slow. */
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

/** Returns one case for each piece. The input of a case repeats the piece between a start and an end. */
export function repeat(pieces: readonly string[], start = '', end = ''): PumpCase[] {
  return pieces.map(piece => ({
    name: JSON.stringify(start === '' ? piece : `${start}(${piece})`).slice(1, 50),
    content: bytes => Buffer.from(start + piece.repeat(Math.ceil(bytes / Buffer.byteLength(piece))) + end),
  }));
}

/** Returns the same as `repeat`, encoded in latin1 for binary formats. */
export function repeatBytes(pieces: readonly string[], start = '', end = ''): PumpCase[] {
  return pieces.map(piece => ({
    name: JSON.stringify(start === '' ? piece : `${start}(${piece})`).slice(1, 50),
    content: bytes => Buffer.from(start + piece.repeat(Math.ceil(bytes / piece.length)) + end, 'latin1'),
  }));
}

/** Returns one case for each pair. The input nests the opening pieces and then closes all of them. */
export function nest(pairs: readonly (readonly [open: string, close: string])[], start = ''): PumpCase[] {
  return pairs.map(([open, close]) => ({
    name: JSON.stringify(`${open}…${close}`).slice(1, 50),
    content(bytes) {
      const depth = Math.ceil(bytes / (open.length + close.length));
      return Buffer.from(start + open.repeat(depth) + close.repeat(depth));
    },
  }));
}

/** Returns the message of an error as a result, because errors count like other results when the time is measured. */
export function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}
