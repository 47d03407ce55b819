import { Failure } from '../../../../failure.ts';
import { type Draft, JournalState } from '../../model/journal.ts';
import { baseUser, bookKey, byCodePoint, keyOf, type Place, placeOf } from '../../model/key.ts';
import { isTracked, manifestText } from '../../model/manifest.ts';
import { externalAgent, externalChange, surveyAgent } from '../../model/record.ts';
import { failureCode } from '../../model/refusal.ts';
import type { FolderStorage } from '../disk/disk-storage.ts';
import { hashOf } from '../disk/journal-file.ts';
import type { Held } from '../disk/ledger.ts';
import { errorCode, worded } from '../disk/system-error.ts';
import { Breath } from './breath.ts';
import { OutsideMemory } from './outside-memory.ts';
import type { Entry, History, Note, Survey, SurveyedFile } from './storage.ts';

/** No book can have this name. */
const libraryLedger = '_library';

/** The journals beside the books, as the memory of what happened to them. */
export class FolderHistory implements History {
  readonly #storage: FolderStorage;
  readonly #now: () => number;
  readonly #outside = new OutsideMemory();

  constructor(storage: FolderStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
  }

  async note(book: string | undefined, note: Note): Promise<void> {
    // Operations on books that do not exist must not make folders for them.
    if (book !== undefined && (await this.#isThere(book))) {
      await this.#storage.ledger(book).note(note);
      return;
    }
    const path = book === undefined ? note.path : `${bookKey(book)}/${note.path}`;
    const { seen: _, ...rest } = note;
    await this.#storage.ledger(libraryLedger).note({ ...rest, path });
  }

  async survey(book: string, signal: AbortSignal): Promise<Survey> {
    // Hashing a big book takes a while: done before the lock is taken, so that nobody waits for it.
    const seen = await this.#look(book, signal, undefined);
    // A book that never was has no changes, and gets no folder for saying so; one that is gone has lost its files.
    if (!(await this.#isThere(book)) && this.#peekQuietly(book).seq === 0)
      return { timeMs: this.#now() - 1, files: [], manifestHash: hashOf(manifestText(new Map())) };
    try {
      return await this.#storage
        .ledger(book)
        .locked(async held => this.#surveyAlone(await this.#look(book, signal, seen), held));
    } catch (error) {
      if (!isRefusedJournal(error)) throw worded(error, `Surveying ${book} failed`, bookKey(book));
      return this.#surveyFromOutside(book, await this.#look(book, signal, seen));
    }
  }

  async manifestFiles(book: string, manifestHash: string): Promise<ReadonlyMap<string, string> | undefined> {
    const seq = this.#peekQuietly(book).manifests.get(manifestHash);
    if (seq === undefined) return this.#outside.manifest(book, manifestHash);
    return baseFiles(filesOf(this.#storage.ledger(book).replay(seq)));
  }

  async lastAuthor(place: Place): Promise<string | undefined> {
    const known = this.#peekQuietly(place.book).file(place);
    // Only what was uploaded here is worth hashing: it is small, and nothing else has an author.
    if (known === undefined || known.hash === null || known.agent === externalAgent) return undefined;
    return known.hash === (await this.#storage.hash(keyOf(place))) ? known.agent : undefined;
  }

  async check(book: string, signal: AbortSignal): Promise<{ changed: string[]; problems: string[] }> {
    const changed: string[] = [];
    const breath = new Breath(signal);
    for (const { place, hash } of this.#peekQuietly(book).files.values()) {
      await breath.take();
      const seen = await this.#hashQuietly(keyOf(place), signal);
      if (seen !== undefined && (seen.hash ?? null) !== hash) changed.push(keyOf(place));
    }
    return { changed: changed.sort(byCodePoint), problems: this.#audit(book) };
  }

  #audit(book: string): string[] {
    try {
      return this.#storage.ledger(book).audit();
    } catch (error) {
      if (error instanceof Failure) return [error.message];
      throw error;
    }
  }

  #surveyAlone(sight: Sight, { journal, state }: Held): Survey {
    const drafts = differences(state, sight, this.#now()).map(({ draft }) => draft);
    journal.append(drafts, this.#now());
    const files = filesOf(state);
    const manifest = hashOf(manifestText(baseFiles(files)));
    journal.append([scanRecord(manifest)], this.#now());
    return { timeMs: state.lastMs, files, manifestHash: manifest };
  }

  /** Where nothing can be entered: the same answer, and nobody but this server remembers it. */
  #surveyFromOutside(book: string, sight: Sight): Survey {
    const state = this.#peekQuietly(book);
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
  #peekQuietly(book: string): JournalState {
    try {
      return this.#storage.ledger(book).peek();
    } catch (error) {
      if (failureCode(error) === 'INTERNAL') throw error;
      return new JournalState();
    }
  }

  async #isThere(book: string): Promise<boolean> {
    try {
      return (await this.#storage.books()).includes(book);
    } catch (error) {
      if (failureCode(error) === 'INTERNAL') throw error;
      return false;
    }
  }

  /** All tracked files of a book and its users. What is as it was `before` is not hashed again, and big files never are. */
  async #look(book: string, signal: AbortSignal, before: Sight | undefined): Promise<Sight> {
    const sight: Sight = { files: new Map(), closed: [] };
    const breath = new Breath(signal);
    for (const entry of (await this.#storage.list(bookKey(book))) ?? []) {
      await breath.take();
      if (entry.closed !== undefined) sight.closed.push(`${entry.key}/`);
      const place = placeOf(book, entry.key.slice(bookKey(book).length + 1));
      if (entry.kind !== 'file' || place === undefined || !isTracked(place.path)) continue;
      const known = before?.files.get(entry.key);
      const isHashedNow = before === undefined || entry.size <= quickBytes;
      const isKnown = known !== undefined && isSame(known.entry, entry);
      const seen = isKnown ? known.seen : isHashedNow ? await this.#hashQuietly(entry.key, signal) : undefined;
      sight.files.set(entry.key, { entry, place, seen });
    }
    return sight;
  }

  /** undefined: it cannot be read, and nothing can be said of it. */
  async #hashQuietly(key: string, signal: AbortSignal): Promise<Seen | undefined> {
    try {
      return { hash: await this.#storage.hash(key, signal) };
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

interface Sight {
  files: Map<string, { entry: Entry; place: Place; seen: Seen | undefined }>;
  /** Folders nobody can look into: what is in them may be as it was. */
  closed: string[];
}

function isSame(one: Entry, other: Entry): boolean {
  const mark = ({ size, modified, arrived }: Entry): string => `${size} ${modified.getTime()} ${arrived.getTime()}`;
  return mark(one) === mark(other);
}

/** What the journal has missed. */
function differences(state: JournalState, { files, closed }: Sight, nowMs: number): { place: Place; draft: Draft }[] {
  const missed: { place: Place; draft: Draft }[] = [];
  const add = (place: Place, hash: string | undefined, arrivedMs: number | undefined): void => {
    const draft = externalChange(state, place, hash, arrivedMs);
    if (draft !== undefined) missed.push({ place, draft });
  };
  for (const { place, seen, entry } of files.values()) {
    if (seen?.hash !== undefined) add(place, seen.hash, Math.min(entry.arrived.getTime(), nowMs));
  }
  for (const { place, hash } of state.files.values()) {
    const key = keyOf(place);
    if (hash === null || !isTracked(place.path) || files.has(key)) continue;
    if (!closed.some(folder => key.startsWith(folder))) add(place, undefined, undefined);
  }
  return missed;
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

function scanRecord(manifest: string): Draft {
  const nothing = { path: '', user: baseUser, prev: null, new: null };
  return { kind: 'scan', agent: surveyAgent, operation: 'survey', ...nothing, status: 'success', manifest };
}

/** The journal cannot be written, or somebody else does not let go of it: reading goes on. */
function isRefusedJournal(error: unknown): boolean {
  if (error instanceof Failure) return ['BUSY', 'UNAVAILABLE'].includes(failureCode(error));
  return errorCode(error) !== undefined;
}
