import { constants, unlinkSync } from 'node:fs';
import { Failure } from '../../../../errors/failure.ts';
import { systemErrorCode } from '../../../../errors/system-error.ts';
import { JournalTail } from '../../library/journal-tail.ts';
import { Mutex } from '../../library/mutex.ts';
import { flushJournalAtExit, reportUnstoredNotes } from '../../library/pending-notes.ts';
import { recordObservedFile, recoverUnfinishedChanges } from '../../library/recovery.ts';
import { maxChangeWaitMs } from '../../library/transaction.ts';
import type { JournalRecord, JournalState } from '../../model/journal.ts';
import { type FileLocation, metadataFolder } from '../../model/key.ts';
import { type AuditNote, auditNoteRecordOf } from '../../model/record.ts';
import { JournalRecordChain } from '../../model/record-chain.ts';
import { errorCodeForAudit } from '../../model/refusal.ts';
import type {
  BookBackend,
  JournalRecordGroup,
  JournalWriteSession,
  OpenJournalSegments,
  PendingChangeOutcome,
} from '../book-backend.ts';
import { type LockedBookFolder, observeFile } from './change.ts';
import { OpenFolder } from './folder.ts';
import { acquireLock, type FileLock } from './lock.ts';
import { diskBackendName, type LibraryRoot } from './root.ts';
import { JournalSegmentFiles } from './segment-files.ts';

const forWriting = constants.O_RDWR | constants.O_APPEND;
const maxTries = 3;
const maxWaitingNotes = 1000;
/** If more audit notes than this are waiting, a read operation waits until its note is written. */
const maxUnawaitedNotes = 256;
/** A lock ticket of this age is deleted, because its process has died before it acquired the lock. */
const staleTicketMs = 600_000;
/**
 * If the journal was read within this time, other processes have appended few records since. They are then read while
 * the lock is held, and not before.
 */
const behindMs = 1000;

/**
 * Stores the journal and the files of one book in a folder. All calls of this process share the object, and a lock
 * excludes other processes.
 */
export class DiskBookBackend implements BookBackend {
  readonly #libraryRoot: LibraryRoot;
  readonly #book: string;
  readonly #now: () => number;
  readonly #tail = new JournalTail();
  readonly #queue = new Mutex();
  /** Lets only one call at a time read the journal. */
  readonly #reading = new Mutex();
  /** The time of the last complete read of the journal, by the monotonic clock. */
  #readMs = Number.NEGATIVE_INFINITY;
  #isLocked = false;
  #notes: AuditNote[] = [];
  /** These functions let read operations continue that wait until their audit notes are written. */
  readonly #waitingReads = new Set<() => void>();
  #isLockedElsewhere = false;
  /** The number of calls that use the journal or wait for it. */
  #working = 0;

  constructor(libraryRoot: LibraryRoot, book: string, now: () => number) {
    this.#libraryRoot = libraryRoot;
    this.#book = book;
    this.#now = now;
  }

  get isIdle(): boolean {
    return this.#working === 0 && this.#notes.length === 0;
  }

  async peek(): Promise<JournalState> {
    const folder = this.#openFolder();
    try {
      return await this.#read(folder);
    } finally {
      folder?.close();
    }
  }

  async openSegments(): Promise<OpenJournalSegments> {
    const folder = this.#openFolder();
    const segments = new JournalSegmentFiles(folder);
    const close = (): void => {
      segments.close();
      folder?.close();
    };
    return { segments, close };
  }

  async write<T>(work: (session: JournalWriteSession) => Promise<T>): Promise<T> {
    return await this.#queued(async deadline => await this.#withLock(deadline, work));
  }

