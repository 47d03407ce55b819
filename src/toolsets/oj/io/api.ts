import type { CheckResult } from '../../../toolset/toolset.ts';
import type {
  DailyResponse,
  Problem,
  ProblemListResponse,
  ResolvedProblemResponse,
  SimilarProblemsResponse,
  StatusResponse,
  TagsResponse,
} from '../model/problem.ts';

export interface SimilarProblemsOptions {
  limit: number;
  threshold: number;
  /**
   * Names of platforms, separated by commas. If the value is undefined, the parameter is omitted, because the backend
   * returns no hits for an empty value.
   */
  sourceFilter: string | undefined;
}

/** Options that select, sort and paginate a list of problems. A filter that is undefined is not applied. */
export interface ProblemListOptions {
  search: string | undefined;
  difficulty: string | undefined;
  /** Names of tags, separated by commas. */
  tags: string | undefined;
  tagMode: 'any' | 'all';
  ratingMin: number | undefined;
  ratingMax: number | undefined;
  sortBy: string | undefined;
  sortOrder: string | undefined;
  page: number;
  perPage: number;
}

/**
 * Each method calls one endpoint of the backend. The HTTP client implements this interface, and so does a collection
 * without a backend.
 */
export interface Api {
  /** The sources of a collection in alphabetical order. A backend names its sources only in the response to /status. */
  readonly sources?: readonly string[];
  /** Loads the code and data for the first request, if they are not loaded yet. */
  load?(): Promise<void>;
  daily(domain: string, date: string, signal: AbortSignal): Promise<DailyResponse>;
  problem(source: string, id: string, signal: AbortSignal): Promise<Problem>;
  similarToProblem(
    source: string,
    id: string,
    options: SimilarProblemsOptions,
    signal: AbortSignal,
  ): Promise<SimilarProblemsResponse>;
  similarToText(text: string, options: SimilarProblemsOptions, signal: AbortSignal): Promise<SimilarProblemsResponse>;
  resolve(text: string, signal: AbortSignal): Promise<ResolvedProblemResponse>;
  status(signal: AbortSignal): Promise<StatusResponse>;
  list(source: string, options: ProblemListOptions, signal: AbortSignal): Promise<ProblemListResponse>;
  tags(source: string, signal: AbortSignal): Promise<TagsResponse>;
  /**
   * Returns a note on a result of a search or list: some records of the collection are invalid, or the filter names
   * unknown sources.
   */
  note?(sourceFilter?: string): string | undefined;
  /** Validates all records of a collection for --check. */
  verify?(signal: AbortSignal): AsyncIterable<CheckResult>;
  close?(): void;
}
