import type { Draft, JournalState } from '../model/journal.ts';
import { baseUser, bookKey, byCodePoint, keyOf, type Place, placeOf } from '../model/key.ts';
import { isTracked, manifestText } from '../model/manifest.ts';
import { externalAgent, externalChange } from '../model/record.ts';
import { failureCode } from '../model/refusal.ts';
import type { FolderStorage } from './folder-storage.ts';
import { hashOf } from './journal-file.ts';
import type { Held } from './ledger.ts';
import type { Entry, History, Note, Survey, SurveyedFile } from './storage.ts';
import { errorCode, worded } from './system-error.ts';

/** No book can have this name. */
const libraryLedger = '_library';

/** The journals beside the books, as the memory of what happened to them. */
export class FolderHistory implements History {
  readonly #storage: FolderStorage;
  readonly #now: () => number;

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

  async survey(book: string): Promise<Survey> {
    // Hashing a big book takes a while the first time: done before the lock is taken, so that nobody waits for it.
    await this.#hashes(book);
    // A book that never was has no changes, and gets no folder for saying so; one that is gone has lost its files.
    if (!(await this.#isThere(book)) && this.#storage.ledger(book).peek().seq === 0)
      return { timeMs: this.#now() - 1, files: [], manifestHash: hashOf(manifestText(new Map())) };
    try {
      return await this.#storage.ledger(book).locked(async held => await this.#surveyAlone(book, held));
    } catch (error) {
      if (!isReadOnly(error)) throw worded(error, `Surveying ${book} failed`, bookKey(book));
      return await this.#surveyFromOutside(book);
    }
  }

  async manifestFiles(book: string, manifestHash: string): Promise<Map<string, string> | undefined> {
    const ledger = this.#storage.ledger(book);
    const seq = ledger.peek().manifests.get(manifestHash);
    return seq === undefined ? undefined : baseFiles(filesOf(ledger.replay(seq)));
  }

  async lastAuthor(place: Place): Promise<string | undefined> {
    const known = this.#storage.ledger(place.book).peek().file(place);
    // Only what was uploaded here is worth hashing: it is small, and nothing else has an author.
    if (known === undefined || known.hash === null || known.agent === externalAgent) return undefined;
    return known.hash === (await this.#storage.hash(keyOf(place))) ? known.agent : undefined;
  }

  async check(book: string): Promise<{ changed: string[]; problems: string[] }> {
    const ledger = this.#storage.ledger(book);
    const changed: string[] = [];
    for (const { place, hash } of ledger.peek().files.values()) {
      if (((await this.#hashQuietly(keyOf(place))) ?? null) !== hash) changed.push(keyOf(place));
    }
    return { changed: changed.sort(byCodePoint), problems: ledger.audit() };
  }

  async #surveyAlone(book: string, { journal, state }: Held): Promise<Survey> {
    const drafts = differences(state, await this.#hashes(book), this.#now()).map(({ draft }) => draft);
    journal.append(drafts, this.#now());
    const files = filesOf(state);
    const manifest = hashOf(manifestText(baseFiles(files)));
    journal.append([scanRecord(manifest)], this.#now());
    return { timeMs: state.lastMs, files, manifestHash: manifest };
  }

  /** For a library that cannot be written: the same answer, and nobody remembers it. */
  async #surveyFromOutside(book: string): Promise<Survey> {
    const state = this.#storage.ledger(book).peek();
    // What happens within this very millisecond must count as later.
    const timeMs = this.#now() - 1;
    const files = new Map(filesOf(state).map(file => [keyOf(file.place), file]));
    for (const { place, draft } of differences(state, await this.#hashes(book), timeMs)) {
      const changedMs = draft.changed === undefined ? timeMs : Date.parse(draft.changed);
      files.set(keyOf(place), { place, hash: draft.new, changedMs });
    }
    const all = [...files.values()];
    return { timeMs, files: all, manifestHash: hashOf(manifestText(baseFiles(all))) };
  }

  async #isThere(book: string): Promise<boolean> {
    try {
      return (await this.#storage.books()).includes(book);
    } catch (error) {
      if (failureCode(error) === 'INTERNAL') throw error;
      return false;
    }
  }

  /** All tracked files of a book and its users with their hashes; `undefined` for one that cannot be read. */
  async #hashes(book: string): Promise<Map<string, Found>> {
    const found = new Map<string, Found>();
    const prefix = `${bookKey(book)}/`;
    for (const entry of (await this.#storage.list(bookKey(book))) ?? []) {
      const place = placeOf(book, entry.key.slice(prefix.length));
      if (entry.kind !== 'file' || place === undefined || !isTracked(place.path)) continue;
      found.set(entry.key, { entry, place, hash: await this.#hashQuietly(entry.key) });
    }
    return found;
  }

  async #hashQuietly(key: string): Promise<string | undefined> {
    try {
      return await this.#storage.hash(key);
    } catch (error) {
      if (failureCode(error) === 'INTERNAL') throw error;
      return undefined;
    }
  }
}

interface Found {
  entry: Entry;
  place: Place;
  /** undefined: it cannot be read, so nothing can be said about it. */
  hash: string | undefined;
}

/** What the journal has missed. */
function differences(
  state: JournalState,
  found: ReadonlyMap<string, Found>,
  nowMs: number,
): { place: Place; draft: Draft }[] {
  const missed: { place: Place; draft: Draft }[] = [];
  const add = (place: Place, hash: string | undefined, arrivedMs: number | undefined): void => {
    const draft = externalChange(state, place, hash, arrivedMs);
    if (draft !== undefined) missed.push({ place, draft });
  };
  for (const { place, hash, entry } of found.values()) {
    if (hash !== undefined) add(place, hash, Math.min(entry.arrived.getTime(), nowMs));
  }
  for (const { place, hash } of state.files.values()) {
    if (hash !== null && isTracked(place.path) && !found.has(keyOf(place))) add(place, undefined, undefined);
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
  return { kind: 'scan', agent: 'survey', operation: 'survey', ...nothing, status: 'success', manifest };
}

function isReadOnly(error: unknown): boolean {
  return ['EROFS', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '');
}
