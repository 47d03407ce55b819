import { inOrder, Mutex } from '../../../async/concurrency.ts';
import { EventLoopYielder } from '../../../async/yielder.ts';
import { Failure } from '../../../errors/failure.ts';
import { type Entry, type Medium, sliceMs } from '../medium/medium.ts';
import { hashOf } from '../model/hash.ts';
import type { JournalState } from '../model/journal.ts';
import { bookKey, byCodePoint, keyOf, type Place } from '../model/key.ts';
import { baseFiles, manifestText } from '../model/manifest.ts';
import { externalAgent, type Note, scanDraft } from '../model/record.ts';
import { failureCode, missingBook } from '../model/refusal.ts';
import { stateOrEmpty } from './book-log.ts';
import { JournalAuditor } from './journal-auditor.ts';
import { LruMap } from './lru-map.ts';
import {
  type FileHash,
  type FilesSnapshot,
  filesOf,
  findMissedChanges,
  hashOrUndefined,
  manifestOf,
  type Survey,
  takeSnapshot,
} from './survey.ts';

/** A book that was there so lately gets the note, whatever has become of it. */
const lately = 60_000;

const maxAuditors = 16;

/** No book can have this name. */
const libraryLog = '_library';

/** The memory of the books: who did what, and what has changed since when. */
export class History {
  readonly #backend: Medium;
  readonly #now: () => number;
  readonly #unrecorded = new UnrecordedChanges();
  readonly #auditors = new LruMap<string, JournalAuditor>(maxAuditors);
  readonly #auditTurn = new Mutex();

  constructor(backend: Medium, now: () => number) {
    this.#backend = backend;
    this.#now = now;
  }

