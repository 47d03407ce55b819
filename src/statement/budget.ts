/** The conversion exceeds its budget. Only this error leads to the plain-text fallback. */
export class BudgetExceeded extends Error {}

/** One kind of work and its limit for one statement. */
class Counter {
  spent = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  spend(amount: number): void {
    this.spent += amount;
    if (this.spent > this.#limit) throw new BudgetExceeded('the statement costs more than any does');
  }
}

/** Counts the work on one statement wherever it could grow faster than the input. */
export class Budget {
  /** Elements of the tree and parts of drawn formulas: each costs time and memory in every step. A page of 1 MiB has about 20,000. */
  readonly elements = new Counter(30_000);
  /** Open elements and containers that are searched for the one a tag or a line ends. */
  readonly searched = new Counter(4_000_000);
  /** Declarations of style sheets, counted for each selector and each element they apply to. */
  readonly rules = new Counter(400_000);
  /** Characters copied from an element into its parent: lists and quotes copy them at every level. */
  readonly copied = new Counter(4 * 1024 * 1024);
  /** Characters of the output: links, tables and escapes can make it longer than the input. */
  readonly written = new Counter(4 * 1024 * 1024);
}
