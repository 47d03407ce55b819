import type { BookJournal } from '../library/book-journal.ts';
import type { FileLocation } from '../model/key.ts';
import type { DownloadAddress, FileStorage, InternalFiles } from './file-storage.ts';

/**
 * Stores a whole library, in a folder or in a bucket. Calls have one direction: tools call the library, the library
 * calls a storage backend, and in the backend the journal calls the file storage.
 */
export interface StorageBackend {
  readonly storage: FileStorage;
  readonly internal: InternalFiles;
  journal(book: string): BookJournal;
  /** Returns the current time. In a bucket it is corrected by the clock of the object store. */
  readonly storeTime: () => number;
  /** Creates a temporary file to which an archive is written. */
  createArchive(partName: string): Promise<NewArchive>;
  /** Creates an address to which a client can upload a large file. Libraries in folders have no such function. */
  offer?(upload: UploadRequest, signal: AbortSignal): Promise<UploadAddress>;
  /** Writes pending journal records. The call must be fast, because the host waits for the process to exit. */
  close(): Promise<void>;
}

export interface NewArchive {
  /** The descriptor of the temporary file. The caller may write at any offset. */
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
