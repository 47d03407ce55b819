import path from 'node:path';
import { type FileType, type FileTypeTable, unknownFileType } from '../../../documents/file-type.ts';
import type { CompressedText } from '../workers/compressed-text.ts';
import { FolderTableRows, isIndexed, type TableFile, tableFileAt } from './folder.ts';
import { FolderWalk, type WalkedFolderStore } from './folder-walk.ts';
import { TrigramSignatureStore } from './signature-store.ts';
import { ExtractedTextStore } from './text-store.ts';
import { IndexVocabulary } from './vocabulary.ts';

/** A complete list of a folder tree is reused for at least this time after the listing started. */
const minWindowMs = 2000;
/** If listing a folder tree took several seconds, the list is reused for this multiple of its duration. */
const windowPerWalk = 3;
/** An interrupted listing of a folder tree starts again if no call continues it within this time. */
const resumeMs = 10 * 60 * 1000;
const maxWalks = 16;
/**
 * Limits the number of folders in memory that belong to no current list of a folder tree. They were loaded from the
 * cache or belong to an evicted list.
 */
const maxStrayFolders = 50_000;
/**
 * The index has rows for at most this number of files, and further files are searched without it. An indexed file takes
 * about 100 bytes of memory, and its trigram signature.
 */
export const maxIndexedFiles = 2_000_000;

/**
 * The index in memory. It contains the folders that searches have listed, with one table row for each of their files.
 */
export class FileTable implements WalkedFolderStore {
  readonly types: FileTypeTable;
  /** The file types. A row of the table stores the index of its type in this array. */
  readonly typeNumbers: readonly FileType[];
  readonly texts = new ExtractedTextStore();
  readonly vocabulary = new IndexVocabulary();
  /**
   * The documents that worker threads are parsing, also for calls that have already ended, without those of the queue
   * `first`. Maps the path to true at the second attempt, which has a higher CPU limit.
   */
  readonly documentsInProgress = new Map<string, boolean>();
  signatures = new TrigramSignatureStore();
  readonly #maxFiles: number;
  readonly #walks = new Map<string, FolderWalk>();
  #folders = new Map<string, FolderTableRows>();

  constructor(types: FileTypeTable, maxFiles = maxIndexedFiles) {
    this.types = types;
    this.typeNumbers = [unknownFileType, ...types.values()];
    this.#maxFiles = maxFiles;
  }

  get walks(): Iterable<FolderWalk> {
    return this.#walks.values();
  }

  get folders(): Iterable<FolderTableRows> {
    return this.#folders.values();
  }

  /** Returns a recent complete list of the folder tree, an interrupted list that can be continued, or a new one. */
  walk(scope: string): FolderWalk {
    const now = performance.now();
    const known = this.#walks.get(scope);
    if (known !== undefined && now < usableUntil(known)) return known;
    const walk = new FolderWalk(scope, this);
    this.#walks.delete(scope);
    this.#walks.set(scope, walk);
    return walk;
  }

  /**
   * Evicts the oldest lists of folder trees after a call. Returns true if the list of this call alone exceeds the
   * limit.
   */
  tidy(walk: FolderWalk): boolean {
    let count = 0;
    for (const { fileCount } of this.#walks.values()) count += fileCount;
    const before = this.#walks.size;
    for (const [scope, other] of this.#walks) {
      if (other === walk || (this.#walks.size <= maxWalks && count <= this.#maxFiles)) continue;
      this.#walks.delete(scope);
      count -= other.fileCount;
    }
    const isBeyond = walk.fileCount > this.#maxFiles;
    if (isBeyond) this.#walks.delete(walk.scope);
    if (this.#walks.size < before || isBeyond || this.#folders.size > maxStrayFolders + this.#countListedFolders())
      this.#forgetUnlisted(isBeyond ? walk : undefined);
    if (this.signatures.isWasteful) this.#compact();
    return isBeyond;
  }

  enter(place: string): FolderTableRows {
    const known = this.#folders.get(place);
    if (known !== undefined) return known;
    const folder = new FolderTableRows(place);
    this.#folders.set(place, folder);
    return folder;
  }

  /** Returns the table row of a file, or undefined if the file is not in the index. */
  find(file: string): TableFile | undefined {
    const folder = this.#folders.get(path.dirname(file));
    const index = folder?.names.indexOf(path.basename(file)) ?? -1;
    return folder === undefined || index === -1 ? undefined : tableFileAt(folder, index);
  }

  /**
   * Returns the table rows of the files at these paths. A file that is not in the index gets a temporary folder with
   * one row.
   */
  filesAt(paths: readonly string[]): TableFile[] {
    return paths.map(file => {
      const known = this.find(file);
      if (known !== undefined) return known;
      const folder = new FolderTableRows(path.dirname(file));
      folder.list(folder, [path.basename(file)], this.signatures);
      folder.readStat(0, this.signatures);
      return tableFileAt(folder, 0);
    });
  }

  /** Returns the cached text of a document. */
  textOf(file: string): CompressedText | undefined {
    const known = this.find(file);
    return known && this.texts.find(file, known.folder.stat(known.index));
  }

  list(folder: FolderTableRows, walk: FolderWalk, names: readonly string[]): void {
    folder.list(walk, names, this.signatures);
  }

  #countListedFolders(): number {
    let count = 0;
    for (const { listed } of this.#walks.values()) count += listed.length;
    return count;
  }

  /**
   * Evicts the folders that belong to no current list of a folder tree. If a single list exceeds the limit, its first
   * folders stay in memory.
   */
  #forgetUnlisted(beyond: FolderWalk | undefined): void {
    const kept = new Map<string, FolderTableRows>();
    for (const { listed } of this.#walks.values()) for (const folder of listed) kept.set(folder.path, folder);
    let count = 0;
    for (const folder of beyond?.listed ?? []) {
      if ((count += folder.names.length) > this.#maxFiles) break;
      kept.set(folder.path, folder);
    }
    this.#folders = kept;
    this.#compact();
  }

  #compact(): void {
    const old = this.signatures;
    this.signatures = new TrigramSignatureStore();
    for (const folder of this.#folders.values()) {
      for (let index = 0; index < folder.names.length; index++) {
        if (!isIndexed(folder.state(index))) continue;
        folder.moveSignature(index, this.signatures.add(old.get(folder.signature(index))));
      }
    }
  }
}

function usableUntil({ startedAt, steppedAt, finishedAt, spentMs }: FolderWalk): number {
  return finishedAt === undefined ? steppedAt + resumeMs : startedAt + Math.max(minWindowMs, windowPerWalk * spentMs);
}
