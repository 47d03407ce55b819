import type { Attributes } from '../access/inspect.ts';
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
  /** What is known of the texts of documents, in the order of `paths`. */
  texts?: readonly (PackedText | undefined)[];
}

/** The same on its way: one text is sent faster than many. No path contains the separator. */
export type SentJob = Omit<ReaderJob, 'paths'> & { paths: string };
export const pathSeparator = '\0';

export const statuses = ['gone', 'read', 'match', 'binary', 'tooLarge', 'unreadable', 'unparsed', 'online'] as const;
export type Status = (typeof statuses)[number];

/** One answer to a whole job: numbers in flat arrays, because there are tens of thousands of files. */
export interface ReaderAnswer {
  /** How many files it speaks of: a job that takes long is given back half done. */
  done: number;
  /** Indexes of `statuses`. */
  statuses: Uint8Array;
  /** mtimeMs, ctimeMs, size, ino of each file; zeros where nothing is known. */
  stats: Float64Array;
  /** Signatures one after the other, and the length of each; 0 where there is none. */
  signatures: Uint8Array;
  signatureLengths: Uint32Array;
  /** The packed texts of documents likewise. */
  texts: Uint8Array;
  textLengths: Uint32Array;
  /** For a `words` job: how well each file contains the words, and how close together they stand. */
  qualities: Uint32Array;
  closeness: Uint8Array;
  /** Words that were not seen before, for the correction of misspelled queries. */
  newWords: readonly string[];
  excerpts: readonly (Excerpt | undefined)[];
  description: Attributes | undefined;
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

/** Shared with a reader while it works, one number each. */
export const shared = {
  /** The file of its job it is at. */
  position: 0,
  /** Set by others: the rest of the job is not wanted any more. */
  isStopped: 1,
  /** Set by the reader: the current step may take long for a long text, but always ends. */
  isUnguarded: 2,
  count: 3,
} as const;
