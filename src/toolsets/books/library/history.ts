import { EventLoopYielder } from '../../../async/yielder.ts';
import { Failure } from '../../../errors/failure.ts';
import { externalChangeAuthorName } from '../model/author.ts';
import { sha256Of } from '../model/hash.ts';
import { compareCodePoints, type FileLocation, storageKeyOf, storageKeyOfBook } from '../model/key.ts';
import { formatManifest, selectHashesOfBaseFiles } from '../model/manifest.ts';
import { type AuditNote, scanRecordOf } from '../model/record.ts';
import { createMissingBookFailure, errorCodeOfAuditRecord } from '../model/refusal.ts';
import { ioTimeSliceMs } from '../storage/book-backend.ts';
import type { StorageEntry } from '../storage/file-storage.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';
import {
  type FileHash,
  type FileScan,
  type FilesSnapshot,
  findUnrecordedChanges,
  listFilesRecordedInJournal,
  manifestHashOf,
  takeFilesSnapshot,
  tryHash,
} from './file-scan.ts';
import { JournalAuditor } from './journal-auditor.ts';
import { LruMap } from './lru-map.ts';
import { mapInParallelInOrder } from './map-in-order.ts';
import { Mutex } from './mutex.ts';

/** An audit note for a book is written without a check that the book exists, for this time after the book was found. */
const lately = 60_000;

const maxAuditors = 16;
const maxManifests = 100;
const maxUnrecorded = 100_000;

/**
 * The name of the journal for calls whose book does not exist. The name is not a valid book id, so that no book can
 * have it.
 */
const libraryLog = '_library';

/** Answers queries about the history of books from their journals: authors, changes, and the files of a manifest. */
export class BookHistory {
  readonly #backend: StorageBackend;
  readonly #now: () => number;
  /** The changes by other programs in a read-only library and the time at which each one was first seen. */
  readonly #unrecorded = new LruMap<string, { hash: string | null; ms: number }>(maxUnrecorded);
  /** The manifests that cannot be recorded in the journal of a read-only library. */
  readonly #unrecordedManifests = new LruMap<string, ReadonlyMap<string, string>>(maxManifests);
  readonly #auditors = new LruMap<string, JournalAuditor>(maxAuditors);
  readonly #auditTurn = new Mutex();

  constructor(backend: StorageBackend, now: () => number) {
    this.#backend = backend;
    this.#now = now;
  }

