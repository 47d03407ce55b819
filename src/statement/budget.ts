/** Thrown when the conversion exceeds its budget. Only this error leads to the plain-text fallback. */
export class ConversionBudgetExceeded extends Error {}

/** Counts one kind of work on a statement and throws when it exceeds the limit. */
class Counter {
  spent = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  spend(amount: number): void {
    this.spent += amount;
    if (this.spent > this.#limit)
      throw new ConversionBudgetExceeded('the statement exceeds the budget of the conversion');
  }
}

const limits = {
  elements: 30_000,
  searched: 4_000_000,
  rules: 400_000,
  copied: 4 * 1024 * 1024,
  written: 4 * 1024 * 1024,
};

/** Limits the work on one statement. Every kind of work that could grow faster than the input has a counter. */
export class ConversionBudget {
  /**
   * Limits the elements of the tree and the parts of drawn formulas. Each one costs time and memory in every step. A
   * page of 1 MiB has about 20,000 of them.
   */
  readonly elements = new Counter(limits.elements);
  /**
   * Limits the search for the element that a tag closes and for the list or quote that a line continues. Each compared
   * element counts.
   */
  readonly searched = new Counter(limits.searched);
  /** Limits the declarations of style sheets, counted for each selector and for each element to which they apply. */
  readonly rules = new Counter(limits.rules);
  /**
   * Limits the characters that are copied from an element into its parent. Nested lists and quotes copy them at every
   * level.
   */
  readonly copied = new Counter(limits.copied);
  /** Limits the characters of the output. Links, tables and escapes can make it longer than the input. */
  readonly written = new Counter(limits.written);
}
