/** Thrown when the conversion exceeds its budget. Only this error leads to the plain-text fallback. */
export class BudgetExceeded extends Error {}

/** Counts one kind of work and throws above its limit for one statement. */
class Counter {
  spent = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  spend(amount: number): void {
    this.spent += amount;
    if (this.spent > this.#limit) throw new BudgetExceeded('the statement exceeds the budget of the conversion');
  }
}

/** Limits the work on one statement wherever it could grow faster than the input. */
export class Budget {
  /**
   * The elements of the tree and the parts of drawn formulas. Each one costs time and memory in every step. A page of 1
   * MiB has about 20,000 of them.
   */
  readonly elements = new Counter(30_000);
  /** The open elements and containers that are searched for the element that a tag or a line ends. */
  readonly searched = new Counter(4_000_000);
  /** The declarations of style sheets, counted for each selector and for each element to which they apply. */
  readonly rules = new Counter(400_000);
  /**
   * The characters that are copied from an element into its parent. Nested lists and quotes copy them at every level.
   */
  readonly copied = new Counter(4 * 1024 * 1024);
  /** The characters of the output. Links, tables and escapes can make it longer than the input. */
  readonly written = new Counter(4 * 1024 * 1024);
}
