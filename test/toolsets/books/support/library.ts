import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { auditProblems, type JournalRecord, readRecord } from '../../../../src/toolsets/books/model/journal.ts';

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A library folder that is gone after the test. */
export interface TemporaryLibrary {
  root: string;
  /** Puts a file into the library past every tool, as an editor or git does. */
  put(key: string, bytes: string | Uint8Array): void;
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

/** In memory where the system has a place for that: for tests that are not about the disk. */
export function temporaryLibrary(where: 'disk' | 'memory' = 'disk'): TemporaryLibrary {
  const parent = where === 'memory' && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  return libraryAt(realpathSync(mkdtempSync(path.join(parent, 'oj-mcp-test-'))));
}

export function libraryAt(root: string): TemporaryLibrary {
  /** The segments are one journal; the file of the first days comes before them. */
  const segments = (book: string): string[] => {
    const folder = path.join(root, '.oj-books', book);
    const first = path.join(folder, 'journal.jsonl');
    const names = existsSync(path.join(folder, 'journal')) ? readdirSync(path.join(folder, 'journal')).toSorted() : [];
    return [...(existsSync(first) ? [first] : []), ...names.map(name => path.join(folder, 'journal', name))];
  };
  const lines = (book: string): string[] =>
    segments(book).flatMap(file => readFileSync(file, 'utf8').split('\n').slice(0, -1));
  return {
    root,
    put(key, bytes) {
      const file = path.join(root, key);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    },
    read(key) {
      const file = path.join(root, key);
      return existsSync(file) ? readFileSync(file) : undefined;
    },
    journal: book => lines(book).flatMap(line => readRecord(line) ?? []),
    audit: book => auditProblems(lines(book), sha256),
    [Symbol.dispose]() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** How often a test repeats itself: a little with every run, as often as promised when BOOKS_FULL is set. */
export function times(everyRun: number, full: number): number {
  return process.env['BOOKS_FULL'] === undefined ? everyRun : full;
}
