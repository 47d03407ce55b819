import { isUtf8 } from 'node:buffer';
import { Failure } from '../../../errors/failure.ts';
import { findNearestName } from '../../../text/nearest.ts';
import { decideFileDeletion, decideFileMove, decideFileWrite, type WriteOutcome } from '../model/decision.ts';
import { sha256Of } from '../model/hash.ts';
import {
  bookIdPattern,
  booksFolder,
  compareCodePoints,
  type FileLocation,
  isBookSortedBeforeKey,
  isPathOfBookItself,
  locationOfPath,
  removeBookPrefixOfKey,
  storageKeyOf,
  storageKeyOfBook,
} from '../model/key.ts';
import { createMissingBookFailure, createStorageFailure, type ErrorReportFields } from '../model/refusal.ts';
import type { FileStorage, StorageEntry } from '../storage/file-storage.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';
import { mapInParallelInOrder } from './map-in-order.ts';
import type { ChangeAuthor, FileChangePlan, FileChangeResult } from './transaction.ts';
import { maxVersionBytes, type VersionHistory } from './version-history.ts';

/** The size limit of a lesson in bytes. A larger lesson would not fit into one response. */
export const maxLessonBytes = 16 * 1024 * 1024;

export interface LibraryTextFile {
  content: string;
  size: number;
  hash: string;
  modified: Date;
}

/** Reads and changes the files of the books in a library. */
export class BookFiles {
  readonly #backend: StorageBackend;
  readonly #storage: FileStorage;
  readonly #versions: VersionHistory | undefined;

  /** If `versions` is given, the former content of a file is saved before a change replaces it. */
  constructor(backend: StorageBackend, versions?: VersionHistory) {
    this.#backend = backend;
    this.#storage = backend.storage;
    this.#versions = versions;
  }

