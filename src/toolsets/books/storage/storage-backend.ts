import type { BookJournal } from '../library/book-journal.ts';
import type { FileLocation } from '../model/key.ts';
import type { StoredVersion } from '../model/retention.ts';

/** The time slice of long work. Other calls run between two slices. */
export const ioTimeSliceMs = 25;

/**
 * The storage of a library, on disk or in a bucket. Calls go in one direction: tools call the library, the library
 * calls a medium, and within a medium the log calls the storage.
 */
export interface StorageBackend {
  readonly storage: FileStorage;
  readonly archives: ArchiveStore;
  readonly versions: VersionStore;
  /** Returns the names of the folders with journals, unsorted. */
  journals(): Promise<string[]>;
  /** Returns the journal of one book. */
  journal(book: string): BookJournal;
  /** Creates an upload address for a large file. It is not available on disk. */
  offer?(upload: UploadRequest, signal: AbortSignal): Promise<UploadAddress>;
  /** Flushes pending records. It must be fast, because the host waits. */
  close(): Promise<void>;
}

/** The former contents of the files of a book, stored by their SHA-256. */
export interface VersionStore {
  /** Saves a content durably. If the content is already stored, only its date is renewed. */
  save(book: string, hash: string, bytes: Uint8Array): Promise<void>;
  read(book: string, hash: string): Promise<Buffer | undefined>;
  list(book: string): Promise<StoredVersion[]>;
  delete(book: string, hash: string): Promise<void>;
}

/**
 * Reads bytes by key. It does not know journals, so that an object that marks a deleted file looks like an empty file.
 */
export interface FileStorage {
  readonly backend: 'fs' | 's3';
  /** The number of parallel reads that hides the latency of the storage. */
  readonly prefetch: number;
  /** True if each request costs time and money, so that cached state is used. */
  readonly isRemote: boolean;
  /** Returns the names of all folders that can be books, unsorted. */
  books(): Promise<string[]>;
  /** Returns whether a book exists. A remote storage can use a result from the last `seenWithinMs`. */
  hasBook(book: string, seenWithinMs?: number): Promise<boolean>;
  /**
   * Lists the files below a folder whose key follows `after`, sorted by key. Returns undefined if the folder does not
   * exist.
   */
  list(folderKey: string, signal?: AbortSignal, after?: string): Promise<StorageEntry[] | undefined>;
  stat(key: string, signal?: AbortSignal): Promise<StorageEntry | undefined>;
  /** Reads a whole file. Throws if it is larger than `maxBytes`. The content of a listed version can be cached. */
  read(file: string | StorageEntry, maxBytes: number, signal?: AbortSignal): Promise<StoredFile | undefined>;
  /** Streams a file in chunks. A chunk is valid until the next one is read. */
  stream(key: string, signal?: AbortSignal): Promise<FileStream | undefined>;
  /** Returns the SHA-256 of a file. For a listed entry it can be cached by its version. */
  hash(file: string | StorageEntry, signal?: AbortSignal): Promise<string | undefined>;
  /** Returns for each entry the reason why it cannot be opened, or undefined for a readable file. */
  readErrors(entries: readonly StorageEntry[], signal?: AbortSignal): Promise<(string | undefined)[]>;
  /** Returns the address of a file for programs on this machine or the network. */
  address(key: string, wish: AddressOptions): Promise<DownloadAddress>;
}

export interface StorageEntry {
  key: string;
  /** Links and devices are listed, so that they can be reported, but they are never opened. */
  kind: 'file' | 'link' | 'other';
  /** The reason why the entry cannot be opened. If it is a folder, the files below it are unknown. */
  unreadable?: string;
  size: number;
  /** A string that changes with the content, as far as the storage can tell. It is compared only for equality. */
  version: string;
  /** A version that identifies the content on all machines (an ETag). Only buckets have it. */
  tag?: string;
  modified: Date;
  /** The time when the content was stored. Copying a file does not set it back. */
  arrived: Date;
}

export function createUnreadableEntry(key: string, unreadable: string, modified = new Date(0)): StorageEntry {
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
  /** Closes the stream without reading it. */
  close(): Promise<void>;
}

export interface AddressOptions {
  /** The required validity in seconds. */
  seconds: number;
  /** True to request short addresses without a signature, for lists of many files. */
  isListed?: boolean;
  /** The file name for a download in a browser. */
  name?: string;
}

export interface DownloadAddress {
  url: string;
  /** The expiry time. It is missing if the address does not expire. */
  expiresMs?: number;
}

/** Stores finished archives until they expire. */
export interface ArchiveStore {
  /** Deletes expired archives of all servers. Frequent calls are ignored. */
  deleteExpired(): Promise<void>;
  /** Creates a temporary file for an archive. */
  create(partName: string): Promise<NewArchive>;
}

export interface NewArchive {
  /** The file descriptor for random writes. */
  descriptor: number;
  /** Publishes the archive under its name in one step. */
  finish(name: string): Promise<void>;
  discard(): Promise<void>;
}

export interface UploadRequest {
  place: FileLocation;
  size: number;
  mimeType: string;
  /** The required validity of the address in seconds. */
  seconds: number;
}

export interface UploadAddress extends Required<DownloadAddress> {
  method: 'PUT';
  /** The validity of the address in seconds. */
  seconds: number;
  /** The headers that the client must send unchanged. */
  headers: Readonly<Record<string, string>>;
}
