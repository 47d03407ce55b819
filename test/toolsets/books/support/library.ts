import { createHash } from 'node:crypto';
import { auditProblems } from '../../../../src/toolsets/books/model/audit.ts';
import { type JournalRecord, readRecord } from '../../../../src/toolsets/books/model/journal.ts';
import { folderPlace, newPlace, type Place } from './place.ts';

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A library folder that is gone after the test. */
export interface TemporaryLibrary {
  root: string;
  /** Puts a file into the library past every tool, as an editor or git does. */
  put(key: string, bytes: string | Uint8Array, modifiedMs?: number): void;
  /** A file, or a folder with all that is in it. */
  remove(key: string): void;
  /** What the address of a file looks like. */
  address(key: string): RegExp;
  read(key: string): Buffer | undefined;
  journal(book: string): JournalRecord[];
  /** What is wrong with a journal; nothing, if all is well. */
  audit(book: string): string[];
  [Symbol.dispose](): void;
}

/** Where the journal of a small book is. */
export function segmentOf(book: string): string {
  return `.oj-books/${book}/journal/000000000001.jsonl`;
}

export function temporaryLibrary(where: 'disk' | 'memory' = 'disk'): TemporaryLibrary {
  return libraryIn(newPlace(where));
}

/** In a folder that is there. */
export function libraryAt(root: string): TemporaryLibrary {
  return libraryIn(folderPlace(root));
}

function libraryIn(place: Place): TemporaryLibrary {
  /** The segments are one journal. */
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
    journal: book => lines(book).flatMap(line => readRecord(line) ?? []),
    audit: book => auditProblems(lines(book), sha256),
    [Symbol.dispose]: () => place.clear(),
  };
}

/** How often a test repeats itself: a little with every run, as often as promised when BOOKS_FULL is set. */
export function times(everyRun: number, full: number): number {
  return process.env['BOOKS_FULL'] === undefined ? everyRun : full;
}