  /** Returns the sorted ids of all books. A folder whose name is not a valid book id is ignored. */
  async books(): Promise<string[]> {
    return (await this.#storage.foldersIn(booksFolder))
      .filter(name => bookIdPattern.test(name))
      .sort(compareCodePoints);
  }

  /**
   * Returns the sorted files below a folder of a book whose keys come after the key `after`. Returns undefined if the
   * folder does not exist.
   */
  async list(book: string, folder: string, signal?: AbortSignal, after?: string): Promise<StorageEntry[] | undefined> {
    const key = folder === '' ? storageKeyOfBook(book) : `${storageKeyOfBook(book)}/${folder}`;
    const entries = await this.#storage.list(key, signal, after);
    return entries && (await this.#present(book, entries));
  }

  /**
   * Returns the files of the book itself, without the files of its users. If the book cannot be opened, the function
   * throws an error, or returns undefined if `isOneOfMany` is true.
   */
  async baseFiles(
    book: string,
    isOneOfMany: boolean,
    signal?: AbortSignal,
    after?: string,
  ): Promise<StorageEntry[] | undefined> {
    try {
      const entries = await this.list(book, '', signal, after);
      if (entries === undefined) throw createMissingBookFailure(book);
      return entries.filter(({ key }) => isPathOfBookItself(removeBookPrefixOfKey(book, key)));
    } catch (error) {
      if (isOneOfMany && error instanceof Failure) return undefined;
      throw error;
    }
  }

  /** Returns the books that a search must still read after the key `after`, in the order of their keys. */
  async searchedBooks(book: string | undefined, after: string): Promise<string[]> {
    if (book !== undefined) return [book];
    // The names are compared with a slash at the end, because keys have one: "abc-d/" comes before "abc/", although the
    // name "abc" comes before "abc-d".
    const books = (await this.books()).sort((one, other) => compareCodePoints(`${one}/`, `${other}/`));
    return books.filter(name => !isBookSortedBeforeKey(name, after));
  }

  /** Throws an error if the book does not exist. */
  async require(book: string): Promise<void> {
    if (!(await this.#storage.hasBook(book))) throw createMissingBookFailure(book);
  }

  /** Returns a sentence for a call that is about to create a book, with a book that has a similar id. */
  async noteOnNewBook(book: string): Promise<string[]> {
    if (await this.#storage.hasBook(book, Infinity)) return [];
    const similar = findNearestName(book, await this.books());
    return [`This created the book ${book}.${similar === undefined ? '' : ` A book with a similar id: ${similar}.`}`];
  }

  async stat(place: FileLocation): Promise<StorageEntry | undefined> {
    const entry = await this.#storage.stat(storageKeyOf(place));
    return entry && (await this.#present(place.book, [entry]))[0];
  }

  /** Reads a text file. Returns undefined if it does not exist, and throws an error if it is not UTF-8. */
  async text(place: FileLocation, signal?: AbortSignal, entry?: StorageEntry): Promise<LibraryTextFile | undefined> {
    const key = storageKeyOf(place);
    const stored = await this.#storage.read(entry ?? key, maxLessonBytes, signal);
    if (stored === undefined) return undefined;
    if (stored.bytes.length === 0 && (await this.#isDeleted(place))) return undefined;
    const { bytes, hash, modified } = stored;
    return { content: decodeUtf8Content(bytes, key, { path: key }), size: bytes.length, hash, modified };
  }

  /** Reads listed files of a book as texts. */
  textsOf(
    book: string,
    entries: readonly StorageEntry[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly [{ place: FileLocation }, LibraryTextFile | Failure | undefined]> {
    const items = entries.map(entry => {
      return {
        place: { book, path: removeBookPrefixOfKey(book, entry.key), user: undefined },
        size: entry.size,
        entry,
      };
    });
    return this.texts(items, signal);
  }

  /**
   * Reads text files in order. Yields a Failure for an unreadable file, and undefined for a file that was deleted after
   * it was listed.
   */
  texts<Item extends { place: FileLocation; size: number; entry?: StorageEntry }>(
    items: readonly Item[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly [Item, LibraryTextFile | Failure | undefined]> {
    const read = async ({ place, entry }: Item): Promise<LibraryTextFile | Failure | undefined> => {
      try {
        return await this.text(place, signal, entry);
      } catch (error) {
        if (error instanceof Failure) return error;
        throw error;
      }
    };
    return mapInParallelInOrder(items, this.#storage.prefetch, read, signal);
  }

  /**
   * Writes a file if its current hash is the expected one. If the expected hash is undefined, the file must not exist.
   */
  async write(
    place: FileLocation,
    bytes: Uint8Array,
    expected: string | undefined,
    author: ChangeAuthor,
  ): Promise<FileChangeResult<WriteOutcome>> {
    const decide = (current: string | undefined): WriteOutcome =>
      decideFileWrite(storageKeyOf(place), current, expected);
    return await this.#change({ place, bytes, decide, author });
  }

  /** Writes a file regardless of its current content. */
  async put(place: FileLocation, bytes: Uint8Array, author: ChangeAuthor): Promise<void> {
    await this.#change({ place, bytes, decide: () => undefined, author });
  }

  /** Deletes a file. Returns whether it existed. */
  async remove(place: FileLocation, expected: string | undefined, author: ChangeAuthor): Promise<boolean> {
    const decide = (current: string | undefined): void => decideFileDeletion(place, current, expected);
    const { previous } = await this.#change({ place, bytes: undefined, decide, author });
    return previous !== undefined;
  }

  /** Moves a file to a path where no file exists. `bytes` is its new content, in which only links have changed. */
  async move(
    from: FileLocation,
    place: FileLocation,
    former: Uint8Array,
    bytes: Uint8Array,
    author: ChangeAuthor,
  ): Promise<void> {
    const expected = sha256Of(former);
    const decide = (current: string | undefined, moved?: string): void =>
      decideFileMove(storageKeyOf(from), storageKeyOf(place), { current, moved, expected });
    for (const content of [former, bytes]) await this.#versions?.keep(place.book, content);
    await this.#backend.journal(place.book).change({ place, from, bytes, decide, author });
  }

  /**
   * Changes a file. If former contents are stored, the old and the new content are saved before the change. If another
   * writer changes the file at the same time, the function reads it again, so that every replaced content is saved.
   */
  async #change<Decision>(change: FileChangePlan<Decision>): Promise<FileChangeResult<Decision>> {
    const log = this.#backend.journal(change.place.book);
    const versions = this.#versions;
    if (versions === undefined) return await log.change(change);
    const { place, bytes, decide } = change;
    for (let attempt = 1; ; attempt++) {
      const entry = await this.stat(place);
      const isKept = entry === undefined || (entry.kind === 'file' && entry.size <= maxVersionBytes);
      const stored = entry && isKept ? await this.#storage.read(storageKeyOf(place), maxVersionBytes) : undefined;
      const saved = isKept ? stored?.hash : await this.#storage.hash(storageKeyOf(place));
      decide(saved);
      for (const content of [stored?.bytes, bytes]) if (content !== undefined) await versions.keep(place.book, content);
      const decideOnSaved = (current: string | undefined): Decision => {
        if (isKept && saved !== current) throw new ReplacedMeanwhile();
        return decide(current);
      };
      try {
        return await log.change({ ...change, decide: decideOnSaved });
      } catch (error) {
        if (!(error instanceof ReplacedMeanwhile) || attempt === maxAttempts) throw error;
      }
    }
  }

  /**
   * Removes the entries that represent deleted files. They are empty objects in a bucket, or empty files in a folder
   * that was copied from a bucket.
   */
  async #present(book: string, entries: StorageEntry[]): Promise<StorageEntry[]> {
    const isEmpty = ({ kind, size, unreadable }: StorageEntry): boolean =>
      kind === 'file' && size === 0 && unreadable === undefined;
    if (!entries.some(isEmpty)) return entries;
    const state = await this.#backend.journal(book).peekOrEmpty();
    return entries.filter(entry => {
      const place = isEmpty(entry) ? locationOfPath(book, removeBookPrefixOfKey(book, entry.key)) : undefined;
      return place === undefined || state.file(place)?.hash !== null;
    });
  }

  async #isDeleted(place: FileLocation): Promise<boolean> {
    return (await this.#backend.journal(place.book).peekOrEmpty()).file(place)?.hash === null;
  }
}

/** Decodes bytes as UTF-8 without any change, including a byte order mark. Throws an error if it is not UTF-8. */
export function decodeUtf8Content(bytes: Buffer, subject: string, facts: ErrorReportFields): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw createStorageFailure('NOT_TEXT', `${subject} is not text in UTF-8.`, facts);
}

/** The error of a change whose file has changed since its content was saved. */
class ReplacedMeanwhile extends Error {}

const maxAttempts = 5;
