/** A part of the program under fuzzing: bytes in, an error out if an invariant does not hold. */
export interface Target {
  name: string;
  /** Inputs from which mutation starts. Each reaches code that the others do not reach. */
  corpus: readonly (string | Uint8Array)[];
  /** Tokens of the input's syntax, which the mutator inserts. */
  dictionary: readonly string[];
  /** Mutations per run of `npm test`; targets that use a socket or a disk take fewer. */
  mutations: number;
  run(bytes: Buffer): void | Promise<void>;
}

export function defineTarget(target: Target): Target {
  return target;
}

/** Longer inputs are slower and rarely reach other code. */
export const maxInputBytes = 4096;

/** UTF-8 in which invalid bytes become lone surrogates, so that mutation also produces malformed strings. */
export function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\ufffd', '\ud800');
}

/** Reads choices from the start of an input, for targets whose input is a structure and not a text. */
export class ChoiceReader {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  get isEmpty(): boolean {
    return this.#rest.length === 0;
  }

  /** An integer from 0 to `limit - 1`; 0 at the end of the input. */
  below(limit: number): number {
    const byte = this.#rest[0] ?? 0;
    this.#rest = this.#rest.subarray(1);
    return byte % limit;
  }

  pick<Value>(first: Value, ...others: readonly Value[]): Value {
    return others[this.below(others.length + 1) - 1] ?? first;
  }

  /** The bytes up to the next NUL, which is skipped. */
  field(): Buffer {
    const end = this.#rest.indexOf(0);
    const field = this.#rest.subarray(0, end === -1 ? undefined : end);
    this.#rest = this.#rest.subarray(end === -1 ? this.#rest.length : end + 1);
    return field;
  }

  rest(): Buffer {
    return this.#rest;
  }
}
