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

export interface WalkPosition {
  folders: number;
  files: number;
}

/** The position of a search in a walk. */
export interface Progress {
  walk: Walk;
  /** The number of considered folders, and of files of the next one. */
  at: WalkPosition;
  /** The files that are still to be read; undefined if names and dates decide. */
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
/** The time in which the next call continues the walk of this one, so that a long walk completes. */
const goOnMs = 30_000;

/** Incomplete answers: the next call continues from their hits, and their later pages are cut from the same list. */
export class PartialResults {
  readonly #answers = new Map<string, Answer>();

  find(question: string): Answer | undefined {
    return this.#answers.get(question);
  }

  /** Returns the progress of the former call, for one continuation. */
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
    // A walk above the limit is started again.
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
