import { unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from '../../../../async/concurrency.ts';
import { Failure } from '../../../../errors/failure.ts';
import { systemCode } from '../../../../errors/system-error.ts';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import {
  type Change,
  type ChangeResult,
  changeWaitMs,
  closeTimeoutMs,
  type OpenLog,
  reportNotes,
} from '../../library/book-log.ts';
import { allLines, type SegmentStore, stateAt } from '../../library/journal-reader.ts';
import { emptyHash } from '../../model/hash.ts';
import { type Draft, type JournalRecord, type JournalState } from '../../model/journal.ts';
import { keyOf, metadataFolder } from '../../model/key.ts';
import { endRecordOf, externalChange, type Note, noteDraft, placeOfRecord } from '../../model/record.ts';
import { failureCode } from '../../model/refusal.ts';
import { toFailure, withFailures } from '../system-error.ts';
import { changeFile, type LockedBook } from './change.ts';
import type { DiskStorage } from './disk-storage.ts';
import { Folder } from './folder.ts';
import { JournalFile, type OpenJournal } from './journal-file.ts';
import { acquireLock, type Lock } from './lock.ts';
import type { LibraryRoot } from './root.ts';
import { SegmentFiles } from './segment-files.ts';

const maxWaitingNotes = 1000;
/** After this age a ticket is deleted, because its process died before it acquired the lock. */
const staleTicketMs = 600_000;

/** The lock and the journal of one book, shared by all calls of this process. */
export class DiskLog implements OpenLog {
  readonly #libraryRoot: LibraryRoot;
  readonly #book: string;
  readonly #storage: DiskStorage;
  readonly #now: () => number;
  readonly #journal: JournalFile;
  readonly #queue = new Mutex();
  #notes: Note[] = [];
  /** The number of calls that use the journal or wait for it. */
  #working = 0;

  constructor(libraryRoot: LibraryRoot, book: string, storage: DiskStorage, now: () => number) {
    this.#libraryRoot = libraryRoot;
    this.#book = book;
    this.#storage = storage;
    this.#now = now;
    this.#journal = new JournalFile(book, libraryRoot.modes);
  }

  async peek(): Promise<JournalState> {
    return await this.#inMetadata(async folder => await this.#journal.peek(folder));
  }

  async stateAt(seq: number): Promise<JournalState> {
    return await this.#withSegments(async segments => await stateAt(segments, seq));
  }

  async readSegments<Result>(read: (segments: SegmentStore) => Promise<Result>): Promise<Result> {
    return await this.#withSegments(read);
  }

  async *lines(): AsyncGenerator<Iterable<string>> {
    const folder = Folder.open(this.#libraryRoot, [metadataFolder, this.#book]);
    const segments = new SegmentFiles(folder);
    try {
      yield* allLines(segments);
    } catch (error) {
      throw toFailure(error, `Reading the journal of ${this.#book} failed`, `${metadataFolder}/${this.#book}`);
    } finally {
      segments.close();
      folder?.close();
    }
  }

  async append(draft: (state: JournalState) => Promise<Draft[]>): Promise<JournalState> {
    return await withFailures(
      `Writing the journal of ${this.#book} failed`,
      `${metadataFolder}/${this.#book}`,
      async () =>
        await this.#locked(async ({ journal, state }) => {
          await journal.append(await draft(state), this.#now());
          return state;
        }),
    );
  }

  async change<Decision>(change: Change<Decision>): Promise<ChangeResult<Decision>> {
    const key = keyOf(change.place);
    return await withFailures(
      `${change.bytes === undefined ? 'Deleting' : 'Writing'} ${key} failed`,
      key,
      async () => await this.#locked(async held => await changeFile(this.#libraryRoot, change, held, this.#now)),
    );
  }

  get isIdle(): boolean {
    return this.#working === 0 && this.#notes.length === 0;
  }

  /**
   * Appends a note. It waits only if no other call and no other process uses the journal, so that a writer does not
   * block a read.
   */
  async note(note: Note): Promise<void> {
    this.#notes.push(note);
    if (this.#notes.length > maxWaitingNotes) reportNotes(this.#book, this.#notes.splice(0, 1));
    const isInUse = this.#working > 0;
    await new Promise<void>((resolve, reject) => {
      this.#flush(resolve).then(resolve, reject);
      if (isInUse) resolve();
    });
  }

  /** Flushes pending notes. Notes that cannot be stored are written to stderr. */
  async close(): Promise<void> {
    const timeout = new AbortController();
    const waited = sleep(closeTimeoutMs, undefined, { signal: timeout.signal, ref: false }).catch(ignoreExpectedError);
    if (this.#notes.length > 0) await Promise.race([this.#flush(), waited]);
    timeout.abort();
    reportNotes(this.#book, this.#notes.splice(0));
  }

  async #withSegments<T>(read: (segments: SegmentFiles) => Promise<T>): Promise<T> {
    return await this.#inMetadata(async folder => {
      const segments = new SegmentFiles(folder);
      try {
        return await read(segments);
      } finally {
        segments.close();
      }
    });
  }

  async #inMetadata<T>(work: (folder: Folder | undefined) => Promise<T>): Promise<T> {
    return await withFailures(
      `Reading the journal of ${this.#book} failed`,
      `${metadataFolder}/${this.#book}`,
      async () => {
        const folder = Folder.open(this.#libraryRoot, [metadataFolder, this.#book]);
        try {
          return await work(folder);
        } finally {
          folder?.close();
        }
      },
    );
  }

  /** Appends pending notes. If this fails they are written to stderr, so that reads continue. */
  async #flush(onWait?: () => void): Promise<void> {
    try {
      await this.#queued(async deadline => {
        if (this.#notes.length === 0) return;
        await this.#withLock(deadline, async () => {}, onWait);
      });
    } catch (error) {
      if (systemCode(error) === undefined && !(error instanceof Failure)) throw error;
      // BUSY means that another process holds the lock. The notes then stay pending.
      if (failureCode(error) !== 'BUSY') reportNotes(this.#book, this.#notes.splice(0));
    }
  }

  /** Runs a function under the lock, after the intents of dead processes are recovered. */
  async #locked<T>(work: (held: LockedBook) => Promise<T>): Promise<T> {
    return await this.#queued(async deadline => await this.#withLock(deadline, work));
  }

  async #withLock<T>(deadline: number, work: (held: LockedBook) => Promise<T>, onWait?: () => void): Promise<T> {
    const { modes } = this.#libraryRoot;
    const folder = await Folder.make(this.#libraryRoot, [metadataFolder, this.#book], modes.folder);
    try {
      const waitMs = Math.max(0, deadline - performance.now());
      // A long journal is read before the lock is acquired.
      if (this.#journal.isBehind) await this.#journal.peek(folder);
      const lock = await acquireLock(folder, { ...this.#libraryRoot, waitMs, onWait });
      try {
        return await this.#withJournal(folder, lock, work);
      } finally {
        lock.release();
      }
    } finally {
      folder.close();
    }
  }

  async #withJournal<T>(folder: Folder, lock: Lock, work: (held: LockedBook) => Promise<T>): Promise<T> {
    const tempDir = await folder.make('tmp', this.#libraryRoot.modes.folder);
    try {
      // The files of a former holder, which died or lost the lock, are deleted.
      for (const entry of tempDir.entries()) if (!entry.isDirectory()) unlinkSync(tempDir.at(entry.name));
      const journal = await this.#journal.open(folder, tempDir);
      try {
        const { state } = this.#journal;
        for (const intent of Array.from(state.open.values())) await this.#recoverIntent(intent, journal);
        if (state.seq % 64 === 0) removeStaleTickets(folder);
        await this.#appendNotes(state, journal);
        return await work({ lock, journal, state, tempDir });
      } finally {
        journal.close();
      }
    } finally {
      tempDir.close();
    }
  }

  /** Recovers an intent without an end record. The content of the file shows whether the change happened. */
  async #recoverIntent(intent: JournalRecord, journal: OpenJournal): Promise<void> {
    const key = keyOf(placeOfRecord(this.#book, intent));
    let current: string | null;
    try {
      current = (await this.#storage.hash(key)) ?? null;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // The file was replaced by a link or a folder, so that the result of the intent is unknown.
      await journal.append(
        [endRecordOf(intent, 'abort', { status: 'unknown', error: failureCode(error) })],
        this.#now(),
      );
      return;
    }
    // An empty object in a bucket marks a deleted file, and the library can be a copy of a bucket.
    if (current === emptyHash && (intent.new === null || intent.prev === null)) current = null;
    if (current === intent.new) await this.#storage.syncParent(key);
    const kind = current === intent.new ? 'commit' : 'abort';
    // If the content is neither the old nor the new one, another program changed the file, and the result is unknown.
    const facts = current === intent.new || current === intent.prev ? {} : { status: 'unknown' };
    await journal.append([endRecordOf(intent, kind, facts)], this.#now());
  }

  async #appendNotes(state: JournalState, journal: OpenJournal): Promise<void> {
    const notes = this.#notes.splice(0);
    const drafts: Draft[] = [];
    for (const note of notes) {
      const place = { book: this.#book, path: note.path, user: note.user };
      if (note.seen !== undefined && note.seen !== (state.file(place)?.hash ?? null)) {
        const file = await this.#storage.observe(keyOf(place));
        const found = externalChange(state, place, file?.hash, file?.arrivedMs);
        if (found !== undefined) await journal.append([found], this.#now());
      }
      drafts.push(noteDraft(state, place, note));
    }
    if (drafts.length > 0) await journal.append(drafts, this.#now());
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

function removeStaleTickets(folder: Folder): void {
  for (const { name } of folder.entries()) {
    if (!name.startsWith('lock-')) continue;
    const stat = folder.look(name);
    if (stat !== undefined && Date.now() - stat.ctimeMs > staleTicketMs) unlinkSync(folder.at(name));
  }
}
