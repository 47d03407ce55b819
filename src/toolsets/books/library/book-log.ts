import { ignoreExpectedError } from '../../../log/bug.ts';
import { writeLine } from '../../../log/stderr.ts';
import { type Draft, JournalState } from '../model/journal.ts';
import type { Place } from '../model/key.ts';
import type { Note } from '../model/record.ts';
import { failureCode } from '../model/refusal.ts';
import type { SegmentStore } from './journal-reader.ts';

/** The journal of one book. Each record is appended once, in one order for all processes. */
export interface BookLog {
  /** Returns the cached state, which can be slightly outdated. It changes nothing. */
  peek(): Promise<JournalState>;
  /**
   * Appends the records that `draft` returns for a state, directly after this state. If another writer appends first,
   * `draft` is called again with the new state. Throws BUSY if the journal stays locked.
   */
  append(draft: (state: JournalState) => Promise<Draft[]>): Promise<JournalState>;
  /** Records an operation without a change. It never fails and never waits long, so that it does not block reads. */
  note(note: Note): Promise<void>;
  /** Changes a file. All changes use this method. */
  change<Decision>(change: Change<Decision>): Promise<ChangeResult<Decision>>;
  /** Returns the state after the record with this number. */
  stateAt(seq: number): Promise<JournalState>;
  /** Passes the segments of the journal to a callback, after all pending records are appended. */
  readSegments<Result>(read: (segments: SegmentStore) => Promise<Result>): Promise<Result>;
  /** Yields all lines from the first one, in batches. */
  lines(signal?: AbortSignal): AsyncIterable<Iterable<string>>;
}

export interface Change<Decision> {
  place: Place;
  /** The new content. Undefined deletes the file. */
  bytes: Uint8Array | undefined;
  /**
   * Decides by the current hash, which is undefined for a missing file, and throws to reject the change. It is called
   * again if another writer changes the file first: the file is replaced only if its hash is the one that was decided
   * on.
   */
  decide: (current: string | undefined) => Decision;
  author: Author;
}

export interface ChangeResult<Decision> {
  decision: Decision;
  /** The hashes before and after the change. A hash is undefined for a missing file. */
  previous: string | undefined;
  hash: string | undefined;
}

export interface Author {
  agent: string;
  operation: string;
}

/** A change waits for changes of other processes up to this time. */
export const changeWaitMs = 5000;
/** The time for writing pending notes at exit, because the host waits for the process. */
export const closeTimeoutMs = 500;

/** The log of a book that this process can open and close. */
export interface OpenLog extends BookLog {
  /** True if no record is pending and no call uses the log. */
  readonly isIdle: boolean;
  close(): Promise<void>;
}

/** The limit exists because each open log caches the state of its book. The least recently used logs are closed. */
const maxOpenLogs = 256;

/** Manages the open logs of a library, one for each book. */
export function openLogs(open: (book: string) => OpenLog): { log(book: string): BookLog; close(): Promise<void> } {
  const logs = new Map<string, OpenLog>();
  return {
    log: book => {
      const log = logs.get(book) ?? open(book);
      logs.delete(book);
      logs.set(book, log);
      closeIdle(logs);
      return log;
    },
    close: async () => {
      await Promise.all([...logs.values()].map(async log => await log.close()));
    },
  };
}

/** Closes the least recently used logs above the limit, except those in use. */
function closeIdle(logs: Map<string, OpenLog>): void {
  for (const [book, log] of logs) {
    if (logs.size <= maxOpenLogs) return;
    if (!log.isIdle) continue;
    logs.delete(book);
    void log.close().catch(ignoreExpectedError);
  }
}

/** Returns the state of a log, or an empty state if its journal cannot be opened. */
export async function readStateOrEmpty(log: BookLog): Promise<JournalState> {
  try {
    return await log.peek();
  } catch (error) {
    if (failureCode(error) === 'INTERNAL') throw error;
    return new JournalState();
  }
}

/** Writes notes to stderr if they cannot be stored in the journal. */
export function reportNotes(book: string, notes: Iterable<Note>): void {
  for (const note of notes) writeLine(`oj-mcp: audit ${JSON.stringify({ book, ...note })}`);
}
