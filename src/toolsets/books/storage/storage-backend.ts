import type { BookJournal } from '../library/book-journal.ts';
import type { FileLocation } from '../model/key.ts';
import type { StoredVersion } from '../model/retention.ts';

/**
 * Stores a whole library, in a folder or in a bucket. Calls go in one direction: tools call the library, the library
 * calls a storage backend, and in the backend the journal calls the file storage.
 */
export interface StorageBackend {
  readonly storage: FileStorage;
  readonly archives: ArchiveStore;
  readonly versions: VersionStore;
  /** Returns the names of the folders that contain journals, unsorted. */
  journals(): Promise<string[]>;
  /** Returns the journal of one book. */
  journal(book: string): BookJournal;
  /** Creates an address to which a client can upload a large file. It is missing for libraries in folders. */
  offer?(upload: UploadRequest, signal: AbortSignal): Promise<UploadAddress>;
  /** Writes pending journal records. It must be fast, because the host waits for the process. */
  close(): Promise<void>;
}

/** Stores the former contents of the files of a book by their SHA-256. */
export interface VersionStore {
  /** Saves a content to the disk or bucket. If it is already stored, only its date is renewed. */
  save(book: string, hash: string, bytes: Uint8Array): Promise<void>;
  read(book: string, hash: string): Promise<Buffer | undefined>;
  list(book: string): Promise<StoredVersion[]>;
  delete(book: string, hash: string): Promise<void>;
}

/**
 * Reads files by key. It does not use the journal, so that an object that represents a deleted file looks like an empty
 * file.
 */
export interface FileStorage {
  readonly backend: 'fs' | 's3';
  /** The number of parallel reads that compensates the latency of the storage. */
  readonly prefetch: number;
  /** True if each request costs time and money, as in a bucket. Cached state is then preferred. */
  readonly isRemote: boolean;
  /** Returns the names of all folders that may be books, unsorted. */
  books(): Promise<string[]>;
  /** Returns whether a book exists. In a bucket the result may be as old as `seenWithinMs`. */
  hasBook(book: string, seenWithinMs?: number): Promise<boolean>;
  /**
   * Returns the files below a folder whose keys follow `after`, sorted by key. Returns undefined if the folder does not
   * exist.
   */
  list(folderKey: string, signal?: AbortSignal, after?: string): Promise<StorageEntry[] | undefined>;
  stat(key: string, signal?: AbortSignal): Promise<StorageEntry | undefined>;
  /**
   * Reads a whole file. Throws an error if it is larger than `maxBytes`. The content of a file from a listing may come
   * from a cache.
   */
  read(file: string | StorageEntry, maxBytes: number, signal?: AbortSignal): Promise<StoredFile | undefined>;
  /** Streams a file in chunks. A chunk must be used before the next one is read. */
  stream(key: string, signal?: AbortSignal): Promise<FileStream | undefined>;
  /** Returns the SHA-256 of a file. For a file from a listing it may come from a cache. */
  hash(file: string | StorageEntry, signal?: AbortSignal): Promise<string | undefined>;
  /** Returns for each file the reason why it cannot be opened, or undefined if it is readable. */
  readErrors(entries: readonly StorageEntry[], signal?: AbortSignal): Promise<(string | undefined)[]>;
  /** Returns an address from which programs can download a file. */
  address(key: string, wish: AddressOptions): Promise<DownloadAddress>;
}

export interface StorageEntry {
  key: string;
  /** The kind of the entry. Links and devices are listed so that they can be reported, but they are never opened. */
  kind: 'file' | 'link' | 'other';
  /** The reason why the file or folder cannot be opened. The files in such a folder are unknown. */
  unreadable?: string;
  size: number;
  /** A string that changes with the content, as far as the storage can tell. It is only compared for equality. */
  version: string;
  /** The ETag of the object, which identifies its content. It exists only in buckets. */
  tag?: string;
  modified: Date;
  /** The time at which the content was stored. Unlike the modification time, it is not older in a copy of the file. */
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
  /** Closes the stream before it was read to its end. */
  close(): Promise<void>;
}

export interface AddressOptions {
  /** The number of seconds for which the address must be valid. */
  seconds: number;
  /** True for lists of many files, whose addresses should be short and have no signature. */
  isListed?: boolean;
  /** The file name with which a browser saves the download. */
  name?: string;
}

export interface DownloadAddress {
  url: string;
  /** The time at which the address expires. It is missing if the address does not expire. */
  expiresMs?: number;
}

/** Stores ZIP archives until they expire. */
export interface ArchiveStore {
  /** Deletes the expired archives of all servers. If it was called recently, it does nothing. */
  deleteExpired(): Promise<void>;
  /** Creates a temporary file to which an archive is written. */
  create(partName: string): Promise<NewArchive>;
}

export interface NewArchive {
  /** The descriptor of the temporary file, which is written at any offset. */
  descriptor: number;
  /** Makes the complete archive available under its final name. */
  finish(name: string): Promise<void>;
  discard(): Promise<void>;
}

export interface UploadRequest {
  place: FileLocation;
  size: number;
  mimeType: string;
  /** The number of seconds for which the upload address must be valid. */
  seconds: number;
}

export interface UploadAddress extends Required<DownloadAddress> {
  method: 'PUT';
  /** The number of seconds for which the upload address is valid. */
  seconds: number;
  /** The headers that the client must send with the upload without changes. */
  headers: Readonly<Record<string, string>>;
}
