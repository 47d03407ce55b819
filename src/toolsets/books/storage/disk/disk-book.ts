import { constants, unlinkSync } from 'node:fs';
import { Failure } from '../../../../errors/failure.ts';
import { systemCode } from '../../../../errors/system-error.ts';
import { JournalTail } from '../../library/journal-tail.ts';
import { Mutex } from '../../library/mutex.ts';
import { flushAtExit, reportUnstoredNotes } from '../../library/pending-notes.ts';
import { recordObservation, recoverUnfinishedChanges } from '../../library/recovery.ts';
import { changeWaitMs } from '../../library/transaction.ts';
import type { JournalRecord, JournalState } from '../../model/journal.ts';
import { type FileLocation, metadataFolder } from '../../model/key.ts';
import { type JournalNote, noteRecordOf } from '../../model/record.ts';
import { RecordChain } from '../../model/record-chain.ts';
import { failureCode } from '../../model/refusal.ts';
import type { BookBackend, LogEntry, OpenSegments, PendingOutcome, WriteSession } from '../book-backend.ts';
import { type LockedBookFolder, observeFile } from './change.ts';
import { OpenFolder } from './folder.ts';
import { acquireLock, type FileLock } from './lock.ts';
import { diskBackendName, type LibraryRoot } from './root.ts';
import { SegmentFiles } from './segment-files.ts';

const forWriting = constants.O_RDWR | constants.O_APPEND;
const maxTries = 3;
const maxWaitingNotes = 1000;
/** With more pending notes, a read waits for its note. */
const maxUnawaitedNotes = 256;
/** After this age a ticket is deleted, because its process died before it acquired the lock. */
const staleTicketMs = 600_000;
/** Other processes append few enough records within this time to read them at once. */
const behindMs = 1000;

/** The lock, the journal and the files of one book in a folder, shared by all calls of this process. */
export class DiskBookBackend implements BookBackend {
  readonly #libraryRoot: LibraryRoot;
  readonly #book: string;
  readonly #now: () => number;
  readonly #tail = new JournalTail();
  readonly #queue = new Mutex();
  /** Prevents parallel reads of the journal. */
  readonly #reading = new Mutex();
  /** The time of the last complete read, on the monotonic clock. */
  #readMs = Number.NEGATIVE_INFINITY;
  #isLocked = false;
  #notes: JournalNote[] = [];
  /** Ends the waiting of reads for their notes. */
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

  async openSegments(): Promise<OpenSegments> {
    const folder = this.#openFolder();
    const segments = new SegmentFiles(folder);
    const close = (): void => {
      segments.close();
      folder?.close();
    };
    return { segments, close };
  }

  async write<T>(work: (session: WriteSession) => Promise<T>): Promise<T> {
    return await this.#queued(async deadline => await this.#withLock(deadline, work));
  }

  /**
   * Appends a note. It does not wait if another process holds the lock or if the journal is in use, so that a writer does
   * not block a read. With many pending notes it waits, because reads are faster than notes.
   */
  async note(note: JournalNote): Promise<void> {
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
    if (this.#notes.length > 0) await flushAtExit(this.#flush());
    reportUnstoredNotes(this.#book, this.#notes.splice(0));
  }

  #openFolder(): OpenFolder | undefined {
    return OpenFolder.open(this.#libraryRoot, [metadataFolder, this.#book]);
  }

  /** Reads new records without the lock and without a change. */
  async #read(folder: OpenFolder | undefined): Promise<JournalState> {
    await this.#reading.run(async () => {
      // The state is complete while this process holds the lock.
      if (this.#isLocked) return;
      const files = new SegmentFiles(folder);
      try {
        await this.#refresh(files);
      } finally {
        files.close();
      }
    });
    return this.#tail.state;
  }

  async #refresh(files: SegmentFiles): Promise<void> {
    await this.#tail.refresh(files);
    this.#readMs = performance.now();
  }

  /** Appends pending notes. If this fails they are written to stderr, so that reads continue. */
  async #flush(): Promise<void> {
    try {
      await this.#queued(async deadline => {
        if (this.#notes.length > 0) await this.#withLock(deadline, async () => {});
      });
    } catch (error) {
      if (systemCode(error) === undefined && !(error instanceof Failure)) throw error;
      // BUSY means that another process holds the lock. The notes then stay pending.
      if (failureCode(error) !== 'BUSY') reportUnstoredNotes(this.#book, this.#notes.splice(0));
    }
  }

  /** Runs a function under the lock, after the intents of dead processes are recovered. */
  async #withLock<T>(deadline: number, work: (session: WriteSession) => Promise<T>): Promise<T> {
    const { modes } = this.#libraryRoot;
    const folder = await OpenFolder.make(this.#libraryRoot, [metadataFolder, this.#book], modes.folder);
    try {
      const waitMs = Math.max(0, deadline - performance.now());
      // A long journal is read before the lock is acquired.
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

  /** Acquires the lock. While another process holds it, reads do not wait for their notes. */
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

  async #withJournal<T>(folder: OpenFolder, lock: FileLock, work: (session: WriteSession) => Promise<T>): Promise<T> {
    const { modes } = this.#libraryRoot;
    const tempDir = await folder.make('tmp', modes.folder);
    const files = new SegmentFiles(folder, forWriting);
    try {
      // The files of a former holder, which died or lost the lock, are deleted.
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

  #session(files: SegmentFiles, locked: LockedBookFolder): WriteSession {
    const append = async (entry: PendingOutcome | LogEntry): Promise<readonly JournalRecord[] | undefined> => {
      const drafts = entry.draft(this.#tail.state);
      if (drafts === undefined || drafts.length === 0) return drafts && [];
      const chain = new RecordChain(this.#tail, this.#book, diskBackendName, this.#now());
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

  async #appendNotes(session: WriteSession): Promise<void> {
    const notes = this.#notes.splice(0);
    const placeOf = ({ path, user }: JournalNote): FileLocation => ({ book: this.#book, path, user });
    for (const note of notes) {
      const place = placeOf(note);
      const known = this.#tail.state.file(place)?.hash ?? null;
      if (note.seen !== undefined && note.seen !== known)
        await recordObservation(session, place, await session.observe(place));
    }
    await session.append({ draft: state => notes.map(note => noteRecordOf(state, placeOf(note), note)) });
  }

  async #queued<T>(work: (deadline: number) => Promise<T>): Promise<T> {
    const deadline = performance.now() + changeWaitMs;
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
