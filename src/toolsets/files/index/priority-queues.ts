import { typeByName } from '../../../documents/file-type.ts';
import type { FileTable } from './file-table.ts';
import { type File, type FolderRows, fileAt, hasSameRow, needsIndexing } from './folder.ts';

/** The number of files in a job. A worker returns the files that exceed its time slice. */
const textBatch = 128;
const documentBatch = 8;

interface Group {
  folder: FolderRows;
  /** The file names of the folder when the files were added. */
  names: readonly string[];
  indexes: number[];
}

/** A queue of files to read, which takes a few bytes for each file. The last file is taken first. */
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

  add(folder: FolderRows, index: number): void {
    const { names } = folder;
    const last = this.#groups.at(-1);
    if (last?.folder === folder && last.names === names) last.indexes.push(index);
    else this.#groups.push({ folder, names, indexes: [index] });
    this.#size++;
  }

  /** Returns files to the front of the queue, in their order. */
  putBack(files: readonly File[]): void {
    for (const file of files.toReversed()) {
      const now = hasSameRow(file) ? file : this.#table.find(file.path);
      if (now !== undefined) this.add(now.folder, now.index);
    }
  }

  /** Removes and returns up to this number of files that still exist. */
  take(count: number): File[] {
    const files: File[] = [];
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
      const file = folder.names === names ? fileAt(folder, index) : this.#table.find(folder.place(names[index] ?? ''));
      if (file !== undefined) files.push(file);
    }
    return files;
  }
}

/**
 * The queues of the files that must be read. Files that may take long come last, so that one slow file does not delay
 * others.
 */
export class PriorityQueues {
  /** The queue of the files that are read before all others. */
  readonly first: FileQueue;
  readonly texts: FileQueue;
  /** Files that another search has read but not indexed. They follow the files that were never read. */
  readonly again: FileQueue;
  /** Pages and mails take longer than texts, and hostile ones take very long. */
  readonly pages: FileQueue;
  readonly documents: FileQueue;
  /** Documents that took long. They are tried again after all others. */
  readonly slow: FileQueue;
  /** All queues in the order in which they are read. */
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

  /** Adds a file to the queue for its state and format. */
  add(folder: FolderRows, index: number): void {
    const known = folder.state(index);
    const { format } = typeByName(this.#table.types, folder.names[index] ?? '');
    if (known === 'slow') this.slow.add(folder, index);
    else if (format === 'office' || format === 'pdf') this.documents.add(folder, index);
    else if (known === 'read') this.again.add(folder, index);
    else (format === 'plain' ? this.texts : this.pages).add(folder, index);
  }

  /**
   * Takes the files of one job. Documents that a reader still parses for an earlier call stay in the queue, and only
   * one slow document is read at a time. Files whose state became known in the meantime are passed to `onKnown`.
   */
  take(from: FileQueue, readerCount: number, onKnown: (file: File) => void): File[] {
    const { inWork } = this.#table;
    const { first, slow, documents } = this;
    if (from === first) return first.take(Math.min(textBatch, Math.ceil(first.size / readerCount)));
    if (from === slow && [...inWork.values()].includes(true)) return [];
    const [taken, held]: [File[], File[]] = [[], []];
    const share = from === slow ? 1 : from === documents ? documentBatch : textBatch;
    for (let [file] = from.take(1); file !== undefined; [file] = from.take(1)) {
      this.#sort(file, from, taken, held, onKnown);
      if (taken.length >= share) break;
    }
    from.putBack(held);
    if (from === slow || from === documents) for (const { path } of taken) inWork.set(path, from === slow);
    return taken;
  }

  #sort(file: File, from: FileQueue, taken: File[], held: File[], onKnown: (file: File) => void): void {
    const known = file.folder.state(file.index);
    if (this.#table.inWork.has(file.path)) held.push(file);
    else if (known === 'slow' && from !== this.slow) this.slow.putBack([file]);
    else if (needsIndexing(known)) taken.push(file);
    else onKnown(file);
  }
}
