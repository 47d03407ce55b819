import { createHash } from 'node:crypto';
import { type JournalRecord, parseJournalRecord } from '../../../../src/toolsets/books/model/journal.ts';
import { findJournalErrors } from './journal.ts';
import { folderPlace, newPlace, type Place } from './place.ts';

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A library folder that is removed after the test. */
export interface TemporaryLibrary {
  root: string;
  /** Writes a file directly, as an editor or git does. */
  put(key: string, bytes: string | Uint8Array, modifiedMs?: number): void;
  /** Removes a file, or a folder with its contents. */
  remove(key: string): void;
  /** Returns a pattern that the download address of a file matches. */
  address(key: string): RegExp;
  read(key: string): Buffer | undefined;
  journal(book: string): JournalRecord[];
  /** Verifies a journal and returns its errors. */
  audit(book: string): string[];
  [Symbol.dispose](): void;
}

/** Returns the key of the first journal segment of a book. */
export function segmentOf(book: string): string {
  return `.oj-books/${book}/journal/000000000001.jsonl`;
}

export function temporaryLibrary(where: 'disk' | 'memory' = 'disk'): TemporaryLibrary {
  return libraryIn(newPlace(where));
}

/** Opens a library in an existing folder. */
export function libraryAt(root: string): TemporaryLibrary {
  return libraryIn(folderPlace(root));
}

export function libraryIn(place: Place): TemporaryLibrary {
  /** Returns the lines of all segments of a journal. */
  const lines = (book: string): string[] => {
    const folder = `.oj-books/${book}`;
    const segments = place.names(`${folder}/journal`).map(name => `${folder}/journal/${name}`);
    return segments.flatMap(key => place.read(key)?.toString('utf8').split('\n').slice(0, -1) ?? []);
  };
  return {
    root: place.root,
    put: (key, bytes, modifiedMs) => place.put(key, Buffer.from(bytes), modifiedMs),
    remove: key => place.remove(key),
    address: key => place.address(key),
    read: key => place.read(key),
    journal: book => lines(book).flatMap(line => parseJournalRecord(line) ?? []),
    audit: book => findJournalErrors(lines(book)),
    [Symbol.dispose]: () => place.clear(),
  };
}
