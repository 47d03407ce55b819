import type { JournalSegmentReader } from '../library/journal-reader.ts';
import type { JournalRecord, JournalState, RecordDraft } from '../model/journal.ts';
import type { FileLocation } from '../model/key.ts';
import type { JournalNote } from '../model/record.ts';

/** The journal of one book and the files that it describes. The library decides which records are appended. */
export interface BookBackend {
  /** True if no record is pending and no call uses the journal. */
  readonly isIdle: boolean;
  /** Reads new records and returns the state. It changes nothing. */
  peek(): Promise<JournalState>;
  /** Opens the segments for reading, after all pending records are appended. */
  openSegments(): Promise<OpenSegments>;
  /**
   * Runs a function that appends and replaces: on disk under the lock of the book, in a bucket with conditional writes.
   */
  write<T>(work: (session: WriteSession) => Promise<T>): Promise<T>;
  /** Appends the record of an operation without a change, immediately or with the next records. It never fails. */
  note(note: JournalNote): Promise<void>;
  /** Flushes pending notes. Notes that cannot be stored are written to stderr. */
  close(): Promise<void>;
}

export interface OpenSegments {
  segments: JournalSegmentReader;
  close(): void;
}

/** The operations that append to the journal of a book and replace its files. */
export interface WriteSession {
  readonly book: string;
  /** True if no other process can append at the same time. Intents without an end record then belong to dead processes. */
  readonly isExclusive: boolean;
  /** Waits before a retry. Returns false if no retry is left. */
  mayTry(attempt: number): Promise<boolean>;
  /** Reads the records of all other processes and returns the state. */
  refresh(): Promise<JournalState>;
  /** Returns whether the author of an open intent counts as dead. */
  isAbandoned(intent: JournalRecord): boolean;
  /**
   * Resolves with the records when they are in the journal, and for an intent when it is durable. Resolves with
   * undefined if the caller must read the state of the file again.
   */
  append(entry: LogEntry): Promise<readonly JournalRecord[] | undefined>;
  /** Appends the end record of an own intent: on disk before the session ends, in a bucket with the next records. */
  appendEnd(end: PendingOutcome): Promise<void>;
  observe(place: FileLocation): Promise<ObservedFile>;
}

/** The records that a caller wants to append. */
export interface LogEntry {
  /** Two entries of the same file never share a segment, because the second one depends on the first one. */
  key?: string;
  /** True if the entry is valid only directly after the present state. */
  isExclusive?: boolean;
  /**
   * Returns the records for the state that they follow, or undefined if this state is not the one that the caller
   * expects. It is called again if another writer appends first.
   */
  draft(state: JournalState): readonly RecordDraft[] | undefined;
}

/**
 * The commit or abort record of an intent that this process appended. No call waits for it, and another process can
 * append it first.
 */
export interface PendingOutcome {
  key: string;
  intent: number;
  draft(state: JournalState): readonly RecordDraft[];
}

/** A version of a file, compared with the journal. */
export interface Observation {
  /** Undefined for a missing file. An empty file may mark a deletion. */
  hash: string | undefined;
  /** The ETag of the version in a bucket. */
  tag: string | undefined;
  /** The time when the version was stored, as far as the medium knows. */
  arrivedMs: number | undefined;
  /** The open intent that wrote the version. Its author has not appended the end record yet, or died. */
  appliedIntent: JournalRecord | undefined;
  /** Other open intents for the same file. */
  openIntents: readonly JournalRecord[];
  /** A string that changes with each journal record of the file. */
  revision: string;
}

export interface ObservedFile extends Observation {
  /** Syncs the version, because its author may have died before doing so. */
  sync?(): Promise<void>;
  /** Stores the new content, so that it can replace this version. Undefined means a deletion. */
  prepare(bytes: Uint8Array | undefined): Promise<FileReplacement>;
}

export interface FileReplacement {
  /** Replaces the file after its intent is durable. Returns undefined if it has another version than the observed one. */
  replace(intent: JournalRecord): Promise<{ tag?: string } | undefined>;
  close(): void;
}
