/** A part of the program that is tested with random bytes. It throws an error if an invariant does not hold. */
export interface Target {
  name: string;
  /** Mutation starts from these inputs. Each reaches code that the others do not reach. */
  corpus: readonly (string | Uint8Array)[];
  /** The mutator inserts these tokens of the input's syntax. */
  dictionary: readonly string[];
  /** `npm test` runs this number of mutations. Targets that use a socket or a disk run fewer. */
  mutations: number;
  /** Returns the output of the part, if it is to be compared with the approved one. */
  run(bytes: Buffer): unknown;
}

export function defineTarget(target: Target): Target {
  return target;
}

/** Inputs are truncated to this length, because longer ones are slower and rarely reach other code. */
export const maxInputBytes = 4096;

/** Decodes UTF-8. Invalid bytes become lone surrogates, so that mutation also produces malformed strings. */
export function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\ufffd', '\ud800');
}

/** Reads choices from the start of an input, for targets that need a structure and not a text. */
export class ChoiceReader {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  get isEmpty(): boolean {
    return this.#rest.length === 0;
  }

  /** Returns an integer from 0 to `limit - 1`, or 0 at the end of the input. */
  below(limit: number): number {
    const byte = this.#rest[0] ?? 0;
    this.#rest = this.#rest.subarray(1);
    return byte % limit;
  }

  pick<Value>(first: Value, ...others: readonly Value[]): Value {
    return others[this.below(others.length + 1) - 1] ?? first;
  }

  /** Returns the bytes up to the next NUL and skips the NUL. */
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
