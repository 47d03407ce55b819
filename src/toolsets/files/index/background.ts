import { typeByName } from '../../../documents/file-type.ts';
import { type JobSource, lastCpuMs, type PoolJob, type ReaderPool } from '../workers/pool.ts';
import type { ReaderAnswer } from '../workers/protocol.ts';
import type { Walk } from './crawl.ts';
import { type File, fileAt, needsIndexing } from './folder.ts';
import { learnAll, markUnparsed, type Tree } from './tree.ts';

const batch = 64;
/** A host often asks several things in a row. */
const quietMs = 250;

/** Reads what has no signature yet while nobody is waiting. */
export class Background implements JobSource {
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

  /** `onDone` is externalHits when nothing is left to be read. */
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

  callEnds(): void {
    if (--this.#calls === 0 && this.#walks.size > 0) this.#timer = setTimeout(() => this.#readers.join(this), quietMs);
  }

  /** The files of that scope are searched for what is in them. */
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
    const job: PoolJob = { kind: 'sign', allowedRoot: '', paths, phrases: [], isSigning: true, cpuMs: lastCpuMs };
    this.#work.set(job, { files, asked: Date.now() });
    return job;
  }

  *#unsigned(): Generator<File> {
    for (const { visited } of this.#walks) {
      for (const folder of visited) {
        for (let index = 0; index < folder.names.length; index++) {
          if (!needsIndexing(folder.content(index)) || this.#tree.signatures.isFull) continue;
          if (typeByName(this.#tree.types, folder.names[index] ?? '').reading !== 'none') yield fileAt(folder, index);
        }
      }
    }
  }

  onAnswer(job: PoolJob, answer: ReaderAnswer): void {
    const work = this.#work.get(job);
    if (work === undefined) return;
    this.#work.delete(job);
    learnAll(this.#tree, work.files, answer, work.asked, () => {});
    this.#again.push(...work.files.slice(answer.done));
  }

  onWorkerLost(job: PoolJob, index: number): void {
    const { files = [] } = this.#work.get(job) ?? {};
    this.#work.delete(job);
    const culprit = files[index];
    if (culprit !== undefined) markUnparsed(this.#tree, culprit);
    this.#again.push(...files.filter(file => file !== culprit));
  }

  /** The next call joins again. */
  onNoWorkers(): void {}

  #end(): void {
    this.#walks.clear();
    this.#todo = undefined;
    this.#readers.leave(this);
    this.#onDone();
  }
}
