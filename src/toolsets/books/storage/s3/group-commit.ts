import { ignoreExpectedError } from '../../../../log/bug.ts';
import { AuditNoteQueue } from '../../library/audit-note-queue.ts';
import { type JournalStore, JournalTail } from '../../library/journal-tail.ts';
import { Mutex } from '../../library/mutex.ts';
import type { JournalRecord, JournalRecordDraft, JournalState } from '../../model/journal.ts';
import type { AuditNote } from '../../model/record.ts';
import { JournalRecordChain } from '../../model/record-chain.ts';
import type { JournalRecordGroup, PendingChangeOutcome } from '../book-backend.ts';
import { bucketBackendName } from './bucket-storage.ts';
import { isReadOnlyStoreError } from './probe.ts';

interface GroupCommitOptions {
  /** Throws an error if the library in the object store is read-only. */
  requireWritable: () => Promise<void>;
  /** Creates the journal record of an audit note. No call waits until the record is written. */
  draftOf: (note: AuditNote, state: JournalState) => JournalRecordDraft;
}

interface Waiting extends JournalRecordGroup {
  resolve(records: readonly JournalRecord[] | undefined): void;
  reject(error: unknown): void;
}

/** The time in milliseconds that commit and abort records wait for other records, so that they share a segment. */
const endMs = 15;
const noteMs = 5000;
const maxBatchedNotes = 256;
/** Limits the number of entries in a segment. */
const maxBatch = 1000;

/**
 * Writes the journal segments of one book. All records that are waiting are written in the next segment (group commit).
 */
export class GroupCommit {
  readonly #objects: JournalStore;
  readonly tail = new JournalTail();
  readonly #book: string;
  readonly #now: () => number;
  readonly #options: GroupCommitOptions;
  #waiting: Waiting[] = [];
  /** Commit and abort records that are written with the next segment, or after a short delay. */
  #ends: PendingChangeOutcome[] = [];
  readonly notes: AuditNoteQueue;
  readonly #queue = new Mutex();
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #isRunning = false;
  #refreshing: Promise<JournalState> | undefined;

  constructor(objects: JournalStore, book: string, now: () => number, options: GroupCommitOptions) {
    this.#objects = objects;
    this.#book = book;
    this.#now = now;
    this.#options = options;
    this.notes = new AuditNoteQueue(book);
  }

  get isIdle(): boolean {
    return this.#waiting.length + this.#ends.length + this.notes.length === 0 && !this.#isRunning;
  }

  /** Reads all new segments and returns the state of the journal. */
  async refresh(): Promise<JournalState> {
    this.#refreshing ??= this.#queue.run(async () => {
      this.#refreshing = undefined; // later callers need segments that are written after this point
      await this.tail.refresh(this.#objects);
      return this.tail.state;
    });
    return await this.#refreshing;
  }

  /** Returns the records after they were appended, or undefined if the caller must read the state of the file again. */
  async append(entry: JournalRecordGroup): Promise<readonly JournalRecord[] | undefined> {
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ ...entry, resolve, reject });
      void this.#run();
    });
  }

  /** Adds a commit or abort record to the next segment, which is written after a short delay. */
  appendLater(end: PendingChangeOutcome): void {
    this.#ends.push(end);
    this.#dueIn(endMs);
  }

  note(note: AuditNote): void {
    this.notes.add(note);
    this.#dueIn(this.notes.length >= maxBatchedNotes ? 0 : noteMs);
  }

  /** Writes the waiting commit and abort records immediately. */
  async flushEnds(): Promise<void> {
    while (this.#ends.length > 0) await this.append({ draft: () => [] });
  }

  /** Writes all waiting records immediately. */
  async flush(): Promise<void> {
    while (this.#ends.length + this.notes.length > 0) await this.append({ draft: () => [] });
  }

  #dueIn(ms: number): void {
    const dueMs = performance.now() + ms;
    if (dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      this.flush().catch(ignoreExpectedError); // the records stay pending
    }, ms);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#waiting.length > 0) await this.#queue.run(async () => await this.#round());
    } finally {
      this.#isRunning = false;
    }
  }

  /** Tries once to write the next segment of the journal. */
  async #round(): Promise<void> {
    const batch = this.#nextBatch();
    try {
      await this.#options.requireWritable();
      if (!this.tail.isOpen) await this.tail.refresh(this.#objects);
      const { state } = this.tail;
      const chain = new JournalRecordChain(this.tail, this.#book, bucketBackendName, this.#now());
      const isAlone = batch[0]?.isExclusive === true;
      // The order matters: audit notes describe the state before the segment, and changes depend on the commit and
      // abort records before them.
      const notes = isAlone ? [] : this.notes.first(maxBatch);
      chain.add(notes.map(note => this.#options.draftOf(note, state)));
      const drafts = new Map(batch.map(entry => [entry, entry.draft(state)]));
      const ends = isAlone ? [] : this.#endsBefore([...drafts.values()].flatMap(own => own ?? []));
      for (const end of ends) chain.add(end.draft(state));
      const appended = batch.filter(({ key }) => key === undefined || !ends.some(end => end.key === key));
      const results = appended.map(entry => {
        const own = drafts.get(entry);
        return { entry, records: own && chain.add(own) };
      });
      if (chain.records.length > 0) {
        if (!(await this.tail.append(this.#objects, chain))) return;
        // The process that has written a segment also saves the checkpoint after it.
        await this.tail.saveDueCheckpoint(this.#objects);
      }
      this.notes.remove(notes);
      const isEnded = ({ intent }: PendingChangeOutcome): boolean => !this.tail.state.open.has(intent);
      this.#ends = this.#ends.filter(end => !isEnded(end));
      this.#waiting = this.#waiting.filter(entry => !appended.includes(entry));
      for (const { entry, records } of results) entry.resolve(records);
      this.#setTimer();
    } catch (error) {
      this.#waiting = this.#waiting.filter(entry => !batch.includes(entry));
      for (const entry of batch) entry.reject(error);
      // If the store is busy or unreachable, the notes wait.
      if (isReadOnlyStoreError(error)) this.notes.drop();
    }
  }

  /**
   * Returns the commit and abort records for a segment: one for each file. Records that are already in the segment are
   * left out.
   */
  #endsBefore(drafts: readonly JournalRecordDraft[]): PendingChangeOutcome[] {
    const contained = new Set(drafts.map(({ intent }) => intent));
    return firstOfEachKey(this.#ends.filter(({ intent }) => !contained.has(intent)));
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    this.#dueMs = Number.POSITIVE_INFINITY;
    if (this.#ends.length > 0) this.#dueIn(endMs);
    else if (this.notes.length > 0) this.#dueIn(noteMs);
  }

  #nextBatch(): Waiting[] {
    const [first] = this.#waiting;
    if (first?.isExclusive === true) return [first];
    return firstOfEachKey(this.#waiting.slice(0, maxBatch).filter(({ isExclusive }) => isExclusive !== true));
  }
}

/** Returns the first entry for each file, and all entries that belong to no file. */
function firstOfEachKey<Entry extends { key?: string }>(entries: readonly Entry[]): Entry[] {
  const keys = new Set<string>();
  return entries.filter(({ key }) => key === undefined || (!keys.has(key) && keys.add(key)));
}
