/**
 * Reads files by key. The journal is not used, so that an object that represents a deleted file looks like an empty
 * file.
 */
export interface FileStorage {
  readonly backend: 'fs' | 's3';
  /** The number of parallel reads, which compensate the latency of the storage. */
  readonly prefetch: number;
  /** True if each request costs time and money, as in a bucket. Cached state is then used if possible. */
  readonly isRemote: boolean;
  /** Returns the unsorted names of the subfolders of a folder at the root. */
  foldersIn(folder: string): Promise<string[]>;
  /** Returns whether a book exists. In a bucket the result may be as old as `seenWithinMs`. */
  hasBook(book: string, seenWithinMs?: number): Promise<boolean>;
  /**
   * Returns the files below a folder whose keys come after `after`, sorted by key. Returns undefined if the folder does
   * not exist.
   */
  list(folderKey: string, signal?: AbortSignal, after?: string): Promise<StorageEntry[] | undefined>;
  stat(key: string, signal?: AbortSignal): Promise<StorageEntry | undefined>;
  /**
   * Reads a whole file. Throws an error if the file is larger than `maxBytes`. The content of a file from a listing may
   * come from a cache.
   */
  read(file: string | StorageEntry, maxBytes: number, signal?: AbortSignal): Promise<StoredFile | undefined>;
  /** Streams a file in chunks, which can share one buffer. A caller that reads ahead must copy them. */
  stream(key: string, signal?: AbortSignal): Promise<FileStream | undefined>;
  /** Returns the SHA-256 of a file. The hash of a file from a listing may come from a cache. */
  hash(file: string | StorageEntry, signal?: AbortSignal): Promise<string | undefined>;
  /** Maps each file to the reason why it cannot be opened, or to undefined if the file is readable. */
  readErrors(entries: readonly StorageEntry[], signal?: AbortSignal): Promise<(string | undefined)[]>;
  /** Returns an address from which programs can download a file. */
  address(key: string, wish: DownloadAddressOptions): Promise<DownloadAddress>;
}

export interface StorageEntry {
  key: string;
  /**
   * The type of the entry. Links and devices are listed so that the tools can report them, but they are never opened.
   */
  kind: 'file' | 'link' | 'other';
  /** The reason why the file or folder cannot be opened. The files in an unreadable folder are unknown. */
  unreadable?: string;
  size: number;
  /**
   * A string that changes with the content, if the storage detects the change. Strings are only compared for equality.
   */
  version: string;
  /** The ETag of the object, which identifies its content. It exists only in buckets. */
  tag?: string;
  modified: Date;
  /** The time when the content was stored. Unlike the modification time, it is not older in a copy of the file. */
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
  /** Closes the stream before the caller has read it to its end. */
  close(): Promise<void>;
}

export interface DownloadAddressOptions {
  /** The number of seconds for which the address must be valid. */
  seconds: number;
  /** True for lists of many files. Their addresses should be short and have no signature. */
  isListed?: boolean;
  /** The file name that a browser uses for the download. */
  name?: string;
}

export interface DownloadAddress {
  url: string;
  /** The time at which the address expires. The field is missing if the address does not expire. */
  expiresMs?: number;
}

/** Writes and deletes the files that no journal records: checkpoints and former contents. Also deletes archives. */
export interface InternalFiles {
  /** Replaces a file atomically. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** Sets the date of a file to now. Returns false if the file is missing or must be written again instead. */
  renew(key: string): Promise<boolean>;
  /** Deletes a file. A missing file is not an error. */
  delete(key: string): Promise<void>;
}
