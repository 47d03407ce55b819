import fs from 'node:fs';
import path from 'node:path';
import { type FileStat, isFileAccessError, isSameFileStat } from '../access/open-file.ts';
import type { SkippedFiles } from '../access/skip.ts';
import { foldCaseAndAccents } from '../match/fold.ts';
import type { TrigramSignatureStore } from './signature-store.ts';

/** The state of a file in the index: its text was read or indexed, or the reason why it was not. */
export const fileIndexStateNames = [
  'unknown',
  'binary',
  'tooLarge',
  'unreadable',
  'unparsed',
  /**
   * The file was read, but it has no trigram signature, for example because a search by words does not create
   * signatures.
   */
  'read',
  'gone',
  /** The file is a document that exceeded the CPU limit of the first attempt. */
  'slow',
  /** The contents of the file are only in cloud storage. */
  'online',
  /** The file has a trigram signature. */
  'indexed',
  /** The file has a trigram signature of a text in which many characters of the document are missing. */
  'partly',
] as const;
export type FileIndexState = (typeof fileIndexStateNames)[number];

const codes: ReadonlyMap<FileIndexState, number> = new Map(fileIndexStateNames.map((name, code) => [name, code]));

/** Returns whether a file in this state has a trigram signature. */
export function isIndexed(state: FileIndexState): boolean {
  return state === 'indexed' || state === 'partly';
}

/** Returns the number that represents a state in the table. */
export function codeOfFileIndexState(name: FileIndexState): number {
  return codes.get(name) ?? 0;
}

/**
 * The columns of the table of files. `signature` contains the offset and the length of the trigram signature, and is
 * valid only in the states `indexed` and `partly`.
 */
export const fileTableColumns = { mtimeMs: 0, ctimeMs: 1, size: 2, ino: 3, state: 4, type: 5, signature: 6 } as const;
export const fileTableColumnCount = 7;

/** The table rows for the files of one folder. They are plain numbers, because there may be millions of files. */
export class FolderTableRows {
  readonly path: string;
  names: readonly string[] = [];
  skipped: Partial<SkippedFiles> | undefined;
  rows = new Float64Array(0);
  /** The last listing of a folder tree that contained this folder. */
  walk: object | undefined;
  #foldedNames: string | undefined;
  #knownUpTo = 0;
  #allUpTo = 0;

  constructor(place: string) {
    this.path = place;
  }

  place(name: string): string {
    return this.path + (this.path.endsWith(path.sep) ? '' : path.sep) + name;
  }

  file(index: number): string {
    return this.place(this.names[index] ?? '');
  }

