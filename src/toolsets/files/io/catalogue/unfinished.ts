import { newestFirst } from '../../model/results.ts';
import type { Skipped } from '../../model/skip.ts';
import type { File } from './folder.ts';
import type { Walk } from './walk.ts';

/** A hit of an answer that was not complete. */
export interface KnownHit {
  path: string;
  mtimeMs: number;
  /** When the file was changed last before it was read; missing where nobody has read it for the hit. */
  ctimeMs?: number | undefined;
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
  /** Files of those that are still to be read. */
  left: readonly File[];
  /** What was left out of those that are not: nobody looks at them again. */
  skipped: Skipped;
  engine: 'scan' | 'index';
}

interface Answer {
  hits: readonly KnownHit[];
  progress: Progress | undefined;
}

const maxAnswers = 16;
const maxHits = 50_000;
/** Of more the search begins anew: signatures tell by then what need not be read. */
const maxLeft = 100_000;

/** The answers that were given before everything was read: the next call begins with what they knew, and their pages stay as they were cut. */
export class Unfinished {
  readonly #answers = new Map<string, Answer>();

  find(question: string): Answer | undefined {
    return this.#answers.get(question);
  }

  keep(question: string, found: readonly KnownHit[], progress: Progress): void {
    const hits = found.map(({ path, mtimeMs, ctimeMs }) => ({ path, mtimeMs, ctimeMs })).sort(newestFirst);
    this.forget(question);
    const isShort = progress.left.length <= maxLeft;
    this.#answers.set(question, { hits: hits.slice(0, maxHits), progress: isShort ? progress : undefined });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= maxAnswers) break;
      this.forget(oldest);
    }
  }

  forget(question: string): void {
    this.#answers.delete(question);
  }
}
