import type { Place } from '../../model/key.ts';

/**
 * What the tools need of a place where books are kept, in the words of an object store: keys, bytes, and writes that
 * happen only if the version is the expected one. No renaming and no locking: how a backend keeps its promise is its
 * own affair.
 */
export interface Storage {
  readonly backend: string;
  /** Names of all folders that may be books, unsorted. */
  books(): Promise<string[]>;
  /** Everything below a folder, sorted by key; undefined when there is no such folder. */
  list(folderKey: string): Promise<Entry[] | undefined>;
  stat(key: string): Promise<Entry | undefined>;
  /** The whole file; refuses one of more than `maxBytes`. */
  read(key: string, maxBytes: number): Promise<Stored | undefined>;
  /** The file piece by piece; a piece may be used until the next one is asked for. */
  stream(key: string): Promise<Source | undefined>;
  /** SHA-256 of the bytes as they are now. */
  hash(key: string, signal?: AbortSignal): Promise<string | undefined>;
  writeIf(place: Place, bytes: Uint8Array, condition: Condition, author: Author): Promise<Written>;
  deleteIf(place: Place, condition: Condition, author: Author): Promise<Written>;
  /** Where a program on this machine or the network finds the file, if there is such an address. */
  url(key: string): string | undefined;
}

export interface Entry {
  key: string;
  /** Links and devices are shown, so that they can be reported, and never opened. */
  kind: 'file' | 'link' | 'other';
  /** Why nobody can open it here; what is below such a folder is not known. */
  closed?: string;
  size: number;
  modified: Date;
  /** When the bytes came here, which copying and unpacking cannot set back. */
  arrived: Date;
}

export interface Stored {
  bytes: Buffer;
  hash: string;
  modified: Date;
}

export interface Source {
  size: number;
  pieces: AsyncIterable<Uint8Array>;
  /** For a reader who does not want the pieces after all. */
  close(): Promise<void>;
}

/** What must be there for a change to happen: nothing, this version, or whatever is. */
export type Condition = { kind: 'absent' } | { kind: 'version'; hash: string } | { kind: 'any' };

/** `previous` is the hash of what was there, in both cases. */
export interface Written {
  isDone: boolean;
  previous: string | undefined;
  modified: Date;
}

export interface Author {
  agent: string;
  operation: string;
}

/** The memory of a book: who did what, and what has changed since when. */
export interface History {
  /** Keeps an operation that changed nothing. Never fails and never waits long: reading must go on. */
  note(book: string | undefined, note: Note): Promise<void>;
  /** Compares all files with what is known of them and says what there is and what has been. */
  survey(book: string, signal: AbortSignal): Promise<Survey>;
  /** The base files of a book as they were when it had this manifest; undefined when nobody remembers. */
  manifestFiles(book: string, manifestHash: string): Promise<ReadonlyMap<string, string> | undefined>;
  /** The keys of files whose bytes are not what the journal says, and what is wrong with the journal itself. */
  check(book: string, signal: AbortSignal): Promise<{ changed: string[]; problems: string[] }>;
  /** Who made the version that is there now, if it was made here. */
  lastAuthor(place: Place): Promise<string | undefined>;
}

export interface Note {
  agent: string;
  operation: string;
  path: string;
  user: string | undefined;
  status: string;
  error?: string;
  ms: number;
  /** The version that was seen, to notice changes made elsewhere. */
  seen?: string;
}

export interface Survey {
  /** Later than every change in it and earlier than every change after it. */
  timeMs: number;
  files: SurveyedFile[];
  manifestHash: string;
}

export interface SurveyedFile {
  place: Place;
  /** null: deleted. */
  hash: string | null;
  changedMs: number;
}
