import { externalChangeAuthorName, scanAuthorName } from './author.ts';
import {
  type JournalRecord,
  type JournalRecordDraft,
  type JournalState,
  journalNameOfUser,
  type MovedFile,
} from './journal.ts';
import type { FileLocation } from './key.ts';

/**
 * Creates the journal record of a change by another program, or returns undefined if the file agrees with the journal.
 * Before the first scan of a book, the record gets the time of the file, because otherwise all files would be new.
 * Later it gets the time of the scan, because a moved file can be older than the last scan.
 */
export function externalChangeRecordOf(
  state: JournalState,
  place: FileLocation,
  current: string | undefined,
  arrivedMs: number | undefined,
): JournalRecordDraft | undefined {
  const known = state.file(place)?.hash ?? null;
  const found = current ?? null;
  if (known === found) return undefined;
  return {
    kind: 'external',
    agent: externalChangeAuthorName,
    operation: 'external',
    path: place.path,
    user: journalNameOfUser(place.user),
    prev: known,
    new: found,
    status: 'success',
    ...(arrivedMs !== undefined && !state.hasBaseline && { changed: new Date(arrivedMs).toISOString() }),
  };
}

/** Returns the time between two instants in milliseconds with three decimals, the form of a duration in the journal. */
export function computeElapsedMs(startedMs: number, endedMs: number): number {
  return Math.round((endedMs - startedMs) * 1000) / 1000;
}

/**
 * Creates the intent record of a change, which is appended to the journal before the file is replaced. An undefined
 * hash means a missing file. `moved` is the other file of a move, so that an interrupted move can be completed.
 */
export function intentRecordOf(
  { path, user }: FileLocation,
  { agent, operation }: Pick<JournalRecordDraft, 'agent' | 'operation'>,
  { from, to }: { from?: string | undefined; to?: string | undefined },
  moved?: MovedFile,
): JournalRecordDraft {
  const file = { path, user: journalNameOfUser(user), prev: from ?? null, new: to ?? null };
  return { kind: 'intent', agent, operation, ...file, status: 'pending', moved };
}

/** Returns the file that must exist before a move deletes the former file. Returns undefined for all other records. */
export function findRequiredFileOfMove({ kind, moved, new: next }: JournalRecord): MovedFile | undefined {
  return kind === 'intent' && next === null ? moved : undefined;
}

export function outcomeRecordOf(
  intent: JournalRecord,
  kind: 'commit' | 'abort',
  facts: Partial<Pick<JournalRecordDraft, 'error' | 'ms' | 'status' | 'tag'>> = {},
): JournalRecordDraft {
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

/** Returns the location of the file that a journal record is about. */
export function fileOfRecord(book: string, record: JournalRecord): FileLocation {
  return { book, path: record.path, user: record.user === journalNameOfUser(undefined) ? undefined : record.user };
}

/** An audit note in the journal: an operation that changed nothing. */
export interface AuditNote {
  agent: string;
  operation: string;
  path: string;
  user: string | undefined;
  status: string;
  error?: string | undefined;
  ms: number;
  /** The hash of the file that the operation has read. It shows whether another program has changed the file. */
  seen?: string | undefined;
}

export function auditNoteRecordOf(state: JournalState, place: FileLocation, note: AuditNote): JournalRecordDraft {
  const hash = state.file(place)?.hash ?? null;
  return {
    kind: 'note',
    agent: note.agent,
    operation: note.operation,
    path: place.path,
    user: journalNameOfUser(place.user),
    prev: hash,
    new: hash,
    status: note.status,
    error: note.error,
    ms: note.ms,
  };
}

/** Creates the journal record of a scan, with the manifest hash of the book. */
export function scanRecordOf(manifest: string): JournalRecordDraft {
  const nothing = { path: '', user: journalNameOfUser(undefined), prev: null, new: null };
  return { kind: 'scan', agent: scanAuthorName, operation: 'survey', ...nothing, status: 'success', manifest };
}
