import type { FileKind } from '../../../documents/file-type.ts';
import type { FileAttributes } from '../access/inspect.ts';
import type { SkippedFiles } from '../access/skip.ts';
import type { MatchMode } from './arguments.ts';
import type { FoundFile, PageRequest } from './results.ts';

/** The conditions of a search. All of them must be true. */
export interface Query {
  /** The query as it was written. If it is missing, only kinds and dates are tested. */
  text?: string | undefined;
  /** The phrase that is searched first, folded. */
  phrase?: string | undefined;
  match?: MatchMode | undefined;
  kind?: FileKind | undefined;
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}

/**
 * A request to the catalogue thread. Scopes and paths are resolved and checked to be inside a root. `externalHits` are
 * paths that Spotlight suggests; each file is tested again.
 */
export type CatalogueRequest =
  | { kind: 'find'; scope: string; query: Query; page: PageRequest; excerpts: boolean; externalHits: readonly string[] }
  /** Verifies the files that Spotlight found, instead of a search. */
  | {
      kind: 'check';
      scope: string;
      query: Query;
      page: PageRequest;
      excerpts: boolean;
      externalHits: readonly string[];
    }
  /** Returns the attributes of a file. `plist` is the property list that Spotlight has for the file. */
  | { kind: 'describe'; path: string; plist: string | undefined };

export type MessageToCatalogue =
  | { id: number; question: CatalogueRequest; timeoutMs: number }
  | { id: number; isCancelled: true };

export type MessageFromCatalogue =
  | { id: number; progress: { done: number; total: number } }
  | { id: number; found: SearchResultPage }
  | { id: number; description: FileAttributes | undefined }
  | { id: number; error: string };

/** One page of results, with facts about the completeness of the search. */
export interface SearchResultPage {
  files: readonly FoundFile[];
  isTruncated: boolean;
  /** The number of known hits. There can be more. */
  hitCount: number;
  isTimedOut: boolean;
  /** True if no reader could be started for the remaining files. */
  hasNoWorkers: boolean;
  /**
   * The way of the search: `index` read only files that signatures selected, `scan` read files without them, `mdfind`
   * used Spotlight.
   */
  engine: 'scan' | 'index' | 'mdfind';
  skipped: SkippedFiles;
  /** True if the page comes from a previous incomplete result. */
  isFromBefore: boolean;
  /** True if the scope has more files than the index can store. */
  isBeyondMemory: boolean;
  /** True if the notes should suggest --files-cache. This happens once per server, in the first incomplete result. */
  proposesCache?: boolean;
  /** The share of the scope that is indexed. It is present only in an incomplete answer after all names are known. */
  indexed?: IndexProgress | undefined;
  /** Explains how the files were found. It is missing if no text was searched. */
  explanation: StageReport | undefined;
}

export interface IndexProgress {
  fileCount: number;
  /** The percentage of the files with text. It never decreases. */
  percent: number;
}

/** The stages that a search has tried and their results, for the notes of its answer. */
export interface StageReport {
  /** The stage that found the results, or `nothing` if no stage found any. */
  stage: 'phrase' | 'words' | 'similar' | 'nothing';
  /** True if the contents were not searched completely before the later stages began. */
  isPartial: boolean;
  isQuoted: boolean;
  where: SearchedFileParts;
  hitCount: number;
  /** True if the names of files and folders contain all words in every hit. */
  isByName: boolean;
  /** True if more files match than `hitCount`. */
  hasMore: boolean;
  /** The words that were searched, without stop words. */
  words: readonly string[];
  /** The number of files in which each of these words may occur, by the index. */
  counts: readonly number[];
  /** The words that the best result does not contain. */
  missing: readonly string[];
  /** The words that were replaced by other words. */
  corrections: readonly (readonly [word: string, readAs: string])[];
  operators: readonly string[];
  /** The kinds that words of the query mean. There are arguments for kind and time. */
  kinds: readonly FileKind[];
  asksForTime: boolean;
  /** More files whose names contain all words. */
  named: readonly string[];
}

/** The places where the words of a query may occur: `any` means contents, file names and folder names. */
export type SearchedFileParts = 'any' | 'content' | 'name';