  /**
   * All file names of the folder as one string in lower case and without accents. A search for words tests all names in
   * one comparison.
   */
  get foldedNames(): string {
    return (this.#foldedNames ??= foldCaseAndAccents(this.names.join('\n')));
  }

  /** Stores the current file names of the folder. A file that still exists keeps its row. */
  list(walk: object, names: readonly string[], signatures: TrigramSignatureStore): void {
    this.walk = walk;
    [this.#knownUpTo, this.#allUpTo] = [0, 0];
    const old = this.names;
    if (old.length === names.length && old.every((name, index) => name === names[index])) return;
    const facts = new Float64Array(names.length * fileTableColumnCount);
    const places = new Map(old.map((name, index) => [name, index]));
    names.forEach((name, index) => {
      const before = places.get(name);
      if (before === undefined) return;
      places.delete(name);
      facts.set(
        this.rows.subarray(before * fileTableColumnCount, (before + 1) * fileTableColumnCount),
        index * fileTableColumnCount,
      );
    });
    for (const index of places.values()) this.#free(index, signatures);
    [this.names, this.rows, this.#foldedNames] = [names, facts, undefined];
  }

  /** Restores the file names and table rows from the cache. */
  restore(names: readonly string[], facts: Float64Array<ArrayBuffer>): void {
    [this.names, this.rows, this.#foldedNames] = [names, facts, undefined];
  }

  #get(index: number, column: number): number {
    return this.rows[index * fileTableColumnCount + column] ?? 0;
  }

  #set(index: number, column: number, value: number): void {
    this.rows[index * fileTableColumnCount + column] = value;
  }

  state(index: number): FileIndexState {
    return fileIndexStateNames[this.#get(index, fileTableColumns.state)] ?? 'unknown';
  }

  setState(index: number, value: FileIndexState, signatures: TrigramSignatureStore): void {
    this.#free(index, signatures);
    this.#set(index, fileTableColumns.state, codeOfFileIndexState(value));
  }

  /** Returns the position (offset and length) of the trigram signature of an indexed file. */
  signature(index: number): number {
    return this.#get(index, fileTableColumns.signature);
  }

  setSignature(
    index: number,
    reference: number,
    signatures: TrigramSignatureStore,
    state: 'indexed' | 'partly' = 'indexed',
  ): void {
    this.setState(index, state, signatures);
    this.moveSignature(index, reference);
  }

  /** Replaces the position of a trigram signature after the signature was copied to another store. */
  moveSignature(index: number, reference: number): void {
    this.#set(index, fileTableColumns.signature, reference);
  }

  #free(index: number, signatures: TrigramSignatureStore): void {
    if (isIndexed(this.state(index))) signatures.free(this.signature(index));
  }

  /** Returns the number of the file type, or 0 if the first bytes of the file were not read. */
  type(index: number): number {
    return this.#get(index, fileTableColumns.type);
  }

  setType(index: number, value: number): void {
    this.#set(index, fileTableColumns.type, value);
  }

  stat(index: number): FileStat {
    return {
      mtimeMs: this.mtimeMs(index),
      ctimeMs: this.#get(index, fileTableColumns.ctimeMs),
      size: this.#get(index, fileTableColumns.size),
      ino: this.#get(index, fileTableColumns.ino),
    };
  }

  mtimeMs(index: number): number {
    return this.#get(index, fileTableColumns.mtimeMs);
  }

  /**
   * Stores the stat of a file. If the stat has changed, the state and the trigram signature of the old content are
   * cleared.
   */
  setStat(index: number, stat: FileStat, signatures: TrigramSignatureStore): void {
    if (isSameFileStat(this.stat(index), stat)) {
      if (this.state(index) === 'gone') this.setState(index, 'unknown', signatures);
      return;
    }
    this.setState(index, 'unknown', signatures);
    const { mtimeMs, ctimeMs, size, ino } = stat;
    this.rows.set([mtimeMs, ctimeMs, size, ino, codeOfFileIndexState('unknown'), 0, 0], index * fileTableColumnCount);
  }

  /**
   * Reads the stat of a file once per listing of the folder if the files are tested in order, and otherwise each time.
   * If `isWanted` is false, the stat is read only if the table contains data about the file that may be outdated.
   */
  refresh(index: number, isWanted: boolean, signatures: TrigramSignatureStore): void {
    if (index < this.#allUpTo || (!isWanted && index < this.#knownUpTo)) return;
    // The stats of all files before the index `#allUpTo` were read. The index increases only if the files are read in
    // order.
    if (isWanted && index === this.#allUpTo) this.#allUpTo++;
    else if (!isWanted && index === Math.max(this.#knownUpTo, this.#allUpTo)) this.#knownUpTo = index + 1;
    const state = this.state(index);
    if (isWanted || (state !== 'unknown' && state !== 'read')) this.readStat(index, signatures);
  }

  /** Reads the stat of a file and stores it in its row. */
  readStat(index: number, signatures: TrigramSignatureStore): void {
    try {
      const stat = fs.lstatSync(this.file(index), { throwIfNoEntry: false });
      if (stat?.isFile() === true) this.setStat(index, stat, signatures);
      else this.setState(index, 'gone', signatures);
    } catch (error) {
      this.rows.fill(0, index * fileTableColumnCount, index * fileTableColumnCount + fileTableColumns.state);
      this.setState(index, isFileAccessError(error) ? 'unreadable' : 'gone', signatures);
    }
  }
}

/** Returns whether a file in this state must be read before its text is in the index. */
export function needsIndexing(value: FileIndexState): boolean {
  return value === 'unknown' || value === 'read' || value === 'unreadable' || value === 'slow';
}

/** A file and its row in the table. */
export interface TableFile {
  readonly folder: FolderTableRows;
  readonly index: number;
  readonly path: string;
  /**
   * The modification time in the table when this object was created, or 0 if the stat was not read before.
   * `storeReaderResults` updates it.
   */
  mtimeMs: number;
}

/**
 * Returns whether a file still has the same row. A concurrent call may have listed the folder again, which changes the
 * rows.
 */
export function hasSameTableRow({ folder, index, path: file }: TableFile): boolean {
  return folder.file(index) === file;
}

export function tableFileAt(folder: FolderTableRows, index: number): TableFile {
  return { folder, index, path: folder.file(index), mtimeMs: folder.mtimeMs(index) };
}