  /** Keeps an operation that changed nothing. Never fails and never waits long: reading must go on. */
  async note(book: string | undefined, note: Note): Promise<void> {
    // Operations on books that do not exist must not make folders for them.
    if (book !== undefined && (await this.#isThere(book))) {
      await this.#backend.log(book).note(note);
      return;
    }
    const path = book === undefined ? note.path : `${bookKey(book)}/${note.path}`;
    const { seen: _, ...rest } = note;
    await this.#backend.log(libraryLog).note({ ...rest, path });
  }

  /** Compares all files with what is known of them and says what there is and what has been. */
  async survey(book: string, signal: AbortSignal): Promise<Survey> {
    // Hashing a big book takes a while: done before the lock is taken, so that nobody waits for it.
    const seen = await this.#takeSnapshot(book, signal);
    // A book that never was has no changes; one that is gone has lost its files.
    if (!seen.isThere && (await this.#peek(book)).seq === 0) throw missingBook(book);
    try {
      let manifestHash = '';
      const state = await this.#backend.log(book).append(async before => {
        // Nothing has happened here since; what others have done past the journal is for the next survey.
        const isFresh = this.#backend.storage.isRemote && before.seq === seen.seq;
        const snapshot = isFresh ? seen : await this.#takeSnapshot(book, signal, seen);
        const missed = findMissedChanges(before, snapshot, this.#now());
        manifestHash = manifestOf(before, missed);
        return [...missed.map(({ draft }) => draft), scanDraft(manifestHash)];
      });
      return { timeMs: state.lastMs, files: filesOf(state), manifestHash };
    } catch (error) {
      if (!isRefusedJournal(error)) throw error;
      return await this.#surveyReadOnly(book, await this.#takeSnapshot(book, signal, seen));
    }
  }

  /** The base files of a book as they were when it had this manifest; undefined when nobody remembers. */
  async manifestFiles(book: string, manifestHash: string): Promise<ReadonlyMap<string, string> | undefined> {
    const seq = (await this.#peek(book)).manifests.get(manifestHash);
    if (seq === undefined) return this.#unrecorded.manifest(book, manifestHash);
    return baseFiles(filesOf(await this.#backend.log(book).stateAt(seq)));
  }

  /** Tells who made a version that is listed, if it was made here. */
  async authors(book: string): Promise<(place: Place, entry: Entry) => Promise<string | undefined>> {
    const state = await this.#peek(book);
    return async (place, entry) => {
      const known = state.file(place);
      // Only what was uploaded here is worth hashing: it is small, and nothing else has an author.
      if (known === undefined || known.hash === null || known.agent === externalAgent) return undefined;
      if (known.tag !== undefined && known.tag === entry.tag) return known.agent;
      return known.hash === (await this.#backend.storage.hash(entry)) ? known.agent : undefined;
    };
  }

  /** The keys of files whose bytes are not what the journal says. */
  async changedOutside(book: string, entries: readonly Entry[], signal: AbortSignal): Promise<string[]> {
    const { storage } = this.#backend;
    const state = await this.#peek(book);
    const listed = new Map(entries.map(entry => [entry.key, entry]));
    const changed: string[] = [];
    const present: { entry: Entry; hash: string | null; size: number }[] = [];
    for (const { place, hash, tag } of state.files.values()) {
      const entry = listed.get(keyOf(place));
      if (entry === undefined) {
        if (hash !== null) changed.push(keyOf(place));
      } else if (tag === undefined || tag !== entry.tag) present.push({ entry, hash, size: entry.size });
    }
    const look = async ({ entry }: { entry: Entry }): Promise<FileHash | undefined> =>
      await hashOrUndefined(storage, entry, signal);
    const yielder = new EventLoopYielder(sliceMs, signal);
    for await (const [{ entry, hash }, seen] of inOrder(present, storage.prefetch, look, signal)) {
      await yielder.yieldIfDue();
      if (seen !== undefined && (seen.hash ?? null) !== hash) changed.push(entry.key);
    }
    return changed.sort(byCodePoint);
  }

  /** What is wrong with the journal itself. */
  async audit(book: string, signal: AbortSignal): Promise<string[]> {
    const auditor = this.#auditors.get(book) ?? new JournalAuditor();
    this.#auditors.set(book, auditor);
    const yielder = new EventLoopYielder(sliceMs, signal);
    try {
      // Two calls at once must not read on at the same place.
      return await this.#auditTurn.run(async () => {
        const log = this.#backend.log(book);
        return (await log.readSegments(async segments => await auditor.run(segments, yielder, signal))) ?? [];
      });
    } catch (error) {
      this.#auditors.delete(book);
      if (error instanceof Failure) return [error.message];
      throw error;
    }
  }

  /** Where nothing can be entered: the same answer, and nobody but this server remembers it. */
  async #surveyReadOnly(book: string, snapshot: FilesSnapshot): Promise<Survey> {
    const state = await this.#peek(book);
    // What happens within this very millisecond must count as later.
    const timeMs = this.#now() - 1;
    const files = new Map(filesOf(state).map(file => [keyOf(file.place), file]));
    for (const { place, draft } of findMissedChanges(state, snapshot, timeMs)) {
      const key = keyOf(place);
      const changedMs =
        draft.changed === undefined ? this.#unrecorded.since(key, draft.new, timeMs) : Date.parse(draft.changed);
      files.set(key, { place, hash: draft.new, changedMs });
    }
    const all = [...files.values()];
    const base = baseFiles(all);
    const manifestHash = hashOf(manifestText(base));
    this.#unrecorded.keepManifest(book, manifestHash, base);
    return { timeMs, files: all, manifestHash };
  }

  async #peek(book: string): Promise<JournalState> {
    return await stateOrEmpty(this.#backend.log(book));
  }

  async #takeSnapshot(book: string, signal: AbortSignal, before?: FilesSnapshot): Promise<FilesSnapshot> {
    const state = await this.#peek(book);
    return await takeSnapshot(this.#backend.storage, state, { book, signal, ...(before && { before }) });
  }

  async #isThere(book: string): Promise<boolean> {
    try {
      return await this.#backend.storage.hasBook(book, lately);
    } catch (error) {
      if (failureCode(error) === 'INTERNAL') throw error;
      return false;
    }
  }
}

/** The journal cannot be written, or somebody else does not let go of it: reading goes on. */
function isRefusedJournal(error: unknown): boolean {
  return error instanceof Failure && ['BUSY', 'UNAVAILABLE'].includes(failureCode(error));
}

const maxManifests = 100;
const maxChanges = 100_000;

/** What was seen of books for which nothing can be entered, so that a change is told once and not in every call. */
class UnrecordedChanges {
  readonly #changes = new LruMap<string, { hash: string | null; ms: number }>(maxChanges);
  readonly #manifests = new LruMap<string, ReadonlyMap<string, string>>(maxManifests);

  /** When the file was first seen to have that hash. */
  since(key: string, hash: string | null, nowMs: number): number {
    const known = this.#changes.get(key);
    if (known?.hash === hash) return known.ms;
    this.#changes.set(key, { hash, ms: nowMs });
    return nowMs;
  }

  keepManifest(book: string, manifestHash: string, files: ReadonlyMap<string, string>): void {
    this.#manifests.set(`${book} ${manifestHash}`, files);
  }

  manifest(book: string, manifestHash: string): ReadonlyMap<string, string> | undefined {
    return this.#manifests.get(`${book} ${manifestHash}`);
  }
}
