import type { Task } from './read.d.mts';

/** Puts faults of every kind into right answers; `unseen` are those that the oracle did not report. */
export function tryOracle(
  right: readonly (Task & { readonly name: string })[],
  count: number,
): {
  readonly tally: Readonly<Record<string, { readonly put: number; readonly reported: number }>>;
  readonly unseen: readonly string[];
};
