import type { Kind } from '../../../documents/file-type.ts';
import type { FileAttributes } from '../access/inspect.ts';
import type { Skipped } from '../access/skip.ts';
import type { Match } from './arguments.ts';
import type { FoundFile, PageRequest } from './results.ts';

/** The conditions of a search, all of which must hold. */
export interface Query {
  /** The query as it was written. Without one, kinds and dates alone decide. */
  text?: string | undefined;
  /** The phrase that is searched first, folded. */
  phrase?: string | undefined;
  match?: Match | undefined;
  kind?: Kind | undefined;
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}

/**
 * What the catalogue thread is asked for. Scopes and paths are real: resolved, and checked to be inside a root.
 * `externalHits` are files that something else has found: suggestions, of which nothing is believed but the place.
 */
export type CatalogueRequest =
  | { kind: 'find'; scope: string; query: Query; page: PageRequest; excerpts: boolean; externalHits: readonly string[] }
  /** Verifies files that Spotlight found, in place of a search. */
  | {
      kind: 'check';
      scope: string;
      query: Query;
      page: PageRequest;
      excerpts: boolean;
      externalHits: readonly string[];
    }
  /** The property list is the output of the system's index for the file. */
  | { kind: 'describe'; path: string; plist: string | undefined };

export type ToCatalogue =
  | { id: number; question: CatalogueRequest; timeoutMs: number }
  | { id: number; isCancelled: true };

export type FromCatalogue =
  | { id: number; progress: { done: number; total: number } }
  | { id: number; found: Found }
  | { id: number; description: FileAttributes | undefined }
  | { id: number; error: string };

/** One page of results, and how complete the search was. */
export interface Found {
  files: readonly FoundFile[];
  isTruncated: boolean;
  /** The number of known hits; there can be more. */
  hitCount: number;
  isTimedOut: boolean;
  /** No reader could be started for the remaining files. */
  hasNoWorkers: boolean;
  /** `index`: signatures said which files to read; `scan`: files were read without them. */
  engine: 'scan' | 'index' | 'mdfind';
  skipped: Skipped;
  /** The page was cut from a former incomplete result. */
  isFromBefore: boolean;
  /** The scope has more files than the index can hold. */
  isBeyondMemory: boolean;
  /** The first incomplete answer of a server without a cache proposes one. */
  proposesCache?: boolean;
  /** How much of the scope is indexed; only for an answer that is not complete, once all names are known. */
  indexed?: IndexProgress | undefined;
  /** How the files were found; missing where no text was searched. */
  explanation: Explanation | undefined;
}

export interface IndexProgress {
  fileCount: number;
  /** Of the files with text; it never falls. */
  percent: number;
}

/** What a search has tried and found, for the notes of its answer. */
export interface Explanation {
  /** The stage that gave the results; `nothing` when no stage has any. */
  stage: 'phrase' | 'words' | 'similar' | 'nothing';
  /** Contents were not searched completely when the stages behind the phrase began. */
  isPartial: boolean;
  isQuoted: boolean;
  where: Where;
  hitCount: number;
  /** The words that were searched, without stop words. */
  words: readonly string[];
  /** In how many files each of these words may occur, by the index. */
  counts: readonly number[];
  /** Those that the best result does not contain. */
  missing: readonly string[];
  /** Words that were read as other words. */
  corrections: readonly (readonly [word: string, readAs: string])[];
  operators: readonly string[];
  /** Words that ask for a kind or a time, which have their own arguments. */
  kinds: readonly Kind[];
  asksForTime: boolean;
  /** Further files whose names contain all words. */
  named: readonly string[];
}

/** Where the words of a query may stand: `any` is contents, file names and folders. */
export type Where = 'any' | 'content' | 'name';
