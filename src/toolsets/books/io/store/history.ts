import { Failure } from '../../../../failure.ts';
import { Pause } from '../../../../pause.ts';
import { Audit, type Draft, JournalState } from '../../model/journal.ts';
import { bookKey, byCodePoint, keyOf, type Place, placeOf } from '../../model/key.ts';
import { isTracked, manifestText } from '../../model/manifest.ts';
import { externalAgent, externalChange, scanDraft } from '../../model/record.ts';
import { failureCode, missingBook } from '../../model/refusal.ts';
import { inOrder } from './ahead.ts';
import { hashOf } from './journal-reader.ts';
import type { Backend, Entry, Note } from './storage.ts';

/** How long other calls may have to wait for this one. */
const pauseMs = 25;

/** A book that was there so lately gets the note, whatever has become of it. */
const lately = 60_000;

/** No book can have this name. */
const libraryLedger = '_library';

export interface Survey {
  /** Later than every change in it and earlier than every change after it. */
  timeMs: number;
  files: SurveyedFile[];
  manifestHash: string;
}

interface SurveyedFile {
  place: Place;
  /** null: deleted. */
  hash: string | null;
  changedMs: number;
}

/** The memory of the books: who did what, and what has changed since when. */
export class History {
  readonly #backend: Backend;
  readonly #now: () => number;
  readonly #outside = new OutsideMemory();

  constructor(backend: Backend, now: () => number) {
    this.#backend = backend;
    this.#now = now;
  }

