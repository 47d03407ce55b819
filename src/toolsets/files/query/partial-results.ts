import type { SkippedFiles } from '../access/skip.ts';
import { maxIndexedFiles } from '../index/file-table.ts';
import type { FolderWalk } from '../index/folder-walk.ts';
import type { PriorityQueues } from '../index/priority-queues.ts';
import { compareNewestFirst } from '../match/newest-queue.ts';
import type { MatchReason } from './results.ts';

/** A file that a search has found. */
export interface FoundHit {
  path: string;
  mtimeMs: number;
  /** The change time (ctime) of the file when its content was read. It is missing for a hit by name. */
  ctimeMs?: number | undefined;
  /** The reason why the file is a result although it does not contain the phrase. */
  matched?: MatchReason;
}

export interface FolderWalkPosition {
  folders: number;
  files: number;
}

/** The checkpoint of an incomplete search, from which the next call continues. */
export interface SearchCheckpoint {
  walk: FolderWalk;
  /** The position in the folder tree: the number of tested folders, and of tested files in the next folder. */
  at: FolderWalkPosition;
  /** The files that are not read yet. The value is undefined if the query tests only names and dates. */
  left: PriorityQueues | undefined;
  /**
   * The numbers of files that the search has skipped so far. They are stored, because these files are not tested again.
   */
  skipped: SkippedFiles;
  engine: 'scan' | 'index';
}

/** The incomplete result of one query. The key consists of the searched folder and the query as JSON. */
interface PartialResult {
  hits: readonly FoundHit[];
  checkpoint: SearchCheckpoint | undefined;
  keptAt: number;
}

const maxResults = 16;
const maxHits = 50_000;
/**
 * A call within this time reads further files of the list of the previous call, even if a new search would list the
 * folder tree anew, so that several calls can read all files of a large folder tree.
 */
const continuedWithinMs = 30_000;

/**
 * Caches incomplete results. The next call with the same query starts from their hits, and later result pages use the
 * same array.
 */
export class PartialResultCache {
  readonly #results = new Map<string, PartialResult>();

  find(key: string): PartialResult | undefined {
    return this.#results.get(key);
  }

  /** Removes and returns the stored checkpoint of a query, because only one call can continue it. */
  takeCheckpoint(key: string, walkNow: () => FolderWalk): SearchCheckpoint | undefined {
    const result = this.#results.get(key);
    if (result?.checkpoint === undefined) return undefined;
    const { checkpoint, keptAt } = result;
    result.checkpoint = undefined;
    return performance.now() < keptAt + continuedWithinMs || checkpoint.walk === walkNow() ? checkpoint : undefined;
  }

  keep(key: string, found: readonly FoundHit[], checkpoint: SearchCheckpoint): void {
    const hits = found.map(({ path, mtimeMs, ctimeMs }) => ({ path, mtimeMs, ctimeMs })).sort(compareNewestFirst);
    this.forget(key);
    // The checkpoint is not stored if the folder tree has more files than the index can contain. The next call then
    // starts from the beginning.
    const kept = checkpoint.walk.fileCount <= maxIndexedFiles ? checkpoint : undefined;
    this.#results.set(key, { hits: hits.slice(0, maxHits), checkpoint: kept, keptAt: performance.now() });
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= maxResults) break;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    this.#results.delete(key);
  }
}