  /**
   * Appends an audit note for an operation that changed nothing. The function never fails and never waits long, so that
   * read operations are not delayed.
   */
  async note(book: string | undefined, note: AuditNote): Promise<void> {
    // Only an existing book has its own journal. A call with an unknown book id must not create folders.
    if (book !== undefined && (await this.#isThere(book))) {
      await this.#backend.journal(book).note(note);
      return;
    }
    const path = book === undefined ? note.path : `${storageKeyOfBook(book)}/${note.path}`;
    const { seen: _, ...rest } = note;
    await this.#backend.journal(libraryLog).note({ ...rest, path });
  }

  /**
   * Compares all files of a book with its journal, records changes by other programs, and returns the current files. If
   * the journal is read-only or locked, nothing is recorded, and the result states the reason.
   */
  async scanFiles(book: string, signal: AbortSignal): Promise<FileScan> {
    // Files are hashed before the lock is acquired, because a large book takes long.
    const seen = await this.#takeSnapshot(book, signal);
    // A book without records never existed. A deleted book has a journal, so that its files are reported as deleted.
    if (!seen.isThere && (await this.#backend.journal(book).peekOrEmpty()).seq === 0)
      throw createMissingBookFailure(book);
    try {
      let manifestHash = '';
      const state = await this.#backend.journal(book).append(async before => {
        // In a bucket, the files are not listed again if the journal has not changed since the snapshot. The next scan
        // finds later changes by other programs.
        const isFresh = this.#backend.storage.isRemote && before.seq === seen.seq;
        const snapshot = isFresh ? seen : await this.#takeSnapshot(book, signal, seen);
        const missed = findUnrecordedChanges(before, snapshot, this.#now());
        manifestHash = manifestHashOf(before, missed);
        return [...missed.map(({ draft }) => draft), scanRecordOf(manifestHash)];
      });
      return { timeMs: state.lastMs, files: listFilesRecordedInJournal(state), manifestHash };
    } catch (error) {
      // If the journal is read-only or locked, read operations continue.
      if (!(error instanceof Failure) || !['BUSY', 'UNAVAILABLE'].includes(errorCodeOfAuditRecord(error))) throw error;
      return { ...(await this.#scanReadOnly(book, seen, signal)), journalError: error.message };
    }
  }

  /** Returns the files of a book that a manifest hash describes, or undefined if the manifest is unknown. */
  async manifestFiles(book: string, manifestHash: string): Promise<ReadonlyMap<string, string> | undefined> {
    const seq = (await this.#backend.journal(book).peekOrEmpty()).manifests.get(manifestHash);
    if (seq === undefined) return this.#unrecordedManifests.get(`${book} ${manifestHash}`);
    return selectHashesOfBaseFiles(listFilesRecordedInJournal(await this.#backend.journal(book).stateAt(seq)));
  }

  /**
   * Returns a function that finds the author of a listed file. The author is undefined if another program changed the
   * file.
   */
  async authors(book: string): Promise<(place: FileLocation, entry: StorageEntry) => Promise<string | undefined>> {
    const state = await this.#backend.journal(book).peekOrEmpty();
    return async (place, entry) => {
      const known = state.file(place);
      // If no tool wrote the last record of a file, the file has no author, so that its hash is not needed.
      if (known === undefined || known.hash === null || known.agent === externalChangeAuthorName) return undefined;
      if (known.tag !== undefined && known.tag === entry.tag) return known.agent;
      return known.hash === (await this.#backend.storage.hash(entry)) ? known.agent : undefined;
    };
  }

  /** Returns the keys of files whose content differs from the journal. */
  async changedOutside(book: string, entries: readonly StorageEntry[], signal: AbortSignal): Promise<string[]> {
    const { storage } = this.#backend;
    const state = await this.#backend.journal(book).peekOrEmpty();
    const listed = new Map(entries.map(entry => [entry.key, entry]));
    const changed: string[] = [];
    const recorded = new Map<string, string | null>();
    const present: StorageEntry[] = [];
    for (const { place, hash, tag } of state.files.values()) {
      const key = storageKeyOf(place);
      const entry = listed.get(key);
      recorded.set(key, hash);
      if (entry === undefined) {
        if (hash !== null) changed.push(key);
      } else if (tag === undefined || tag !== entry.tag) present.push(entry);
    }
    const look = async (entry: StorageEntry): Promise<FileHash | Failure> => await tryHash(storage, entry, signal);
    const yielder = new EventLoopYielder(ioTimeSliceMs, signal);
    for await (const [{ key }, seen] of mapInParallelInOrder(present, storage.prefetch, look, signal)) {
      await yielder.yieldIfDue();
      if (!(seen instanceof Failure) && (seen.hash ?? null) !== recorded.get(key)) changed.push(key);
    }
    return changed.sort(compareCodePoints);
  }

  /** Verifies the hash chain and the records of a journal, and returns the errors found. */
  async audit(book: string, signal: AbortSignal): Promise<string[]> {
    const auditor = this.#auditors.get(book) ?? new JournalAuditor();
    this.#auditors.set(book, auditor);
    const log = this.#backend.journal(book);
    try {
      // The verifications run one after the other, because they share one position in the journal.
      return await this.#auditTurn.run(
        async () => await log.readSegments(async segments => await auditor.run(segments, signal)),
      );
    } catch (error) {
      this.#auditors.delete(book);
      if (error instanceof Failure) return [error.message];
      throw error;
    }
  }

  /**
   * Compares the files of a read-only library with its journal. The differences are stored only in the memory of this
   * process.
   */
  async #scanReadOnly(book: string, seen: FilesSnapshot, signal: AbortSignal): Promise<FileScan> {
    // The time is taken before the files are read, so that a change during the scan counts as later. One millisecond is
    // subtracted, so that a later change in the current millisecond counts as new.
    const timeMs = this.#now() - 1;
    const snapshot = await this.#takeSnapshot(book, signal, seen);
    const state = await this.#backend.journal(book).peekOrEmpty();
    const files = new Map(listFilesRecordedInJournal(state).map(file => [storageKeyOf(file.place), file]));
    for (const { place, draft } of findUnrecordedChanges(state, snapshot, timeMs)) {
      const key = storageKeyOf(place);
      // The journal is newer than the snapshot, because another process has changed the file during the scan.
      if ((state.file(place)?.changedMs ?? 0) > timeMs) continue;
      const changedMs =
        draft.changed === undefined ? this.#firstSeen(key, draft.new, timeMs) : Date.parse(draft.changed);
      files.set(key, { place, hash: draft.new, changedMs });
    }
    const all = [...files.values()];
    const base = selectHashesOfBaseFiles(all);
    const manifestHash = sha256Of(formatManifest(base));
    this.#unrecordedManifests.set(`${book} ${manifestHash}`, base);
    return { timeMs, files: all, manifestHash };
  }

  /** Returns the time at which a file was first seen with this hash, so that each change is reported once. */
  #firstSeen(key: string, hash: string | null, nowMs: number): number {
    const known = this.#unrecorded.get(key);
    if (known?.hash === hash) return known.ms;
    this.#unrecorded.set(key, { hash, ms: nowMs });
    return nowMs;
  }

  async #takeSnapshot(book: string, signal: AbortSignal, before?: FilesSnapshot): Promise<FilesSnapshot> {
    const state = await this.#backend.journal(book).peekOrEmpty();
    return await takeFilesSnapshot(this.#backend.storage, state, { book, signal, before });
  }

  async #isThere(book: string): Promise<boolean> {
    try {
      return await this.#backend.storage.hasBook(book, lately);
    } catch (error) {
      if (errorCodeOfAuditRecord(error) === 'INTERNAL') throw error;
      return false;
    }
  }
}
