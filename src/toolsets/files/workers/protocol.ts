import type { FileAttributes } from '../access/inspect.ts';
import type { Excerpt } from '../match/excerpt.ts';
import type { Term } from '../match/word-match.ts';
import type { PackedText } from './packed-text.ts';

/** A job for a reader thread. */
export interface ReaderJob {
  /** `match` files that contain all phrases; `words` files that contain some of the terms; `excerpt` where they hold the first; `sign` them; `describe` one by its contents. */
  kind: 'match' | 'words' | 'sign' | 'excerpt' | 'describe';
  allowedRoot: string;
  paths: readonly string[];
  phrases: readonly string[];
  terms?: readonly Term[];
  /**
   * Whether signatures are wanted of the texts that are matched: that takes several times as long. Documents get theirs
   * always, since getting their text is the cost.
   */
  isSigning: boolean;
  /** The cached texts of documents, in the order of `paths`. */
  texts?: readonly (PackedText | undefined)[];
}

/** A job as a message: one joined string is sent faster than many paths. */
export type SentJob = Omit<ReaderJob, 'paths'> & { paths: string };
export const pathSeparator = '\0';

export const statuses = ['gone', 'read', 'match', 'binary', 'tooLarge', 'unreadable', 'unparsed', 'online'] as const;
export type FileStatus = (typeof statuses)[number];

/** The result of a job, with flat arrays for speed. */
export interface ReaderAnswer {
  /** The number of finished files: a long job is returned unfinished. */
  done: number;
  /** Indexes of `statuses`. */
  statuses: Uint8Array;
  /** mtimeMs, ctimeMs, size and ino of each file; zeros if unknown. */
  stats: Float64Array;
  /** The concatenated signatures and their lengths; 0 for none. */
  signatures: Uint8Array;
  signatureLengths: Uint32Array;
  /** The concatenated compressed texts of documents. */
  texts: Uint8Array;
  textLengths: Uint32Array;
  /** For a `words` job: how well each file contains the words, and how close together they stand. */
  qualities: Uint32Array;
  closeness: Uint8Array;
  /** New words, for the correction of misspelled queries. */
  newWords: readonly string[];
  excerpts: readonly (Excerpt | undefined)[];
  description: FileAttributes | undefined;
}

export const statFields = 4;

export function createAnswer(count: number): ReaderAnswer {
  return {
    done: count,
    statuses: new Uint8Array(count),
    stats: new Float64Array(count * statFields),
    signatures: new Uint8Array(0),
    signatureLengths: new Uint32Array(count),
    texts: new Uint8Array(0),
    textLengths: new Uint32Array(count),
    qualities: new Uint32Array(count),
    closeness: new Uint8Array(count),
    newWords: [],
    excerpts: [],
    description: undefined,
  };
}

/** The indexes of the memory that a worker shares with the pool. */
export const shared = {
  /** The index of the current file of the job. */
  position: 0,
  /** Set by the pool to stop the job. */
  isStopped: 1,
  /** Set by the reader: the current step may take long for a long text, but always ends. */
  isUnguarded: 2,
  count: 3,
} as const;
