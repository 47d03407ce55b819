import { newestFirst } from '../../model/row.ts';
import type { File } from './folder.ts';

/** A hit of an answer that was not complete. */
export interface KnownHit {
  path: string;
  mtimeMs: number;
}

const maxAnswers = 16;
const maxHits = 50_000;

/** The answers that were given before everything was read: the next call begins with what they knew, and their pages stay as they were cut. */
export class Unfinished {
  readonly #answers = new Map<string, readonly KnownHit[]>();

  find(question: string): readonly KnownHit[] | undefined {
    return this.#answers.get(question);
  }

  keep(question: string, files: readonly File[]): void {
    const hits = files.map(({ path, mtimeMs }) => ({ path, mtimeMs })).sort(newestFirst);
    this.forget(question);
    this.#answers.set(question, hits.slice(0, maxHits));
    for (const oldest of this.#answers.keys()) if (this.#answers.size > maxAnswers) this.forget(oldest);
  }

  forget(question: string): void {
    this.#answers.delete(question);
  }
}
