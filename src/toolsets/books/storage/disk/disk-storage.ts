import { closeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { EventLoopYielder } from '../../../../async/yielder.ts';
import { Failure } from '../../../../errors/failure.ts';
import { LruMap } from '../../library/lru-map.ts';
import { sha256Of } from '../../model/hash.ts';
import { booksFolder } from '../../model/key.ts';
import { checkStorageKey, createTooLargeFailure } from '../../model/refusal.ts';
import { ioTimeSliceMs } from '../book-backend.ts';
import type { DownloadAddress, FileStorage, FileStream, StorageEntry, StoredFile } from '../file-storage.ts';
import { toStorageFailure, withStorageFailures } from '../system-error.ts';
import {
  BufferPool,
  closeDescriptor,
  convertNanosecondsToDate,
  fileVersionOf,
  hashWholeFile,
  readFileChunks,
  readWholeFile,
  statDescriptor,
} from './file.ts';
import { OpenFolder } from './folder.ts';
import { DiskFileEntry, listFolder } from './listing.ts';
import { diskBackendName, type LibraryRoot } from './root.ts';

/**
 * A file that was changed within this time is hashed again, because many file systems store times coarsely, so that
 * another change might not alter the time.
 */
const freshMs = 2100;
/** Limits the number of cached hashes, which take about 60 MB. Further files are hashed again in each scan. */
const maxHashes = 200_000;

/** Reads books from plain folders and files, which people, editors and git can change at the same time. */
export class DiskFileStorage implements FileStorage {
  readonly backend = diskBackendName;
  readonly isRemote = false;
  /** Only one file is read in advance, because a disk has low latency. */
  readonly prefetch = 1;
  readonly #libraryRoot: LibraryRoot;
  readonly #now: () => number;
  readonly #pool = new BufferPool();
  readonly #hashes = new LruMap<string, { version: string; hash: string }>(maxHashes);

  constructor(libraryRoot: LibraryRoot, now: () => number) {
    this.#libraryRoot = libraryRoot;
    this.#now = now;
  }

  async foldersIn(name: string): Promise<string[]> {
    return await withStorageFailures(`Listing ${name} failed`, name, async () => {
      const entries = await OpenFolder.open(this.#libraryRoot, [name])?.closeAfter(folder => folder.entries());
      return (entries ?? []).filter(entry => entry.isDirectory()).map(entry => entry.name);
    });
  }

  async hasBook(book: string): Promise<boolean> {
    return await withStorageFailures(`Opening ${book} failed`, `${booksFolder}/${book}`, () => {
      const folder = OpenFolder.open(this.#libraryRoot, [booksFolder, book]);
      folder?.close();
      return folder !== undefined;
    });
  }

  async list(folderKey: string, signal?: AbortSignal, after = ''): Promise<StorageEntry[] | undefined> {
    return await withStorageFailures(`Listing ${folderKey} failed`, folderKey, async () => {
      const folder = OpenFolder.open(this.#libraryRoot, pathSegmentsOf(folderKey));
      return folder && (await listFolder(folder, folderKey, after, signal));
    });
  }

  async stat(key: string): Promise<StorageEntry | undefined> {
    return await this.#withFile(key, descriptor => new DiskFileEntry(key, statDescriptor(descriptor)));
  }

  async read(file: string | StorageEntry, maxBytes: number): Promise<StoredFile | undefined> {
    const key = typeof file === 'string' ? file : file.key;
    return await this.#withFile(key, async descriptor => {
      const { size, mtimeNs } = statDescriptor(descriptor);
      if (size > BigInt(maxBytes)) {
        throw createTooLargeFailure(key, size, maxBytes);
      }
      const bytes = await readWholeFile(descriptor, key);
      return { bytes, hash: sha256Of(bytes), modified: convertNanosecondsToDate(mtimeNs) };
    });
  }

  async stream(key: string): Promise<FileStream | undefined> {
    return await withStorageFailures(`Reading ${key} failed`, key, () => {
      const descriptor = this.#openFile(key);
      if (descriptor === undefined) return undefined;
      const size = Number(statDescriptor(descriptor).size);
      const pieces = readFileChunks(descriptor, size, key, this.#pool);
      return { size, pieces, close: async () => await closeDescriptor(descriptor) };
    });
  }

  async hash(file: string | StorageEntry, signal?: AbortSignal): Promise<string | undefined> {
    const key = typeof file === 'string' ? file : file.key;
    const known = this.#hashes.get(key);
    if (typeof file !== 'string' && known?.version === file.version) return known.hash;
    return await this.#withFile(key, async descriptor => {
      if (known !== undefined && known.version === fileVersionOf(statDescriptor(descriptor))) return known.hash;
      const { hash, stat } = await hashWholeFile(descriptor, key, signal);
      if (this.#now() - Number(stat.ctimeMs) > freshMs) this.#hashes.set(key, { version: fileVersionOf(stat), hash });
      else this.#hashes.delete(key);
      return hash;
    });
  }

  async readErrors(entries: readonly StorageEntry[], signal?: AbortSignal): Promise<(string | undefined)[]> {
    const yielder = new EventLoopYielder(ioTimeSliceMs, signal);
    const found: (string | undefined)[] = [];
    // The last folder stays open, because most files are in the same folder as the file before them.
    let last: { path: string; folder: OpenFolder | undefined } | undefined;
    const folderAt = (parents: readonly string[]): OpenFolder | undefined => {
      const path = parents.join('/');
      if (last?.path === path) return last.folder;
      last?.folder?.close();
      last = undefined;
      last = { path, folder: OpenFolder.open(this.#libraryRoot, parents) };
      return last.folder;
    };
    try {
      for (const { key, kind, unreadable } of entries) {
        await yielder.yieldIfDue();
        found.push(unreadable ?? (kind === 'file' ? this.#whyClosed(folderAt, key) : undefined));
      }
      return found;
    } finally {
      last?.folder?.close();
    }
  }

  #whyClosed(folderAt: (parents: readonly string[]) => OpenFolder | undefined, key: string): string | undefined {
    try {
      const { parents, name } = filePlaceOf(key);
      const descriptor = folderAt(parents)?.openFile(name);
      if (descriptor !== undefined) closeSync(descriptor);
      return undefined;
    } catch (error) {
      const failure = toStorageFailure(error, `Reading ${key} failed`, key);
      if (failure instanceof Failure) return failure.message;
      throw failure;
    }
  }

  async address(key: string): Promise<DownloadAddress> {
    return { url: pathToFileURL(`${this.#libraryRoot.root}/${pathSegmentsOf(key).join('/')}`).href };
  }

  async #withFile<T>(key: string, work: (descriptor: number) => T | Promise<T>): Promise<T | undefined> {
    return await withStorageFailures(`Reading ${key} failed`, key, async () => {
      const descriptor = this.#openFile(key);
      if (descriptor === undefined) return undefined;
      try {
        return await work(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  #openFile(key: string): number | undefined {
    const { parents, name } = filePlaceOf(key);
    const folder = OpenFolder.open(this.#libraryRoot, parents);
    try {
      return folder?.openFile(name);
    } finally {
      folder?.close();
    }
  }
}

export function pathSegmentsOf(key: string): string[] {
  return checkStorageKey(key).split('/');
}

/** The place of a file: the names of its folders, and its own name. */
export interface FilePlace {
  key: string;
  parents: readonly string[];
  name: string;
}

export function filePlaceOf(key: string): FilePlace {
  const parents = pathSegmentsOf(key);
  return { key, name: parents.pop() ?? '', parents };
}
