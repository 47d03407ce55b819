/** A part of the program that reads external input, with inputs that make bad algorithms slow. */
export interface Reader {
  name: string;
  cases: readonly PumpCase[];
  /** Reads the input once. Oracles and checks have no place here: the CPU time of this function is measured. */
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

/** One case for each piece, which is repeated between a start and an end. */
export function repeat(pieces: readonly string[], start = '', end = ''): PumpCase[] {
  return pieces.map(piece => ({
    name: JSON.stringify(start === '' ? piece : `${start}(${piece})`).slice(1, 50),
    content: bytes => Buffer.from(start + piece.repeat(Math.ceil(bytes / Buffer.byteLength(piece))) + end),
  }));
}

/** The same in latin1, for binary formats. */
export function repeatBytes(pieces: readonly string[], start = '', end = ''): PumpCase[] {
  return pieces.map(piece => ({
    name: JSON.stringify(start === '' ? piece : `${start}(${piece})`).slice(1, 50),
    content: bytes => Buffer.from(start + piece.repeat(Math.ceil(bytes / piece.length)) + end, 'latin1'),
  }));
}

/** Opening pieces in each other, then as many closing ones. */
export function nest(pairs: readonly (readonly [open: string, close: string])[], start = ''): PumpCase[] {
  return pairs.map(([open, close]) => ({
    name: JSON.stringify(`${open}…${close}`).slice(1, 50),
    content(bytes) {
      const depth = Math.ceil(bytes / (open.length + close.length));
      return Buffer.from(start + open.repeat(depth) + close.repeat(depth));
    },
  }));
}

/** Returns the message of an error: for the time, an error is an outcome like others. */
export function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}
