import type { FactValue } from '../../../../documents/facts.ts';
import type { Kind } from '../../../../documents/file-type.ts';
import type { Match } from '../../model/arguments.ts';
import type { FoundFile, Page } from '../../model/results.ts';
import type { Excerpt } from '../../model/search/place.ts';
import type { Skipped } from '../../model/skip.ts';
import type { PackedText } from '../catalogue/text-store.ts';

/** What files are looked for: all conditions that are there must hold. */
export interface Wish {
  /** Folded. Without one, names and dates alone decide. */
  phrase?: string | undefined;
  match?: Match | undefined;
  kind?: Kind | undefined;
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}

/**
 * What the catalogue thread is asked for. Scopes and paths are real: resolved, and checked to be inside a root.
 * `told` are files that something else has found: suggestions, of which nothing is believed but the place.
 */
export type Question =
  | { kind: 'find'; scope: string; wish: Wish; page: Page; excerpts: boolean; told: readonly string[] }
  /** Those of the files found elsewhere that hold the phrase; stands in for reading the others. */
  | { kind: 'check'; scope: string; wish: Wish; page: Page; excerpts: boolean; told: readonly string[] }
  /** The property list is what the system's own index says of the file. */
  | { kind: 'describe'; path: string; plist: string | undefined };

export type ToCatalogue = { id: number; question: Question; timeoutMs: number } | { id: number; isCancelled: true };

export type FromCatalogue =
  | { id: number; progress: { done: number; total: number } }
  | { id: number; found: Found }
  | { id: number; description: Attributes | undefined }
  | { id: number; error: string };

/** One page of results, and what has to be said about how complete it is. */
export interface Found {
  files: readonly FoundFile[];
  isTruncated: boolean;
  /** How many hits are known; there may be more of them. */
  hitCount: number;
  isTimedOut: boolean;
  /** No reader could be started for what is left. */
  isStarved: boolean;
  /** `index`: signatures said which files to read; `scan`: files were read without them. */
  engine: 'scan' | 'index' | 'mdfind';
  skipped: Skipped;
  /** The page was cut from an answer that was given before, which was not complete. */
  isFromBefore: boolean;
  /** The scope has more files than are remembered. */
  isBeyondMemory: boolean;
  /** A file in which the words of a phrase stand that was found nowhere. */
  apart: string | undefined;
}

export type Attributes = Readonly<Record<string, FactValue>>;

/** What a reader thread is asked for. */
export interface ReaderJob {
  /** `match` files that hold all phrases; `excerpt` where they hold the first; `sign` them; `describe` one by its contents. */
  kind: 'match' | 'sign' | 'excerpt' | 'describe';
  fence: string;
  paths: readonly string[];
  phrases: readonly string[];
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

export const statuses = ['gone', 'read', 'match', 'binary', 'tooLarge', 'unreadable', 'unparsed'] as const;
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
  /** Set by the reader: what it does now takes long for long texts, and always ends. */
  isSure: 2,
  count: 3,
} as const;
