import { EventLoopYielder } from '../../../async/yielder.ts';
import { typeByName } from '../../../documents/file-type.ts';
import { timeSliceMs } from '../workers/control.ts';
import type { ReaderPool } from '../workers/pool.ts';
import type { FolderWalk } from './crawl.ts';
import type { FileTable } from './file-table.ts';
import { needsIndexing } from './folder.ts';
import { type QueueTask, WorkQueue } from './work-queue.ts';

/** Background work starts after this delay, because hosts often send several calls in a row. */
const quietMs = 20;

const task: QueueTask = { kind: 'sign', allowedRoot: '', phrases: [] };

/** Completes the index of the searched folders: names first, then texts, at low priority and only between calls. */
export class BackgroundIndexer {
  readonly #table: FileTable;
  readonly #readers: ReaderPool;
  readonly #onDone: () => void;
  readonly #walks = new Set<FolderWalk>();
  #queue: WorkQueue | undefined;
  #timer: NodeJS.Timeout | undefined;
  #calls = 0;

  /** `onDone` is called when every file is indexed. */
  constructor(table: FileTable, readers: ReaderPool, onDone: () => void) {
    [this.#table, this.#readers, this.#onDone] = [table, readers, onDone];
  }

  /** Adds the folders of a walk to the background work. */
  add(walk: FolderWalk): void {
    this.#walks.add(walk);
  }

  callBegins(): void {
    this.#calls++;
    clearTimeout(this.#timer);
    this.#queue?.stop();
    this.#queue = undefined;
  }

  callEnds(): void {
    if (--this.#calls === 0 && this.#walks.size > 0) this.#timer = setTimeout(() => void this.#run(), quietMs);
  }

  async #run(): Promise<void> {
    await this.#listNames();
    if (this.#calls > 0) return;
    const queue = new WorkQueue(this.#table, this.#readers, task, undefined);
    this.#queue = queue;
    this.#addUnindexed(queue);
    queue.start();
    await queue.until(() => queue.isRead() || this.#table.signatures.isFull);
    // If the queue was stopped or no reader could be started, the next call continues the work.
    if (this.#queue !== queue || queue.hasNoWorkers) return;
    queue.stop();
    this.#queue = undefined;
    this.#walks.clear();
    this.#onDone();
  }

  /** Lists the remaining folders. It stops when the next call begins. */
  async #listNames(): Promise<void> {
    const yielder = new EventLoopYielder(timeSliceMs);
    for (const walk of this.#walks) {
      while (!walk.isComplete && this.#calls === 0) {
        walk.step();
        await yielder.yieldIfDue();
      }
    }
  }

  /** The last file of a queue is read first, so that the folders that were listed first are added last. */
  #addUnindexed({ files }: WorkQueue): void {
    for (const { visited } of this.#walks) {
      for (const folder of visited.toReversed()) {
        for (let index = folder.names.length - 1; index >= 0; index--) {
          if (!needsIndexing(folder.state(index))) continue;
          if (typeByName(this.#table.types, folder.names[index] ?? '').format !== 'none') files.add(folder, index);
        }
      }
    }
  }
}
