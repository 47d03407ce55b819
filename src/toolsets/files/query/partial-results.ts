import type { Skipped } from '../access/skip.ts';
import type { Walk } from '../index/crawl.ts';
import { maxFilesKept } from '../index/tree.ts';
import { newestFirst } from '../match/newest-queue.ts';
import type { PriorityQueues } from './priority-queues.ts';
import type { Matched } from './results.ts';

/** A hit of an answer that was not complete. */
export interface KnownHit {
  path: string;
  mtimeMs: number;
  /** The change time of the file when it was read; missing for a hit that was not read. */
  ctimeMs?: number | undefined;
  /** Why it is a hit without containing the phrase. */
  matched?: Matched;
}

export interface Place {
  folders: number;
  files: number;
}

/** How far a search has come through a walk. */
export interface Progress {
  walk: Walk;
  /** How many of its folders were considered, and how many files of the next one. */
  at: Place;
  /** Files of those that are still to be read; none where only names and dates are looked at. */
  left: PriorityQueues | undefined;
  /** The counts of skipped files so far: they are not considered again. */
  skipped: Skipped;
  engine: 'scan' | 'index';
}

interface Answer {
  hits: readonly KnownHit[];
  progress: Progress | undefined;
  keptAt: number;
}

const maxAnswers = 16;
const maxHits = 50_000;
/** So long after a call the next one goes on with the walk of that one, however old: it would never come to its end otherwise. */
const goOnMs = 30_000;

/** Incomplete answers: the next call continues from their hits, and their later pages are cut from the same list. */
export class PartialResults {
  readonly #answers = new Map<string, Answer>();

  find(question: string): Answer | undefined {
    return this.#answers.get(question);
  }

  /** How far the call before came, for one call alone to go on from. A walk that others go on with will do, however late. */
  takeProgress(question: string, walkNow: () => Walk): Progress | undefined {
    const answer = this.#answers.get(question);
    if (answer?.progress === undefined) return undefined;
    const { progress, keptAt } = answer;
    answer.progress = undefined;
    return performance.now() < keptAt + goOnMs || progress.walk === walkNow() ? progress : undefined;
  }

  keep(question: string, found: readonly KnownHit[], progress: Progress): void {
    const hits = found.map(({ path, mtimeMs, ctimeMs }) => ({ path, mtimeMs, ctimeMs })).sort(newestFirst);
    this.forget(question);
    // A walk that is not kept is begun anew.
    const kept = progress.walk.fileCount <= maxFilesKept ? progress : undefined;
    this.#answers.set(question, { hits: hits.slice(0, maxHits), progress: kept, keptAt: performance.now() });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= maxAnswers) break;
      this.forget(oldest);
    }
  }

  forget(question: string): void {
    this.#answers.delete(question);
  }
}
