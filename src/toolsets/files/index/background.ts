import { EventLoopYielder } from '../../../async/yielder.ts';
import { typeByName } from '../../../documents/file-type.ts';
import { type JobSource, lastAttemptCpuMs, type PoolJob, type ReaderPool } from '../workers/pool.ts';
import type { ReaderAnswer } from '../workers/protocol.ts';
import type { Walk } from './crawl.ts';
import { type File, fileAt, needsIndexing } from './folder.ts';
import { markUnparsed, recordAnswers, type Tree } from './tree.ts';

const batch = 64;
/** Background work starts after this delay, because hosts often send several calls in a row. */
const quietMs = 20;
/** Folders are listed in time slices of this length, so that a call does not wait for them. */
const sliceMs = 3;

/** Completes the index of the searched folders: names first, then texts, at low priority and only between calls. */
export class BackgroundIndexer implements JobSource {
  spentMs = 0;
  readonly isBackground = true;
  readonly isOver = false;
  readonly #tree: Tree;
  readonly #readers: ReaderPool;
  readonly #onDone: () => void;
  readonly #walks = new Set<Walk>();
  readonly #work = new Map<PoolJob, { files: readonly File[]; asked: number }>();
  #again: File[] = [];
  #todo: Iterator<File> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #calls = 0;

  /** `onDone` is called when every file is indexed. */
  constructor(tree: Tree, readers: ReaderPool, onDone: () => void) {
    this.#tree = tree;
    this.#readers = readers;
    this.#onDone = onDone;
  }

  callBegins(): void {
    this.#calls++;
    clearTimeout(this.#timer);
    this.#readers.leave(this);
  }

  /** Lists the remaining folders, then passes the files to the readers. It ends when the next call begins. */
  async #run(): Promise<void> {
    const yielder = new EventLoopYielder(sliceMs);
    for (const walk of this.#walks) {
      while (!walk.isComplete && this.#calls === 0) {
        walk.step();
        await yielder.yieldIfDue();
      }
    }
    if (this.#calls === 0) this.#readers.join(this);
  }

  callEnds(): void {
    if (--this.#calls === 0 && this.#walks.size > 0) this.#timer = setTimeout(() => void this.#run(), quietMs);
  }

  /** Adds the folders of a walk to the background work. */
  add(walk: Walk): void {
    this.#walks.add(walk);
    this.#todo = undefined;
  }

  next(): PoolJob | undefined {
    const files: File[] = this.#again.splice(0, batch);
    this.#todo ??= this.#unsigned();
    while (files.length < batch) {
      const { done, value } = this.#todo.next();
      if (done === true) break;
      files.push(value);
    }
    if (files.length === 0) {
      if (this.#work.size === 0) this.#end();
      return undefined;
    }
    const paths = files.map(({ path }) => path);
    const job: PoolJob = {
      kind: 'sign',
      allowedRoot: '',
      paths,
      phrases: [],
      isSigning: true,
      cpuMs: lastAttemptCpuMs,
    };
    this.#work.set(job, { files, asked: Date.now() });
    return job;
  }

  *#unsigned(): Generator<File> {
    for (const { visited } of this.#walks) {
      for (const folder of visited) {
        for (let index = 0; index < folder.names.length; index++) {
          if (!needsIndexing(folder.state(index)) || this.#tree.signatures.isFull) continue;
          if (typeByName(this.#tree.types, folder.names[index] ?? '').format !== 'none') yield fileAt(folder, index);
        }
      }
    }
  }

  onAnswer(job: PoolJob, answer: ReaderAnswer): void {
    const work = this.#work.get(job);
    if (work === undefined) return;
    this.#work.delete(job);
    recordAnswers(this.#tree, work.files, answer, work.asked, () => {});
    this.#again.push(...work.files.slice(answer.done));
  }

  onWorkerLost(job: PoolJob, index: number): void {
    const { files = [] } = this.#work.get(job) ?? {};
    this.#work.delete(job);
    const culprit = files[index];
    if (culprit !== undefined) markUnparsed(this.#tree, culprit);
    this.#again.push(...files.filter(file => file !== culprit));
  }

  /** Nothing is done here, because the work continues after the next call. */
  onNoWorkers(): void {}

  #end(): void {
    this.#walks.clear();
    this.#todo = undefined;
    this.#readers.leave(this);
    this.#onDone();
  }
}
