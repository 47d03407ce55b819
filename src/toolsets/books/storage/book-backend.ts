import type { JournalSegmentReader } from '../library/checkpoints.ts';
import type { JournalRecord, JournalRecordDraft, JournalState } from '../model/journal.ts';
import type { FileLocation } from '../model/key.ts';
import type { AuditNote } from '../model/record.ts';

/** Long work yields to other calls after this number of milliseconds. */
export const ioTimeSliceMs = 25;

/**
 * Stores the journal of one book and its files, in a folder or a bucket. The library decides which records are
 * appended.
 */
export interface BookBackend {
  /** True if no record is waiting to be written and no call uses the journal. */
  readonly isIdle: boolean;
  /** Reads new journal records and returns the state of the journal. It writes nothing. */
  peek(): Promise<JournalState>;
  /** Calls a function with the segments of the journal, after all waiting records were appended. */
  readSegments<T>(read: (segments: JournalSegmentReader) => Promise<T>): Promise<T>;
  /**
   * Runs a function that appends to the journal and replaces files. In a folder the lock of the book is held, and in a
   * bucket all writes are conditional.
   */
  write<T>(work: (session: JournalWriteSession) => Promise<T>): Promise<T>;
  /**
   * Appends an audit note for an operation that changed nothing, immediately or together with later records. The
   * function never fails.
   */
  note(note: AuditNote): Promise<void>;
  /** Writes the audit notes that are still waiting. Notes that cannot be stored are written to stderr. */
  close(): Promise<void>;
}

/** The operations that append to the journal of a book and replace files of the book. */
export interface JournalWriteSession {
  readonly book: string;
  /**
   * True if no other process can append at the same time. Every unfinished change in the journal then belongs to a
   * process that has died.
   */
  readonly isExclusive: boolean;
  /**
   * Waits before the next attempt to make a change. Returns false if there is no further attempt. The time limit for
   * waiting starts at the first attempt.
   */
  mayTry(attempt: number): Promise<boolean>;
  /** Reads the records of other processes and returns the state of the journal. */
  refresh(): Promise<JournalState>;
  /** Returns whether the process that began an unfinished change counts as dead. */
  isAbandoned(intent: JournalRecord): boolean;
  /**
   * Returns the appended records. An intent record is then durable on the disk. Returns undefined if the caller must
   * read the state of the file again.
   */
  append(entry: JournalRecordGroup): Promise<readonly JournalRecord[] | undefined>;
  /**
   * Appends the commit or abort record of a change by this process: in a folder while the lock is held, and in a bucket
   * together with the next records.
   */
  appendEnd(end: PendingChangeOutcome): Promise<void>;
  observe(place: FileLocation): Promise<ReplaceableFile>;
}

/** The journal records that a caller wants to append together. */
export interface JournalRecordGroup {
  /**
   * The storage key of a file. Two groups of records with the same key are written to different segments, because the
   * second group depends on the first one.
   */
  key?: string;
  /** True if the records must directly follow the current state, without records of other processes in between. */
  isExclusive?: boolean;
  /**
   * Returns the records to append after a state, or undefined if the caller did not expect this state. The function is
   * called again if another writer appends first.
   */
  draft(state: JournalState): readonly JournalRecordDraft[] | undefined;
}

/**
 * A commit or abort record of a change by this process, which is written in the background. Another process that
 * recovers the change can append the record first.
 */
export interface PendingChangeOutcome extends JournalRecordGroup {
  key: string;
  intent: number;
  draft(state: JournalState): readonly JournalRecordDraft[];
}

/** The content of a file at one moment, and the result of comparing it with the journal. */
export interface FileObservation {
  /** The hash of the file, or undefined if the file is missing or is an empty file that represents a deletion. */
  hash: string | undefined;
  /** The ETag of the object, for a file in a bucket. */
  tag: string | undefined;
  /** The time when the content was stored, if the storage reports one. */
  arrivedMs: number | undefined;
  /**
   * The intent record of the unfinished change that wrote this content. The process of the change is still running or
   * has died.
   */
  appliedIntent: JournalRecord | undefined;
  /** The intent records of other unfinished changes to the file. */
  openIntents: readonly JournalRecord[];
  /** A string that changes with each new journal record of the file. */
  revision: string;
}

export interface ReplaceableFile extends FileObservation {
  /** Syncs the file to the disk, because the process that wrote it may have died before its own sync. */
  sync?(): Promise<void>;
  /**
   * Stores new content that can replace the current one. If the parameter is undefined, the replacement is a deletion.
   */
  prepare(bytes: Uint8Array | undefined): Promise<FileReplacement>;
}

export interface FileReplacement {
  /**
   * Replaces the file. The caller has made the intent record durable. Returns undefined if the file has changed since
   * its state was read.
   */
  replace(intent: JournalRecord): Promise<{ tag?: string | undefined } | undefined>;
  close(): void;
}
