import { type File, isInPlace } from '../index/folder.ts';
import { markUnparsed, recordAnswers, type Tree } from '../index/tree.ts';
import type { Term, WordMatch } from '../match/word-match.ts';
import { Condition, type Control } from '../workers/control.ts';
import { type JobSource, lastAttemptCpuMs, type PoolJob, type ReaderPool } from '../workers/pool.ts';
import type { ReaderAnswer } from '../workers/protocol.ts';

const batch = 24;

interface Work {
  files: readonly File[];
  /** The time of the job by the wall clock, in milliseconds. */
  sentAt: number;
}

/** Reads files to find the words of a query. */
export class WordReader implements JobSource {
  spentMs = 0;
  readonly isBackground = false;
  hasNoWorkers = false;
  readonly #tree: Tree;
  readonly #readers: ReaderPool;
  readonly #scope: string;
  readonly #terms: readonly Term[];
  readonly #control: Control;
  readonly #onMatch: (file: File, match: WordMatch) => void;
  #waiting: File[] = [];
  readonly #work = new Map<PoolJob, Work>();
  readonly #progress = new Condition();

  constructor(
    tree: Tree,
    readers: ReaderPool,
    scope: string,
    terms: readonly Term[],
    control: Control,
    onMatch: (file: File, match: WordMatch) => void,
  ) {
    [this.#tree, this.#readers, this.#scope] = [tree, readers, scope];
    [this.#terms, this.#control, this.#onMatch] = [terms, control, onMatch];
  }

  get isOver(): boolean {
    return this.#control.isOver;
  }

  /** Reads the files in this order until all are read or the call ends. Returns false if some were not read. */
  async read(files: readonly File[]): Promise<boolean> {
    this.#waiting = files.toReversed();
    this.#readers.join(this);
    const isDone = (): boolean => this.hasNoWorkers || (this.#waiting.length === 0 && this.#work.size === 0);
    await Promise.race([this.#progress.until(isDone), this.#control.over]);
    this.#readers.leave(this);
    return this.#waiting.length === 0 && this.#work.size === 0;
  }

  next(): PoolJob | undefined {
    const files = this.#waiting.splice(-batch).reverse();
    if (files.length === 0) return undefined;
    const job: PoolJob = {
      kind: 'words',
      allowedRoot: this.#scope,
      paths: files.map(({ path }) => path),
      phrases: [],
      terms: this.#terms,
      texts: files.map(file => this.#textOf(file)),
      isSigning: false,
      cpuMs: lastAttemptCpuMs,
    };
    this.#work.set(job, { files, sentAt: Date.now() });
    return job;
  }

  #textOf(file: File): ReturnType<Tree['textOf']> {
    return isInPlace(file) ? this.#tree.texts.find(file.path, file.folder.stat(file.index)) : undefined;
  }

  onAnswer(job: PoolJob, answer: ReaderAnswer): void {
    const { files, sentAt } = this.#work.get(job) ?? { files: [], sentAt: 0 };
    recordAnswers(this.#tree, files, answer, sentAt, (file, status, index) => {
      const qualities = answer.qualities[index] ?? 0;
      if (status === 'match') this.#onMatch(file, { qualities, closeness: answer.closeness[index] ?? 0 });
    });
    this.#settle(job, files.slice(answer.done));
  }

  onWorkerLost(job: PoolJob, index: number): void {
    const { files } = this.#work.get(job) ?? { files: [] };
    const culprit = files[index];
    if (culprit !== undefined) markUnparsed(this.#tree, culprit);
    this.#settle(
      job,
      files.filter(file => file !== culprit),
    );
  }

  #settle(job: PoolJob, unread: readonly File[]): void {
    this.#work.delete(job);
    this.#waiting.push(...unread.toReversed());
    this.#progress.look();
  }

  onNoWorkers(): void {
    this.hasNoWorkers = true;
    this.#progress.look();
  }
}
