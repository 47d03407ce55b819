/** The page costs more than any statement does. Nobody else throws this, and nothing else is caught. */
export class TooMuch extends Error {}

/** One kind of work, and how much of it a statement may cost. */
class Counter {
  spent = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  spend(amount: number): void {
    this.spent += amount;
    if (this.spent > this.#limit) throw new TooMuch('the statement costs more than any does');
  }
}

/** Counts the work on one statement, wherever it could grow faster than the text itself. */
export class Budget {
  /** Elements of the tree and pieces of drawn formulas: each costs time and room in every step. 1 MiB has some 20,000. */
  readonly elements = new Counter(30_000);
  /** Open elements that are looked through for the one a tag ends. */
  readonly climbed = new Counter(4_000_000);
  /** Declarations of style sheets, for each selector and each element they apply to. */
  readonly rules = new Counter(400_000);
  /** Characters moved from an element into the one around it: lists and quotes move them at every level. */
  readonly moved = new Counter(4 * 1024 * 1024);
  /** Characters of the answer: links, tables and marks can say more than the page does. */
  readonly written = new Counter(4 * 1024 * 1024);
}
