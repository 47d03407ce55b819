import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { tryOrUndefined } from '../../../errors/system-error.ts';
import { isFileAccessError } from '../access/open-file.ts';
import { countSkipped, type SkippedFileCounts, type SkippedFiles, skipReasonOfName } from '../access/skip.ts';
import { readPseudoFileSystems } from '../access/system-folders.ts';
import type { FolderTableRows } from './folder.ts';

/** Stores the folders and file names that the walk of a folder tree finds. */
export interface WalkedFolderStore {
  /** Returns the stored folder for a path, or creates one. */
  enter(place: string): FolderTableRows;
  list(folder: FolderTableRows, walk: FolderWalk, names: readonly string[]): void;
}

/**
 * Lists a folder and all folders below it, breadth first and one folder at a time. If a call exceeds its time limit,
 * the next call continues the listing. Symbolic links are skipped, so that there are no cycles and all entries are
 * inside the folder.
 */
export class FolderWalk {
  readonly scope: string;
  readonly startedAt = performance.now();
  steppedAt = this.startedAt;
  /** The folders that were already listed, in the order of listing. */
  readonly listed: FolderTableRows[] = [];
  fileCount = 0;
  /** The total time that `step` took, in milliseconds. */
  spentMs = 0;
  finishedAt: number | undefined;
  readonly #host: WalkedFolderStore;
  readonly #systemFolders = readPseudoFileSystems();
  #ahead: FolderTableRows[];
  #next = 0;

  constructor(scope: string, host: WalkedFolderStore) {
    this.scope = scope;
    this.#host = host;
    this.#ahead = [host.enter(scope)];
  }

  get isComplete(): boolean {
    return this.finishedAt !== undefined;
  }

  /** The number of folders that are known but not listed yet. */
  get unvisited(): number {
    return this.#ahead.length - this.#next;
  }

  /** Lists the next folder. */
  step(): void {
    const folder = this.#ahead[this.#next++];
    if (folder === undefined) return;
    const started = performance.now();
    const { names, folders, skipped } = this.#readEntries(folder);
    folder.skipped = Object.keys(skipped).length === 0 ? undefined : skipped;
    this.#host.list(folder, this, names);
    this.listed.push(folder);
    this.#ahead.push(...folders);
    this.fileCount += names.length;
    if (this.#next > 1000 && this.#next > this.#ahead.length / 2) {
      this.#ahead = this.#ahead.slice(this.#next);
      this.#next = 0;
    }
    this.steppedAt = performance.now();
    this.spentMs += this.steppedAt - started;
    if (this.unvisited === 0) this.finishedAt = this.steppedAt;
  }

  #readEntries(folder: FolderTableRows): {
    names: string[];
    folders: FolderTableRows[];
    skipped: Partial<SkippedFiles>;
  } {
    const names: string[] = [];
    const folders: FolderTableRows[] = [];
    const skipped: Partial<SkippedFiles> = {};
    const isSystem = folder.path === this.scope && this.#systemFolders.contains(folder.path);
    if (isSystem) countSkipped(skipped, 'generated');
    const entries = isSystem ? [] : readFolder(folder.path);
    if (entries === undefined) countSkipped(skipped, 'unreadable', path.basename(folder.path) + path.sep);
    for (const entry of entries ?? []) {
      const reason = this.#skipReason(folder, entry);
      if (reason !== undefined) countSkipped(skipped, reason, reason === 'unreadable' ? entry.name : undefined);
      else if (entry.kind === 'file') names.push(entry.name);
      else folders.push(this.#host.enter(folder.place(entry.name)));
    }
    return { names, folders, skipped };
  }

  #skipReason(folder: FolderTableRows, { name, isValid, kind }: FolderEntry): keyof SkippedFileCounts | undefined {
    if (kind === 'link') return 'links';
    if (!isValid) return 'unreadable';
    const isSystem = kind === 'folder' && this.#systemFolders.has(folder.place(name));
    return isSystem ? 'generated' : skipReasonOfName(name);
  }
}

/** An entry of a folder. If its name is not valid UTF-8, no path leads to it. */
interface FolderEntry {
  name: string;
  isValid: boolean;
  kind: 'file' | 'folder' | 'link';
}

/**
 * Returns the entries of a folder. Returns an empty list if the folder was deleted, and undefined if it cannot be read.
 */
function readFolder(folder: string): FolderEntry[] | undefined {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    // If a name may not be valid UTF-8, the names are read again as bytes, because decoding can make two different
    // names equal.
    if (entries.some(({ name }) => name.includes('\ufffd'))) return readNames(folder);
    return entries.flatMap(entry => toEntry(folder, entry.name, entry));
  } catch (error) {
    return isFileAccessError(error) ? undefined : [];
  }
}

function readNames(folder: string): FolderEntry[] {
  const entries = fs.readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  return entries.flatMap(entry => toEntry(folder, entry.name.toString(), entry, isUtf8(entry.name)));
}

type Kinds = Pick<fs.Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

function toEntry(folder: string, name: string, entry: Kinds, isValid = true): FolderEntry[] {
  const isDoubtful = process.platform === 'win32' && isValid;
  const readKinds = (): Kinds | undefined => tryOrUndefined(() => fs.lstatSync(`${folder}\\${name}`));
  const kind = kindOfDirectoryEntry(entry, isDoubtful ? readKinds : undefined);
  return kind === undefined ? [] : [{ name, isValid, kind }];
}

/**
 * Returns whether an entry is a file, a folder or a link, or undefined for pipes, sockets and devices. Windows lists
 * online-only files and other files with a reparse point as links, so that `readKinds` reads the stat of the entry to
 * detect real links.
 */
export function kindOfDirectoryEntry(
  entry: Kinds,
  readKinds: (() => Kinds | undefined) | undefined,
): FolderEntry['kind'] | undefined {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return undefined;
  const itself = readKinds?.();
  if (itself === undefined || itself.isSymbolicLink()) return 'link';
  return itself.isFile() ? 'file' : itself.isDirectory() ? 'folder' : undefined;
}
