import type { BookLog } from '../library/book-log.ts';
import type { Place } from '../model/key.ts';
import type { StoredVersion } from '../model/retention.ts';

/** How long other calls may have to wait for long work. */
export const sliceMs = 25;

/**
 * What a library needs of the place it is kept in. Calls go one way: tools ask the store, the store asks a backend, and
 * within a backend the ledgers ask the storage. Nothing asks back.
 */
export interface Medium {
  readonly storage: Storage;
  readonly archives: ArchiveStore;
  readonly versions: VersionStore;
  /** Names of the folders that have journals, unsorted. */
  journals(): Promise<string[]>;
  /** The journal of one book. */
  log(book: string): BookLog;
  /** An address a large file can be sent to; left out by a backend that cannot give any. */
  offer?(upload: Upload, signal: AbortSignal): Promise<UploadAddress>;
  /** Keeps what is left to be kept. Brief: the host is waiting. */
  close(): Promise<void>;
}

/** Former contents of the files of a book, stored by their SHA-256. */
export interface VersionStore {
  /** Stores a content durably; one that is stored already only gets a new date. */
  save(book: string, hash: string, bytes: Uint8Array): Promise<void>;
  read(book: string, hash: string): Promise<Buffer | undefined>;
  list(book: string): Promise<StoredVersion[]>;
  delete(book: string, hash: string): Promise<void>;
}

/** Bytes under keys, as they are now. Knows nothing of journals: an emptied key looks like an empty file. */
export interface Storage {
  readonly backend: 'fs' | 's3';
  /** How many reads are worth having under way at once: as many as hide the way to the bytes. */
  readonly prefetch: number;
  /** Every question takes time and costs money: what was seen a moment ago has to do. */
  readonly isRemote: boolean;
  /** Names of all folders that may be books, unsorted. */
  books(): Promise<string[]>;
  /** Where asking costs, one that was seen within the last `seenWithinMs` need not be asked for again. */
  hasBook(book: string, seenWithinMs?: number): Promise<boolean>;
  /** Everything below a folder with a key behind `after`, sorted by key; undefined when there is no such folder. */
  list(folderKey: string, signal?: AbortSignal, after?: string): Promise<Entry[] | undefined>;
  stat(key: string, signal?: AbortSignal): Promise<Entry | undefined>;
  /** The whole file; refuses one of more than `maxBytes`. That of a listed version may be at hand. */
  read(file: string | Entry, maxBytes: number, signal?: AbortSignal): Promise<StoredFile | undefined>;
  /** The file piece by piece; a piece may be used until the next one is asked for. */
  stream(key: string, signal?: AbortSignal): Promise<FileStream | undefined>;
  /** SHA-256 of the bytes; of an entry from a listing it may be known already by its version. */
  hash(file: string | Entry, signal?: AbortSignal): Promise<string | undefined>;
  /** Why listed files cannot be opened, one after the other; undefined for one that can. */
  readErrors(entries: readonly Entry[], signal?: AbortSignal): Promise<(string | undefined)[]>;
  /** Where a program on this machine or the network finds the file. */
  address(key: string, wish: AddressOptions): Promise<Address>;
}

export interface Entry {
  key: string;
  /** Links and devices are shown, so that they can be reported, and never opened. */
  kind: 'file' | 'link' | 'other';
  /** Why nobody can open it here; what is below such a folder is not known. */
  unreadable?: string;
  size: number;
  /** Another one with every change of the bytes, as far as the storage can tell; compared for equality and nothing else. */
  version: string;
  /** A version that can be kept: the same one always means the same bytes, on every machine. Only buckets have it. */
  tag?: string;
  modified: Date;
  /** When the bytes came here, which copying and unpacking cannot set back. */
  arrived: Date;
}

export function unreadableEntry(key: string, unreadable: string, modified = new Date(0)): Entry {
  return { key, kind: 'other', unreadable, size: 0, version: '', modified, arrived: modified };
}

export interface StoredFile {
  bytes: Buffer;
  hash: string;
  modified: Date;
}

export interface FileStream {
  size: number;
  pieces: AsyncIterable<Uint8Array>;
  /** For a reader who does not want the pieces after all. */
  close(): Promise<void>;
}

export interface AddressOptions {
  /** How long it has to work. */
  seconds: number;
  /** Short addresses for lists of many files: such as can be told to a program, without a signature. */
  isListed?: boolean;
  /** The name a browser gives the file. */
  name?: string;
}

export interface Address {
  url: string;
  /** Left out: it does not end. */
  expiresMs?: number;
}

/** Where finished archives lie until they expire. */
export interface ArchiveStore {
  /** Deletes what has expired, whoever made it; at most as often as it is worth it. */
  deleteExpired(): Promise<void>;
  /** A new file to write an archive into. */
  create(partName: string): Promise<NewArchive>;
}

export interface NewArchive {
  /** Open for writing, everywhere in it. */
  descriptor: number;
  /** Puts it on the shelf under this name, all of it or nothing. */
  finish(name: string): Promise<void>;
  discard(): Promise<void>;
}

export interface Upload {
  place: Place;
  size: number;
  mimeType: string;
  /** How long the address has to work. */
  seconds: number;
}

export interface UploadAddress extends Required<Address> {
  method: 'PUT';
  /** How long it works. */
  seconds: number;
  /** To be sent as they are. */
  headers: Readonly<Record<string, string>>;
}
