import { type JournalRecord, type JournalState, type MovedFile, type RecordDraft, userInJournal } from './journal.ts';
import type { FileLocation } from './key.ts';

/** The author of changes that other programs made. */
export const externalAuthor = 'external';
/** The author of surveys, which compare all files with the journal. */
export const scanAuthor = 'survey';

/**
 * Returns the record for a file that differs from the journal, or undefined if it does not differ. Before the first
 * survey of a book, a change has the time of the file, because otherwise all files would be new. Later it has the time
 * of the discovery, because a moved file can be older than the last survey.
 */
export function externalChangeRecordOf(
  state: JournalState,
  place: FileLocation,
  current: string | undefined,
  arrivedMs: number | undefined,
): RecordDraft | undefined {
  const known = state.file(place)?.hash ?? null;
  const found = current ?? null;
  if (known === found) return undefined;
  return {
    kind: 'external',
    agent: externalAuthor,
    operation: 'external',
    path: place.path,
    user: userInJournal(place.user),
    prev: known,
    new: found,
    status: 'success',
    ...(arrivedMs !== undefined && !state.hasBaseline && { changed: new Date(arrivedMs).toISOString() }),
  };
}

/** Returns a duration for the journal, in milliseconds with three decimals. */
export function journalDurationMs(startedMs: number, endedMs: number): number {
  return Math.round((endedMs - startedMs) * 1000) / 1000;
}

/** Creates the record that is appended before a file changes. An undefined hash means a missing file. */
export function intentRecordOf(
  { path, user }: FileLocation,
  { agent, operation }: Pick<RecordDraft, 'agent' | 'operation'>,
  from: string | undefined,
  to: string | undefined,
): RecordDraft {
  const hashes = { prev: from ?? null, new: to ?? null };
  return { kind: 'intent', agent, operation, path, user: userInJournal(user), ...hashes, status: 'pending' };
}

/**
 * Returns the two records that are appended together before a move: the creation of the new file, then the deletion of
 * the former file. Each record names the other file, so that an interrupted move can be completed.
 */
export function moveIntentRecordsOf(
  from: FileLocation,
  to: FileLocation,
  author: Pick<RecordDraft, 'agent' | 'operation'>,
  hashes: { from: string | undefined; to: string | undefined },
): RecordDraft[] {
  return [
    { ...intentRecordOf(to, author, undefined, hashes.to), moved: { path: from.path, hash: null } },
    { ...intentRecordOf(from, author, hashes.from, undefined), moved: { path: to.path, hash: hashes.to ?? null } },
  ];
}

/** Returns the file that must exist before a move deletes the former file. Returns undefined for other records. */
export function requiredFileOfMove({ kind, moved, new: next }: JournalRecord): MovedFile | undefined {
  return kind === 'intent' && next === null ? moved : undefined;
}

export function outcomeRecordOf(
  intent: JournalRecord,
  kind: 'commit' | 'abort',
  facts: Partial<Pick<RecordDraft, 'error' | 'ms' | 'status' | 'tag'>> = {},
): RecordDraft {
  return {
    kind,
    agent: intent.agent,
    operation: intent.operation,
    path: intent.path,
    user: intent.user,
    prev: intent.prev,
    new: kind === 'commit' ? intent.new : intent.prev,
    intent: intent.seq,
    status: kind === 'commit' ? 'success' : 'failed',
    ...(kind === 'abort' && { error: 'INTERRUPTED' }),
    ...(kind === 'commit' && intent.moved !== undefined && { moved: intent.moved }),
    ...facts,
  };
}

/** Returns the location of a record's file. */
export function fileOfRecord(book: string, record: JournalRecord): FileLocation {
  return { book, path: record.path, user: record.user === userInJournal(undefined) ? undefined : record.user };
}

/** An operation that changed nothing. */
export interface JournalNote {
  agent: string;
  operation: string;
  path: string;
  user: string | undefined;
  status: string;
  error?: string;
  ms: number;
  /** The hash that the operation read. It is used to detect external changes. */
  seen?: string;
}

/** Returns the journal record of a note. */
export function noteRecordOf(state: JournalState, place: FileLocation, note: JournalNote): RecordDraft {
  const hash = state.file(place)?.hash ?? null;
  return {
    kind: 'note',
    agent: note.agent,
    operation: note.operation,
    path: place.path,
    user: userInJournal(place.user),
    prev: hash,
    new: hash,
    status: note.status,
    ...(note.error !== undefined && { error: note.error }),
    ms: note.ms,
  };
}

/** Returns the record of a completed comparison of all files with the journal, with the manifest hash of the book. */
export function scanRecordOf(manifest: string): RecordDraft {
  const nothing = { path: '', user: userInJournal(undefined), prev: null, new: null };
  return { kind: 'scan', agent: scanAuthor, operation: 'survey', ...nothing, status: 'success', manifest };
}
