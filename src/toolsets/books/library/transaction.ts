import { hashOf } from '../model/hash.ts';
import { keyOf } from '../model/key.ts';
import { storageFailure } from '../model/refusal.ts';
import type { Change, ChangeResult } from './book-log.ts';

/** The state of a file as a medium observed it. */
export interface Observation {
  /** Undefined for a missing file. */
  hash: string | undefined;
}

/** The steps of a change that differ between media. */
export interface ChangeSteps<Seen extends Observation> {
  /** Waits before a retry. Returns false if no retry is left. */
  mayTry(attempt: number): Promise<boolean>;
  observe(): Promise<Seen>;
  /** Called when a change is rejected. The medium can then record the observation if it is missing in the journal. */
  onRefused(observation: Seen): void;
  /**
   * Appends an intent and syncs it, replaces the file, and appends the end record. Returns false without a change if
   * the file differs from the observation.
   */
  apply(observation: Seen, hash: string | undefined): Promise<boolean>;
}

/**
 * Runs the transaction of every change, over any medium: observe, decide, append the intent, replace the file if it is
 * unchanged since the observation, then return. After a crash, the content of the file shows whether an intent was
 * applied.
 */
export async function runChange<Decision, Seen extends Observation>(
  { place, bytes, decide }: Change<Decision>,
  steps: ChangeSteps<Seen>,
): Promise<ChangeResult<Decision>> {
  const hash = bytes && hashOf(bytes);
  for (let attempt = 0; await steps.mayTry(attempt); attempt++) {
    const observation = await steps.observe();
    const previous = observation.hash;
    let decision: Decision;
    try {
      decision = decide(previous);
    } catch (error) {
      steps.onRefused(observation);
      throw error;
    }
    if (bytes === undefined && previous === undefined) return { decision, previous, hash };
    if (await steps.apply(observation, hash)) return { decision, previous, hash };
  }
  throw busyFailure(keyOf(place));
}

/** Creates the error for a file or journal that other processes keep locked. */
export function busyFailure(what: string): Error {
  return storageFailure('BUSY', `${what} is being changed by another program.`, {
    path: what,
    suggestion: 'Try again in a moment.',
  });
}
