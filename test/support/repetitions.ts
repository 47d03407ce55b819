/** True if the variable FULL_TESTS is set: random tests then run more often, and tests that write gigabytes run too. */
export const isFullRun = process.env['FULL_TESTS'] !== undefined;

/** Returns the number of repetitions of a test: the second argument in a full run, otherwise the first one. */
export function times(everyRun: number, full: number): number {
  return isFullRun ? full : everyRun;
}
