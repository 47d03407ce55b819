import { type Profiler, Session } from 'node:inspector';

/** Measures the precise block coverage of one script in this thread with the inspector of V8. */
export class Coverage {
  readonly #session = new Session();
  readonly #file: string;
  readonly #seen = new Set<string>();

  /** `file` is the end of the script's URL. */
  constructor(file: string) {
    this.#file = file;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Returns the number of blocks that ran so far. */
  get size(): number {
    return this.#seen.size;
  }

  /** Returns the blocks that ran since the last call and that are not in the set of known blocks. */
  takeNew(): string[] {
    const ranges = this.#take().flatMap(({ functions }) => functions.flatMap(({ ranges: blocks }) => blocks));
    return ranges
      .filter(({ count }) => count > 0)
      .map(({ startOffset, endOffset }) => `${startOffset}-${endOffset}`)
      .filter(block => !this.#seen.has(block));
  }

  remember(blocks: readonly string[]): void {
    for (const block of blocks) this.#seen.add(block);
  }

  /** The callback runs before `post` returns, because the session belongs to this thread. */
  #take(): Profiler.ScriptCoverage[] {
    let scripts: Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error;
      scripts = result.filter(({ url }) => url.endsWith(this.#file));
    });
    return scripts;
  }
}
