import { fileTypeOfName } from '../../../documents/file-type.ts';
import type { FileTable } from './file-table.ts';
import { type FolderTableRows, hasSameTableRow, needsIndexing, type TableFile, tableFileAt } from './folder.ts';

/**
 * The maximum number of text files in a job. A worker returns the files that it does not read within its time slice.
 */
const textBatch = 128;
const documentBatch = 8;

interface Group {
  folder: FolderTableRows;
  /** The file names of the folder when the files were added to the queue. */
  names: readonly string[];
  indexes: number[];
}

/** A queue of files that must be read: the file that was added last is read first. An entry takes a few bytes. */
export class FileQueue {
  readonly #table: FileTable;
  readonly #groups: Group[] = [];
  #size = 0;

  constructor(table: FileTable) {
    this.#table = table;
  }

  get size(): number {
    return this.#size;
  }

  add(folder: FolderTableRows, index: number): void {
    const { names } = folder;
    const last = this.#groups.at(-1);
    if (last?.folder === folder && last.names === names) last.indexes.push(index);
    else this.#groups.push({ folder, names, indexes: [index] });
    this.#size++;
  }

  /** Puts files back at the front of the queue, in their order. */
  putBack(files: readonly TableFile[]): void {
    for (const file of files.toReversed()) {
      const now = hasSameTableRow(file) ? file : this.#table.find(file.path);
      if (now !== undefined) this.add(now.folder, now.index);
    }
  }

  /** Removes and returns at most this number of files. Deleted files are left out. */
  take(count: number): TableFile[] {
    const files: TableFile[] = [];
    while (files.length < count) {
      const group = this.#groups.at(-1);
      if (group === undefined) break;
      const index = group.indexes.pop();
      if (index === undefined) {
        this.#groups.pop();
        continue;
      }
      this.#size--;
      const { folder, names } = group;
      const file =
        folder.names === names ? tableFileAt(folder, index) : this.#table.find(folder.place(names[index] ?? ''));
      if (file !== undefined) files.push(file);
    }
    return files;
  }
}

/**
 * Sorts the files that must be read into several queues. Files that may take long come last, so that a slow file does
 * not delay others.
 */
export class PriorityQueues {
  /** This queue contains the files that are read before all others. */
  readonly first: FileQueue;
  readonly texts: FileQueue;
  /**
   * This queue contains texts and pages that another search has read but that are not indexed. They are read after the
   * texts that were never read.
   */
  readonly again: FileQueue;
  /**
   * This queue contains HTML pages and mails, because they take longer than plain texts, and malicious ones take very
   * long.
   */
  readonly pages: FileQueue;
  readonly documents: FileQueue;
  /** This queue contains documents that exceeded the CPU limit of the first attempt. They are parsed again at the end. */
  readonly slow: FileQueue;
  /** Lists the queues in the order in which they are read. */
  readonly inOrder: readonly FileQueue[];

  readonly #table: FileTable;

  constructor(table: FileTable) {
    this.#table = table;
    const create = (): FileQueue => new FileQueue(table);
    [this.first, this.texts, this.again] = [create(), create(), create()];
    [this.pages, this.documents, this.slow] = [create(), create(), create()];
    this.inOrder = [this.first, this.texts, this.again, this.pages, this.documents, this.slow];
  }

  get size(): number {
    return this.inOrder.reduce((sum, { size }) => sum + size, 0);
  }

  /** Adds a file to the queue that its state and format require. */
  add(folder: FolderTableRows, index: number): void {
    const state = folder.state(index);
    const { format } = fileTypeOfName(this.#table.types, folder.names[index] ?? '');
    if (state === 'slow') this.slow.add(folder, index);
    else if (format === 'office' || format === 'pdf') this.documents.add(folder, index);
    else if (state === 'read') this.again.add(folder, index);
    else (format === 'plain' ? this.texts : this.pages).add(folder, index);
  }

  /**
   * Takes the files of one job. A document that a worker is still parsing for an earlier call stays in the queue, and
   * only one document at a time is parsed a second time. If another call has read a file since it was queued, the file
   * is passed to `onKnown`.
   */
  take(from: FileQueue, readerCount: number, onKnown: (file: TableFile) => void): TableFile[] {
    const { documentsInProgress } = this.#table;
    const { first, slow, documents } = this;
    if (from === first) return first.take(Math.min(textBatch, Math.ceil(first.size / readerCount)));
    if (from === slow && [...documentsInProgress.values()].includes(true)) return [];
    const [taken, held]: [TableFile[], TableFile[]] = [[], []];
    const share = from === slow ? 1 : from === documents ? documentBatch : textBatch;
    for (let [file] = from.take(1); file !== undefined; [file] = from.take(1)) {
      this.#sort(file, from, taken, held, onKnown);
      if (taken.length >= share) break;
    }
    from.putBack(held);
    if (from === slow || from === documents) for (const { path } of taken) documentsInProgress.set(path, from === slow);
    return taken;
  }

  #sort(
    file: TableFile,
    from: FileQueue,
    taken: TableFile[],
    held: TableFile[],
    onKnown: (file: TableFile) => void,
  ): void {
    const state = file.folder.state(file.index);
    if (this.#table.documentsInProgress.has(file.path)) held.push(file);
    else if (state === 'slow' && from !== this.slow) this.slow.putBack([file]);
    else if (needsIndexing(state)) taken.push(file);
    else onKnown(file);
  }
}
