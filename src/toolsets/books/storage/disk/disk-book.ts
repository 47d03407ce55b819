import { constants, unlinkSync } from 'node:fs';
import { Failure } from '../../../../errors/failure.ts';
import { systemErrorCodeOf } from '../../../../errors/system-error.ts';
import { AuditNoteQueue } from '../../library/audit-note-queue.ts';
import type { Checkpoints } from '../../library/checkpoints.ts';
import { JournalTail } from '../../library/journal-tail.ts';
import { Mutex } from '../../library/mutex.ts';
import { recordObservedFile, recoverUnfinishedChanges } from '../../library/recovery.ts';
import { maxChangeWaitMs } from '../../library/transaction.ts';
import type { JournalRecord, JournalState } from '../../model/journal.ts';
import { type FileLocation, metadataFolder } from '../../model/key.ts';
import { type AuditNote, auditNoteRecordOf } from '../../model/record.ts';
import { JournalRecordChain } from '../../model/record-chain.ts';
import { errorCodeOfAuditRecord } from '../../model/refusal.ts';
import type { BookBackend, JournalRecordGroup, JournalWriteSession } from '../book-backend.ts';
import { type LockedBookFolder, observeFile } from './change.ts';
import { OpenFolder } from './folder.ts';
import { acquireLock, type FileLock } from './lock.ts';
import { diskBackendName, type LibraryRoot } from './root.ts';
import { JournalSegmentFiles } from './segment-files.ts';

const forWriting = constants.O_RDWR | constants.O_APPEND;
const maxTries = 3;
/** If more audit notes than this are queued, a read operation waits until its note is written. */
const maxUnawaitedNotes = 256;
/**
 * A waiting process describes itself in a file. A file of this age in milliseconds is deleted, because its process has
 * died.
 */
const staleTicketMs = 600_000;
/**
 * If this process has read the journal within this number of milliseconds, it reads the new records only after it has
 * acquired the lock, because few can have been added since.
 */
const behindMs = 1000;

/**
 * Stores the journal and the files of one book in a folder. All calls of this process share the object, and a lock file
 * excludes other processes.
 */
export class DiskBookBackend implements BookBackend {
  readonly #libraryRoot: LibraryRoot;
  readonly #book: string;
  readonly #checkpoints: Checkpoints;
  readonly #now: () => number;
  readonly #tail = new JournalTail();
  readonly #queue = new Mutex();
  /** A mutex, so that only one call at a time reads the journal. */
  readonly #reading = new Mutex();
  /** The time of the last complete read of the journal, by the monotonic clock. */
  #readMs = Number.NEGATIVE_INFINITY;
  #isLocked = false;
  readonly #notes: AuditNoteQueue;
  /** Functions that resume the read operations which wait until their audit notes are written. */
  readonly #waitingReads = new Set<() => void>();
  #isLockedElsewhere = false;
  /** The number of calls that use the journal or wait for it. */
  #working = 0;

  constructor(libraryRoot: LibraryRoot, book: string, checkpoints: Checkpoints, now: () => number) {
    this.#libraryRoot = libraryRoot;
    this.#book = book;
    this.#checkpoints = checkpoints;
    this.#notes = new AuditNoteQueue(book);
    this.#now = now;
  }

  get isIdle(): boolean {
    return this.#working === 0 && this.#notes.length === 0;
  }

  /** Reads new journal records without the lock. */
  async peek(): Promise<JournalState> {
    await this.#reading.run(async () => {
      // While this process holds the lock, no other process can append, so that there are no new records to read.
      if (!this.#isLocked) await this.readSegments(async segments => await this.#refresh(segments));
    });
    return this.#tail.state;
  }

  async readSegments<T>(read: (segments: JournalSegmentFiles) => Promise<T>): Promise<T> {
    const folder = OpenFolder.open(this.#libraryRoot, [metadataFolder, this.#book]);
    const segments = new JournalSegmentFiles(folder, this.#checkpoints);
    try {
      return await read(segments);
    } finally {
      segments.close();
      folder?.close();
    }
  }

  async write<T>(work: (session: JournalWriteSession) => Promise<T>): Promise<T> {
    return await this.#queued(async deadline => await this.#withLock(deadline, work));
  }

  /**
   * Appends an audit note. If the journal is locked, the note is queued and written later, so that a writer does not
   * delay read operations. If the queue is long, the function waits until the note is written.
   */
  async note(note: AuditNote): Promise<void> {
    this.#notes.add(note);
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
    if (this.#notes.length > 0) await this.#notes.close(async () => await this.#flush());
  }

  async #refresh(files: JournalSegmentFiles): Promise<void> {
    await this.#tail.refresh(files);
    this.#readMs = performance.now();
  }

  /** Appends the queued audit notes. If this fails, they are written to stderr, so that read operations continue. */
  async #flush(): Promise<void> {
    try {
      await this.#queued(async deadline => {
        if (this.#notes.length > 0) await this.#withLock(deadline, async () => {});
      });
    } catch (error) {
      if (systemErrorCodeOf(error) === undefined && !(error instanceof Failure)) throw error;
      // The error BUSY means that another process holds the lock. The audit notes stay in the queue.
      if (errorCodeOfAuditRecord(error) !== 'BUSY') this.#notes.drop();
    }
  }

  /** Acquires the lock, recovers the unfinished changes of processes that have died, and runs a function. */
  async #withLock<T>(deadline: number, work: (session: JournalWriteSession) => Promise<T>): Promise<T> {
    const { modes } = this.#libraryRoot;
    const made = await OpenFolder.make(this.#libraryRoot, [metadataFolder, this.#book], modes.folder);
    return await made.closeAfter(async folder => {
      const waitMs = Math.max(0, deadline - performance.now());
      // The journal is read before the lock is acquired, because reading a long journal takes time.
      if (performance.now() - this.#readMs > behindMs) await this.peek();
      // While another process holds the lock, read operations do not wait for their audit notes.
      const onWait = (): void => {
        this.#isLockedElsewhere = true;
        for (const resolve of this.#waitingReads) resolve();
      };
      const lock = await acquireLock(folder, { ...this.#libraryRoot, waitMs, onWait }).finally(() => {
        this.#isLockedElsewhere = false;
      });
      try {
        return await this.#withJournal(folder, lock, work);
      } finally {
        lock.release();
      }
    });
  }

  async #withJournal<T>(
    folder: OpenFolder,
    lock: FileLock,
    work: (session: JournalWriteSession) => Promise<T>,
  ): Promise<T> {
    const { modes } = this.#libraryRoot;
    const tempDir = await folder.make('tmp', modes.folder);
    const files = new JournalSegmentFiles(folder, this.#checkpoints, forWriting);
    try {
      // Temporary files are deleted, because they belong to a previous holder of the lock that died or lost the lock.
      for (const entry of tempDir.entries()) if (!entry.isDirectory()) unlinkSync(tempDir.at(entry.name));
      await this.#reading.run(async () => {
        await this.#refresh(files);
        await files.prepare(this.#tail, modes);
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
    const append = async (entry: JournalRecordGroup): Promise<readonly JournalRecord[] | undefined> => {
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
    const notes = this.#notes.take();
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
