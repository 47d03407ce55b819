import type { FileKind } from '../../../documents/file-type.ts';
import type { FileAttributes } from '../access/inspect.ts';
import type { SkippedFiles } from '../access/skip.ts';
import type { MatchMode } from './arguments.ts';
import type { FoundFile, PageRequest } from './results.ts';

/** The conditions of a search. A result fulfils all of them. */
export interface FileQuery {
  /** The query as the client wrote it. If the query is missing, only kinds and dates are tested. */
  text?: string | undefined;
  /** The query after case folding. It is searched as a phrase first. */
  phrase?: string | undefined;
  /** If it is missing, the phrase is searched in contents, and the words in contents and names. */
  match?: MatchMode | undefined;
  kind?: FileKind | undefined;
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}

/**
 * A request to the catalogue thread, which owns the index. Its paths have no symbolic links and are inside a root
 * folder.
 */
export type CatalogueRequest = SearchRequest | DescribeRequest;

/** `verify` tests the files that Spotlight found instead of searching the index. */
export interface SearchRequest {
  kind: 'find' | 'verify';
  scope: string;
  /** The root folder that contains the searched folder. */
  root: string;
  query: FileQuery;
  page: PageRequest;
  excerpts: boolean;
  /** The files that Spotlight has found. The catalogue thread tests each of them again. */
  externalHits: readonly string[];
}

/** Requests the attributes of a file. `plist` is the property list that Spotlight has stored for it. */
export interface DescribeRequest {
  kind: 'describe';
  path: string;
  plist: string | undefined;
}

export type MessageToCatalogue =
  | { id: number; request: CatalogueRequest; timeoutMs: number }
  | { id: number; isCancelled: true };

export type MessageFromCatalogue =
  | { id: number; progress: { done: number; total: number } }
  | { id: number; found: SearchResultPage }
  | { id: number; description: FileAttributes | undefined }
  | { id: number; error: string };

/** One page of results, with information on whether the search is complete. */
export interface SearchResultPage {
  files: readonly FoundFile[];
  isTruncated: boolean;
  /** The number of files that were found so far. More files may match. */
  hitCount: number;
  isTimedOut: boolean;
  /** True if files are unread because no worker thread could be started. */
  hasNoWorkers?: boolean;
  /**
   * The method of the search: `index` read only files whose trigram signatures match, `mdfind` used Spotlight, `scan`
   * is any other search, for example one that also read files that are not indexed, or tested only names and dates.
   */
  engine: 'scan' | 'index' | 'mdfind';
  skipped: SkippedFiles;
  /** True if the page comes from the cached result of a previous incomplete call. */
  isFromBefore: boolean;
  /** True if the searched folder contains more files than the index can store. */
  isBeyondMemory?: boolean;
  /** True if a note should suggest the flag --files-cache. A server sets this once, in the first incomplete result. */
  proposesCache?: boolean;
  /**
   * The number of files in the searched folder and the percentage that is indexed. Only an incomplete result has this
   * field, after all file names are known.
   */
  indexed?: IndexCoverage | undefined;
  /** Explains how the files were found. The field is missing if the query has no text, and in the result of `verify`. */
  explanation?: SearchStageReport | undefined;
}

export interface IndexCoverage {
  fileCount: number;
  /** The percentage of the files with text that is indexed. It never decreases. */
  percent: number;
}

/**
 * Reports which searches were tried (the phrase, all words, similar words) and their results. It is the source of the
 * notes for the client.
 */
export interface SearchStageReport {
  /** The search that found the results, or `nothing` if no search found any. */
  stage: 'phrase' | 'words' | 'similar' | 'nothing';
  /** True if the search by words started before all contents were searched for the phrase. */
  isPartial: boolean;
  isQuoted: boolean;
  where: SearchedFileParts;
  /** The number of files that the search by words found. It is 0 in the stage `phrase`. */
  hitCount: number;
  /** True if the path of every result contains all words of the query. */
  isByName: boolean;
  /** True if more files match than `hitCount` states. */
  hasMore: boolean;
  /** The words of the query that a file must contain. */
  words: readonly string[];
  /** The optional words of the query, such as those for a kind of file or a time. */
  optional: readonly string[];
  /** The words of the query that were not searched. */
  ignored: readonly string[];
  /** The best files that contain only a few of the words. The field is set only if there are no results. */
  closest: readonly ClosestFile[];
  /** The words of the query that the best result does not contain. */
  missing: readonly string[];
  /** The misspelled words of the query, each with the words that were searched instead. */
  corrections: readonly (readonly [word: string, readAs: readonly string[]])[];
  operators: readonly string[];
  /** The kinds of files that words of the query mean. A note suggests the argument `kind` for them. */
  kinds: readonly FileKind[];
  asksForTime: boolean;
  /** True if the query has no words besides those for a kind of file or a time, such as "pdfs from March". */
  isListRequest: boolean;
  /** Other files whose names contain all words of the query. */
  named: readonly string[];
  /** The filters that exclude better results, and the number of these results. */
  excluded?: ExcludedHits | undefined;
}

export interface ExcludedHits {
  filters: readonly SearchFilterName[];
  hitCount: number;
  hasMore: boolean;
}

/** The arguments of a search that exclude files. */
export type SearchFilterName = 'since' | 'until' | 'kind' | 'match' | 'scope';

/** A file that is not a result, and the rare words of the query that it contains. */
export interface ClosestFile {
  path: string;
  words: readonly string[];
}

/** The places in which the words of a query may occur: `any` means contents, file names and folder names. */
export type SearchedFileParts = 'any' | 'content' | 'name';
