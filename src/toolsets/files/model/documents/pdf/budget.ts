import { Unreadable } from '../unreadable.ts';

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
