import { ignoreExpectedError } from '../../../log/bug.ts';
import { writeLine } from '../../../log/stderr.ts';
import { type Draft, JournalState } from '../model/journal.ts';
import type { Place } from '../model/key.ts';
import type { Note } from '../model/record.ts';
import { failureCode } from '../model/refusal.ts';
import type { SegmentStore } from './journal-reader.ts';

/** Who did what to one book. Whatever is entered is entered once, in one order, for all processes. */
export interface BookLog {
  /** What is known; may be a moment old. Changes nothing. */
  peek(): Promise<JournalState>;
  /**
   * Enters what `draft` says, at the end of a journal that is as `state` says: nobody comes in between. It is asked
   * again when somebody was faster. Throws BUSY when others do not let go.
   */
  append(draft: (state: JournalState) => Promise<Draft[]>): Promise<JournalState>;
  /** Enters that something was done that changed nothing. Never fails and never waits long: reading must go on. */
  note(note: Note): Promise<void>;
  /** The one way a file changes. */
  change<Decision>(change: Change<Decision>): Promise<ChangeResult<Decision>>;
  /** The state after the record of that number. */
  stateAt(seq: number): Promise<JournalState>;
  /** Gives the segments of the journal, with everything that waits to be appended. */
  readSegments<Result>(read: (segments: SegmentStore) => Promise<Result>): Promise<Result | undefined>;
  /** All lines, from the first on, many at a time. */
  lines(signal?: AbortSignal): AsyncIterable<Iterable<string>>;
}

export interface Change<Decision> {
  place: Place;
  /** undefined deletes. */
  bytes: Uint8Array | undefined;
  /**
   * The rule: gets the hash of what is there, undefined for nothing, and throws to refuse. Asked where the change is
   * made, and again if somebody was faster; the bytes change only from what it has seen.
   */
  decide: (current: string | undefined) => Decision;
  author: Author;
}

export interface ChangeResult<Decision> {
  decision: Decision;
  /** The hash of what was there, and of what is there now; undefined for nothing. */
  previous: string | undefined;
  hash: string | undefined;
}

export interface Author {
  agent: string;
  operation: string;
}

/** How long a change may wait for others to finish theirs. */
export const changeWaitMs = 5000;
/** How long a server that is about to go tries to keep its notes: its host is waiting. */
export const closeTimeoutMs = 500;

/** A log that this process can open and close. */
export interface OpenLog extends BookLog {
  /** Whether nothing waits to be appended and no call uses it. */
  readonly isIdle: boolean;
  close(): Promise<void>;
}

/** Each open log holds the state of its book: those of books that were not used for long are closed. */
const maxOpenLogs = 256;

/** The open logs of a library, one for each book. */
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

/** Closes the least recently used logs beyond the limit, except those in use. */
function closeIdle(logs: Map<string, OpenLog>): void {
  for (const [book, log] of logs) {
    if (logs.size <= maxOpenLogs) return;
    if (!log.isIdle) continue;
    logs.delete(book);
    void log.close().catch(ignoreExpectedError);
  }
}

/** A journal that cannot be opened says nothing. */
export async function stateOrEmpty(log: BookLog): Promise<JournalState> {
  try {
    return await log.peek();
  } catch (error) {
    if (failureCode(error) === 'INTERNAL') throw error;
    return new JournalState();
  }
}

/** What cannot be kept is at least said. */
export function reportNotes(book: string, notes: Iterable<Note>): void {
  for (const note of notes) writeLine(`oj-mcp: audit ${JSON.stringify({ book, ...note })}`);
}
