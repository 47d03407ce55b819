import type { FileAttributes } from '../access/inspect.ts';
import type { Excerpt } from '../match/excerpt.ts';
import type { SearchTerm } from '../match/word-match.ts';
import type { CompressedText } from './compressed-text.ts';

/** A job for a worker thread, which reads files. */
export interface ReaderJob {
  /**
   * `excerpt` extracts the text around the first phrase, `describe` reads the metadata of one file. Any other job tests
   * which files contain all phrases, or one of the terms, and creates their trigram signatures if `isSigning` is true.
   */
  kind?: 'excerpt' | 'describe';
  allowedRoot: string;
  paths: readonly string[];
  phrases: readonly string[];
  terms?: readonly SearchTerm[];
  /**
   * True if the worker also creates a trigram signature for each text file, which takes several times as long. Documents
   * whose text is not cached always get one, because extracting their text takes most of the time.
   */
  isSigning: boolean;
  /** The cached texts of documents and pages, in the order of `paths`. */
  texts?: readonly (CompressedText | undefined)[];
}

/**
 * The message that sends a job to a worker thread. The paths are joined to one string, because sending an array is
 * slower.
 */
export type ReaderJobMessage = Omit<ReaderJob, 'paths'> & { paths: string };
export const pathSeparator = '\0';

export const fileStatuses = [
  'gone',
  'read',
  'match',
  'binary',
  'tooLarge',
  'unreadable',
  'unparsed',
  'online',
  /** The document does not match, but many characters are missing in its text. */
  'partly',
] as const;
export type FileStatus = (typeof fileStatuses)[number];

/** The response of a worker thread to a job. It consists of typed arrays, because sending them is fast. */
export interface ReaderAnswer {
  /** The number of files that were read. A worker returns a long job before all of its files are read. */
  done: number;
  /** The status of each file as an index into `fileStatuses`. */
  statuses: Uint8Array;
  /** Contains mtimeMs, ctimeMs, size and ino of each file, or zeros if they are unknown. */
  stats: Float64Array;
  /** The concatenated trigram signatures and their lengths. The length is 0 for a file without a signature. */
  signatures: Uint8Array;
  signatureLengths: Uint32Array;
  /** 1 for each document of whose text many characters are missing, otherwise 0. */
  partly: Uint8Array;
  /** The concatenated compressed texts of documents and HTML pages. */
  texts: Uint8Array;
  textLengths: Uint32Array;
  /** The match quality of the words in each file and their closeness. They are 0 if the job has no terms. */
  qualities: Uint32Array;
  closeness: Uint8Array;
  /** The words of the texts that were read, for the correction of misspelled queries. */
  newWords: readonly string[];
  excerpts: readonly (Excerpt | undefined)[];
  description: FileAttributes | undefined;
}

export const statFieldCount = 4;

export function createReaderAnswer(count: number): ReaderAnswer {
  return {
    done: count,
    statuses: new Uint8Array(count),
    stats: new Float64Array(count * statFieldCount),
    signatures: new Uint8Array(0),
    signatureLengths: new Uint32Array(count),
    partly: new Uint8Array(count),
    texts: new Uint8Array(0),
    textLengths: new Uint32Array(count),
    qualities: new Uint32Array(count),
    closeness: new Uint8Array(count),
    newWords: [],
    excerpts: [],
    description: undefined,
  };
}

/** The value of the field `position` before a worker has begun with the first file of a job. */
export const notBegun = -1;

/** Maps each field to its index in the memory that a worker thread shares with the pool. */
export const sharedMemoryFields = {
  /** The index of the current file in the job. */
  position: 0,
  /** The pool sets this field to stop the job. */
  isStopped: 1,
  /**
   * The worker sets this field during slow work that always ends. The watchdog of the pool then does not end the
   * worker.
   */
  isUnguarded: 2,
  count: 3,
} as const;