  /** Keeps an operation that changed nothing. Never fails and never waits long: reading must go on. */
  async note(book: string | undefined, note: Note): Promise<void> {
    // Operations on books that do not exist must not make folders for them.
    if (book !== undefined && (await this.#isThere(book))) {
      await this.#backend.ledger(book).note(note);
      return;
    }
    const path = book === undefined ? note.path : `${bookKey(book)}/${note.path}`;
    const { seen: _, ...rest } = note;
    await this.#backend.ledger(libraryLedger).note({ ...rest, path });
  }

  /** Compares all files with what is known of them and says what there is and what has been. */
  async survey(book: string, signal: AbortSignal): Promise<Survey> {
    // Hashing a big book takes a while: done before the lock is taken, so that nobody waits for it.
    const seen = await this.#look(book, signal, undefined);
    // A book that never was has no changes; one that is gone has lost its files.
    if (!seen.isThere && (await this.#peekQuietly(book)).seq === 0) throw missingBook(book);
    try {
      let manifestHash = '';
      const state = await this.#backend.ledger(book).enter(async before => {
        // Nothing has happened here since; what others have done past the journal is for the next survey.
        const isFresh = this.#backend.storage.isFar && before.seq === seen.seq;
        const sight = isFresh ? seen : await this.#look(book, signal, seen);
        const missed = differences(before, sight, this.#now());
        manifestHash = manifestOf(before, missed);
        return [...missed.map(({ draft }) => draft), scanDraft(manifestHash)];
      });
      return { timeMs: state.lastMs, files: filesOf(state), manifestHash };
    } catch (error) {
      if (!isRefusedJournal(error)) throw error;
      return await this.#surveyFromOutside(book, await this.#look(book, signal, seen));
    }
  }

  /** The base files of a book as they were when it had this manifest; undefined when nobody remembers. */
  async manifestFiles(book: string, manifestHash: string): Promise<ReadonlyMap<string, string> | undefined> {
    const seq = (await this.#peekQuietly(book)).manifests.get(manifestHash);
    if (seq === undefined) return this.#outside.manifest(book, manifestHash);
    return baseFiles(filesOf(await this.#backend.ledger(book).stateAt(seq)));
  }

  /** Tells who made a version that is listed, if it was made here. */
  async authors(book: string): Promise<(place: Place, entry: Entry) => Promise<string | undefined>> {
    const state = await this.#peekQuietly(book);
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
    const state = await this.#peekQuietly(book);
    const listed = new Map(entries.map(entry => [entry.key, entry]));
    const changed: string[] = [];
    const present: { entry: Entry; hash: string | null; size: number }[] = [];
    for (const { place, hash, tag } of state.files.values()) {
      const entry = listed.get(keyOf(place));
      if (entry === undefined) {
        if (hash !== null) changed.push(keyOf(place));
      } else if (tag === undefined || tag !== entry.tag) present.push({ entry, hash, size: entry.size });
    }
    const look = async ({ entry }: { entry: Entry }): Promise<Seen | undefined> =>
      await this.#hashQuietly(entry, signal);
    const pause = new Pause(pauseMs, signal);
    for await (const [{ entry, hash }, seen] of inOrder(present, storage.ahead, look, signal)) {
      await pause.take();
      if (seen !== undefined && (seen.hash ?? null) !== hash) changed.push(entry.key);
    }
    return changed.sort(byCodePoint);
  }

  /** What is wrong with the journal itself. */
  async audit(book: string, signal: AbortSignal): Promise<string[]> {
    const audit = new Audit(hashOf);
    const pause = new Pause(pauseMs, signal);
    try {
      for await (const lines of this.#backend.ledger(book).lines(signal)) {
        for (const line of lines) {
          audit.add(line);
          if (pause.isDue) await pause.take();
        }
      }
      return audit.problems;
    } catch (error) {
      if (error instanceof Failure) return [error.message];
      throw error;
    }
  }

  /** Where nothing can be entered: the same answer, and nobody but this server remembers it. */
  async #surveyFromOutside(book: string, sight: Sight): Promise<Survey> {
    const state = await this.#peekQuietly(book);
    // What happens within this very millisecond must count as later.
    const timeMs = this.#now() - 1;
    const files = new Map(filesOf(state).map(file => [keyOf(file.place), file]));
    for (const { place, draft } of differences(state, sight, timeMs)) {
      const key = keyOf(place);
      const changedMs =
        draft.changed === undefined ? this.#outside.since(key, draft.new, timeMs) : Date.parse(draft.changed);
      files.set(key, { place, hash: draft.new, changedMs });
    }
    const all = [...files.values()];
    const base = baseFiles(all);
    const manifestHash = hashOf(manifestText(base));
    this.#outside.keepManifest(book, manifestHash, base);
    return { timeMs, files: all, manifestHash };
  }

  /** A journal that cannot be opened says nothing. */
  async #peekQuietly(book: string): Promise<JournalState> {
    try {
      return await this.#backend.ledger(book).peek();
    } catch (error) {
      if (failureCode(error) === 'INTERNAL') throw error;
      return new JournalState();
    }
  }

  async #isThere(book: string): Promise<boolean> {
    try {
      return await this.#backend.storage.hasBook(book, lately);
    } catch (error) {
      if (failureCode(error) === 'INTERNAL') throw error;
      return false;
    }
  }

  /** All tracked files of a book and its users. What is as it was `before` is not hashed again, and big files never are. */
  async #look(book: string, signal: AbortSignal, before: Sight | undefined): Promise<Sight> {
    const { storage } = this.#backend;
    const state = await this.#peekQuietly(book);
    const { seq } = state;
    const listed = await storage.list(bookKey(book), signal);
    const sight: Sight = { seq, files: new Map(), closed: [], isThere: listed !== undefined };
    const pause = new Pause(pauseMs, signal);
    const wanted: Tracked[] = [];
    for (const entry of listed ?? []) {
      await pause.take();
      if (entry.closed !== undefined) sight.closed.push(`${entry.key}/`);
      const place = placeOf(book, entry.key.slice(bookKey(book).length + 1));
      if (entry.kind !== 'file' || place === undefined || !isTracked(place.path)) continue;
      const known = state.file(place);
      // In a bucket, and in a copy of one, an empty body stands for a deleted file.
      if (entry.size === 0 && known?.hash === null) continue;
      wanted.push({ entry, place, size: entry.size });
    }
    const look = async ({ entry, place }: Tracked): Promise<Seen | undefined> => {
      const known = state.file(place);
      if (known?.tag !== undefined && known.tag === entry.tag) return { hash: known.hash ?? undefined };
      const earlier = before?.files.get(entry.key);
      if (earlier !== undefined && earlier.entry.version === entry.version) return earlier.seen;
      return before === undefined || entry.size <= quickBytes ? await this.#hashQuietly(entry, signal) : undefined;
    };
    for await (const [{ entry, place }, seen] of inOrder(wanted, storage.ahead, look, signal)) {
      await pause.take();
      sight.files.set(entry.key, { entry, place, seen });
    }
    return sight;
  }

  /** undefined: it cannot be read, and nothing can be said of it. */
  async #hashQuietly(entry: Entry, signal: AbortSignal): Promise<Seen | undefined> {
    try {
      return { hash: await this.#backend.storage.hash(entry, signal) };
    } catch (error) {
      if (failureCode(error) === 'INTERNAL') throw error;
      return undefined;
    }
  }
}

/** What is hashed under the lock, when it has changed since the look before: the rest is for the next survey. */
const quickBytes = 1 << 20;

interface Seen {
  /** undefined: there is no such file. */
  hash: string | undefined;
}

interface Tracked {
  entry: Entry;
  place: Place;
  size: number;
}

interface Sight {
  /** What was in the journal before anybody looked. */
  seq: number;
  files: Map<string, { entry: Entry; place: Place; seen: Seen | undefined }>;
  /** Folders nobody can look into: what is in them may be as it was. */
  closed: string[];
  /** Whether there is a folder of the book. */
  isThere: boolean;
}

interface Missed {
  place: Place;
  draft: Draft;
}

/** What the journal has missed. */
function differences(state: JournalState, { files, closed }: Sight, nowMs: number): Missed[] {
  const missed: Missed[] = [];
  const add = (place: Place, hash: string | undefined, arrivedMs: number | undefined, tag?: string): void => {
    const draft = externalChange(state, place, hash, arrivedMs);
    if (draft !== undefined) missed.push({ place, draft: tag === undefined ? draft : { ...draft, tag } });
  };
  for (const { place, seen, entry } of files.values()) {
    if (seen?.hash === undefined) continue;
    add(place, seen.hash, Math.min(entry.arrived.getTime(), nowMs), entry.tag);
  }
  for (const { place, hash } of state.files.values()) {
    const key = keyOf(place);
    if (hash === null || !isTracked(place.path) || files.has(key)) continue;
    if (!closed.some(folder => key.startsWith(folder))) add(place, undefined, undefined);
  }
  return missed;
}

/** The hash of the manifest once the journal has what it has missed. */
function manifestOf(state: JournalState, missed: readonly Missed[]): string {
  const base = baseFiles(filesOf(state));
  for (const { place, draft } of missed) {
    if (place.user !== undefined) continue;
    if (draft.new === null) base.delete(place.path);
    else base.set(place.path, draft.new);
  }
  return hashOf(manifestText(base));
}

function filesOf(state: JournalState): SurveyedFile[] {
  return [...state.files.values()]
    .filter(({ place }) => isTracked(place.path))
    .map(({ place, hash, changedMs }) => ({ place, hash, changedMs }));
}

function baseFiles(files: readonly SurveyedFile[]): Map<string, string> {
  const base = new Map<string, string>();
  for (const { place, hash } of files) if (place.user === undefined && hash !== null) base.set(place.path, hash);
  return base;
}

/** The journal cannot be written, or somebody else does not let go of it: reading goes on. */
function isRefusedJournal(error: unknown): boolean {
  return error instanceof Failure && ['BUSY', 'UNAVAILABLE'].includes(failureCode(error));
}

const maxManifests = 100;

/** What was seen of books for which nothing can be entered, so that a change is told once and not in every call. */
class OutsideMemory {
  readonly #changes = new Map<string, { hash: string | null; ms: number }>();
  readonly #manifests = new Map<string, ReadonlyMap<string, string>>();

  /** When the file was first seen to have that hash. */
  since(key: string, hash: string | null, nowMs: number): number {
    const known = this.#changes.get(key);
    if (known?.hash === hash) return known.ms;
    this.#changes.set(key, { hash, ms: nowMs });
    return nowMs;
  }

  keepManifest(book: string, manifestHash: string, files: ReadonlyMap<string, string>): void {
    this.#manifests.set(`${book} ${manifestHash}`, files);
    const [oldest] = this.#manifests.keys();
    if (this.#manifests.size > maxManifests && oldest !== undefined) this.#manifests.delete(oldest);
  }

  manifest(book: string, manifestHash: string): ReadonlyMap<string, string> | undefined {
    return this.#manifests.get(`${book} ${manifestHash}`);
  }
}