  /**
   * Appends an audit note. If the journal is locked, the note is queued and written later, so that a writer does not
   * delay read operations. If the queue is long, the function waits until its note is written.
   */
  async note(note: AuditNote): Promise<void> {
    this.#notes.push(note);
    if (this.#notes.length > maxWaitingNotes) reportUnstoredNotes(this.#book, this.#notes.splice(0, 1));
    const mayWait = this.#working === 0 || this.#notes.length > maxUnawaitedNotes;
    await new Promise<void>((resolve, reject) => {
      this.#waitingReads.add(resolve);
      this.#flush()
        .then(resolve, reject)
        .finally(() => this.#waitingReads.delete(resolve));
      if (!mayWait || this.#isLockedElsewhere) resolve();
    });
  }

  async close(): Promise<void> {
    if (this.#notes.length > 0) await flushJournalAtExit(this.#flush());
    reportUnstoredNotes(this.#book, this.#notes.splice(0));
  }

  #openFolder(): OpenFolder | undefined {
    return OpenFolder.open(this.#libraryRoot, [metadataFolder, this.#book]);
  }

  /** Reads new journal records without the lock. It writes nothing. */
  async #read(folder: OpenFolder | undefined): Promise<JournalState> {
    await this.#reading.run(async () => {
      // Nothing must be read while this process holds the lock, because no other process can append.
      if (this.#isLocked) return;
      const files = new JournalSegmentFiles(folder);
      try {
        await this.#refresh(files);
      } finally {
        files.close();
      }
    });
    return this.#tail.state;
  }

  async #refresh(files: JournalSegmentFiles): Promise<void> {
    await this.#tail.refresh(files);
    this.#readMs = performance.now();
  }

  /** Appends the waiting audit notes. If this fails, they are written to stderr, so that read operations continue. */
  async #flush(): Promise<void> {
    try {
      await this.#queued(async deadline => {
        if (this.#notes.length > 0) await this.#withLock(deadline, async () => {});
      });
    } catch (error) {
      if (systemErrorCode(error) === undefined && !(error instanceof Failure)) throw error;
      // After the error BUSY the audit notes stay in the queue, because another process holds the lock.
      if (errorCodeForAudit(error) !== 'BUSY') reportUnstoredNotes(this.#book, this.#notes.splice(0));
    }
  }

  /** Acquires the lock, recovers the unfinished changes of processes that have died, and runs a function. */
  async #withLock<T>(deadline: number, work: (session: JournalWriteSession) => Promise<T>): Promise<T> {
    const { modes } = this.#libraryRoot;
    const folder = await OpenFolder.make(this.#libraryRoot, [metadataFolder, this.#book], modes.folder);
    try {
      const waitMs = Math.max(0, deadline - performance.now());
      // The journal is read before the lock is acquired, because reading a long journal takes time.
      if (performance.now() - this.#readMs > behindMs) await this.#read(folder);
      const lock = await this.#acquireLock(folder, waitMs);
      try {
        return await this.#withJournal(folder, lock, work);
      } finally {
        lock.release();
      }
    } finally {
      folder.close();
    }
  }

  /** Acquires the lock. While another process holds it, read operations do not wait for their audit notes. */
  async #acquireLock(folder: OpenFolder, waitMs: number): Promise<FileLock> {
    const onWait = (): void => {
      this.#isLockedElsewhere = true;
      for (const resolve of this.#waitingReads) resolve();
    };
    try {
      return await acquireLock(folder, { ...this.#libraryRoot, waitMs, onWait });
    } finally {
      this.#isLockedElsewhere = false;
    }
  }

  async #withJournal<T>(
    folder: OpenFolder,
    lock: FileLock,
    work: (session: JournalWriteSession) => Promise<T>,
  ): Promise<T> {
    const { modes } = this.#libraryRoot;
    const tempDir = await folder.make('tmp', modes.folder);
    const files = new JournalSegmentFiles(folder, forWriting);
    try {
      // Temporary files are deleted, because they belong to a former holder of the lock that died or lost the lock.
      for (const entry of tempDir.entries()) if (!entry.isDirectory()) unlinkSync(tempDir.at(entry.name));
      await this.#reading.run(async () => {
        await this.#refresh(files);
        await files.prepare(this.#tail, tempDir, modes);
        this.#isLocked = true;
      });
      const session = this.#session(files, { lock, tempDir });
      const { seq } = await recoverUnfinishedChanges(session);
      if (seq % 64 === 0) removeStaleTickets(folder);
      await this.#appendNotes(session);
      return await work(session);
    } finally {
      this.#isLocked = false;
      files.close();
      tempDir.close();
    }
  }

  #session(files: JournalSegmentFiles, locked: LockedBookFolder): JournalWriteSession {
    const append = async (
      entry: PendingChangeOutcome | JournalRecordGroup,
    ): Promise<readonly JournalRecord[] | undefined> => {
      const drafts = entry.draft(this.#tail.state);
      if (drafts === undefined || drafts.length === 0) return drafts && [];
      const chain = new JournalRecordChain(this.#tail, this.#book, diskBackendName, this.#now());
      chain.add(drafts);
      await this.#tail.append(files, chain);
      if (drafts.some(({ kind }) => kind === 'intent')) await files.sync();
      return chain.records;
    };
    return {
      book: this.#book,
      isExclusive: true,
      mayTry: async attempt => attempt < maxTries,
      refresh: async () => this.#tail.state,
      isAbandoned: () => true,
      append,
      appendEnd: async end => void (await append(end)),
      observe: async place => await observeFile(this.#libraryRoot, place, this.#tail.state, locked, this.#now),
    };
  }

  async #appendNotes(session: JournalWriteSession): Promise<void> {
    const notes = this.#notes.splice(0);
    const placeOf = ({ path, user }: AuditNote): FileLocation => ({ book: this.#book, path, user });
    for (const note of notes) {
      const place = placeOf(note);
      const known = this.#tail.state.file(place)?.hash ?? null;
      if (note.seen !== undefined && note.seen !== known)
        await recordObservedFile(session, place, await session.observe(place));
    }
    await session.append({ draft: state => notes.map(note => auditNoteRecordOf(state, placeOf(note), note)) });
  }

  async #queued<T>(work: (deadline: number) => Promise<T>): Promise<T> {
    const deadline = performance.now() + maxChangeWaitMs;
    this.#working++;
    try {
      return await this.#queue.run(async () => await work(deadline));
    } finally {
      this.#working--;
    }
  }
}

function removeStaleTickets(folder: OpenFolder): void {
  for (const { name } of folder.entries()) {
    if (!name.startsWith('lock-')) continue;
    const stat = folder.look(name);
    if (stat !== undefined && Date.now() - stat.ctimeMs > staleTicketMs) unlinkSync(folder.at(name));
  }
}
