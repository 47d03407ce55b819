import { type Draft, type JournalRecord, type JournalState, userField } from './journal.ts';
import type { Place } from './key.ts';

/** Stands for everybody who changes files past the tools. */
export const externalAgent = 'external';
/** Stands for the comparison of all files with the journal. */
export const surveyAgent = 'survey';

/**
 * The record for a file that is not as the journal left it; undefined when it is. Until a book has been surveyed for the
 * first time, its files count from when they came, or all of them would be new. After that a change counts from when it
 * is noticed: a file moved here may be older than the last survey.
 */
export function externalChange(
  state: JournalState,
  place: Place,
  current: string | undefined,
  arrivedMs: number | undefined,
): Draft | undefined {
  const known = state.file(place)?.hash ?? null;
  const found = current ?? null;
  if (known === found) return undefined;
  return {
    kind: 'external',
    agent: externalAgent,
    operation: 'external',
    path: place.path,
    user: userField(place.user),
    prev: known,
    new: found,
    status: 'success',
    ...(arrivedMs !== undefined && !state.hasBaseline && { changed: new Date(arrivedMs).toISOString() }),
  };
}

export function endOf(
  intent: JournalRecord,
  kind: 'commit' | 'abort',
  facts: Partial<Pick<Draft, 'error' | 'ms' | 'status'>> = {},
): Draft {
  return {
    kind,
    agent: intent.agent,
    operation: intent.operation,
    path: intent.path,
    user: intent.user,
    prev: intent.prev,
    new: kind === 'commit' ? intent.new : intent.prev,
    status: kind === 'commit' ? 'success' : 'failed',
    ...(kind === 'abort' && { error: 'INTERRUPTED' }),
    ...facts,
  };
}

/** The place a record is about. */
export function placeOfRecord(book: string, record: JournalRecord): Place {
  return { book, path: record.path, user: record.user === userField(undefined) ? undefined : record.user };
}
