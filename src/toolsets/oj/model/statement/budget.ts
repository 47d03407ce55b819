const LIMITS = {
  /** Elements of the tree and pieces of drawn formulas: each costs time and room in every step that follows. A statement
   * of 1 MiB has some 20,000. */
  elements: 40_000,
  /** Open elements that are looked through for the one a tag ends. */
  climbed: 4_000_000,
  /** Declarations of style sheets, for each selector and each element they apply to. */
  rules: 400_000,
  /** Characters moved from an element into the one around it: lists and quotes move them at every level. */
  moved: 4 * 1024 * 1024,
  /** Characters of the answer: links, tables and marks can say more than the page does. */
  written: 4 * 1024 * 1024,
};

/** The page costs more than any statement does. Nobody else throws this, and nothing else is caught. */
export class TooMuch extends Error {}

/** Counts the work on one statement, wherever it could grow faster than the text itself. */
export class Budget {
  readonly spent = { elements: 0, climbed: 0, rules: 0, moved: 0, written: 0 };

  spend(work: keyof typeof LIMITS, amount: number): void {
    this.spent[work] += amount;
    if (this.spent[work] > LIMITS[work]) throw new TooMuch(`more than ${LIMITS[work]} ${work}`);
  }
}
