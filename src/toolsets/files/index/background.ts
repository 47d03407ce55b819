import { EventLoopYielder } from '../../../async/yielder.ts';
import { fileTypeOfName } from '../../../documents/file-type.ts';
import { eventLoopTimeSliceMs } from '../workers/control.ts';
import type { FileReaderPool } from '../workers/pool.ts';
import type { FileTable } from './file-table.ts';
import { needsIndexing } from './folder.ts';
import type { FolderWalk } from './folder-walk.ts';
import { FileReadQueue, type ReadQueueTask } from './work-queue.ts';

/** Background indexing starts after this delay without a call, because hosts often send several calls in a row. */
const quietMs = 20;

const task: ReadQueueTask = { allowedRoot: '', phrases: [] };

/** Indexes the searched folders between calls, at low priority: first all file names, then the texts. */
export class BackgroundIndexer {
  readonly #table: FileTable;
  readonly #readers: FileReaderPool;
  readonly #onDone: () => void;
  readonly #walks = new Set<FolderWalk>();
  #queue: FileReadQueue | undefined;
  #timer: NodeJS.Timeout | undefined;
  #calls = 0;

  /** `onDone` is called as soon as every file is indexed. */
  constructor(table: FileTable, readers: FileReaderPool, onDone: () => void) {
    [this.#table, this.#readers, this.#onDone] = [table, readers, onDone];
  }

  /** Adds the folders that a call has listed to the folders that are indexed in the background. */
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
    const queue = new FileReadQueue(this.#table, this.#readers, task, undefined);
    this.#queue = queue;
    this.#addUnindexed(queue);
    queue.start();
    await queue.until(() => queue.isDone() || this.#table.signatures.isFull);
    // Returns early if a call has stopped the queue or if no worker thread could be started. After the next call, the
    // indexing continues.
    if (this.#queue !== queue || queue.hasNoWorkers) return;
    queue.stop();
    this.#queue = undefined;
    this.#walks.clear();
    this.#onDone();
  }

  /** Lists the folders that no call has listed yet. The loop stops when the next call begins. */
  async #listNames(): Promise<void> {
    const yielder = new EventLoopYielder(eventLoopTimeSliceMs);
    for (const walk of this.#walks) {
      while (!walk.isComplete && this.#calls === 0) {
        walk.step();
        await yielder.yieldIfDue();
      }
    }
  }

  /**
   * A queue returns the file that was added last first. The folders are therefore added in reverse order, so that the
   * first folder is read first.
   */
  #addUnindexed({ files }: FileReadQueue): void {
    for (const { listed } of this.#walks) {
      for (const folder of listed.toReversed()) {
        for (let index = folder.names.length - 1; index >= 0; index--) {
          if (!needsIndexing(folder.state(index))) continue;
          if (fileTypeOfName(this.#table.types, folder.names[index] ?? '').format !== 'none') files.add(folder, index);
        }
      }
    }
  }
}
