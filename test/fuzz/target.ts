/** A part of the program that is tested with random bytes. It throws an error if an invariant is violated. */
export interface Target {
  name: string;
  /** Mutation starts from these inputs. Each of them executes code that the others do not execute. */
  corpus: readonly (string | Uint8Array)[];
  /** Tokens of the input's syntax, which the mutator inserts. */
  dictionary: readonly string[];
  /** The number of mutations in `npm test`. It is lower for targets that use a socket or a disk. */
  mutations: number;
  /** Returns the output of the target, if the approved file contains it. */
  run(bytes: Buffer): unknown;
}

export function defineTarget(target: Target): Target {
  return target;
}

/** The maximum length of an input. Longer inputs are slower and rarely execute other code. */
export const maxInputBytes = 4096;

/** Decodes UTF-8. Invalid bytes become lone surrogates, so that mutation also produces malformed strings. */
export function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\ufffd', '\ud800');
}

/** Reads random choices from the start of an input, for targets that need a structure instead of a text. */
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
