import { randomUUID } from 'node:crypto';
import { closeSync, futimesSync, renameSync, unlinkSync } from 'node:fs';
import { tryOrUndefined } from '../../../../errors/system-error.ts';
import { metadataFolder } from '../../model/key.ts';
import type { StoredVersion } from '../../model/retention.ts';
import type { VersionStore } from '../storage-backend.ts';
import { withStorageFailures } from '../system-error.ts';
import { readWholeFile, writeTemporaryFile } from './file.ts';
import { OpenFolder } from './folder.ts';
import type { LibraryRoot } from './root.ts';

const versionsFolder = 'versions';
const hashName = /^[0-9a-f]{64}$/;
/** Matches the name of a temporary file. A process that is killed while it saves a version leaves this file behind. */
const temporaryName = /^[0-9a-f]{64}\..+\.tmp$/;

/** Stores the former contents of files in the metadata folder, in one folder for each book. */
export class DiskVersions implements VersionStore {
  readonly #libraryRoot: LibraryRoot;
  readonly #now: () => number;

  constructor(libraryRoot: LibraryRoot, now: () => number) {
    this.#libraryRoot = libraryRoot;
    this.#now = now;
  }

  async save(book: string, hash: string, bytes: Uint8Array): Promise<void> {
    const { folder: folderMode, file: fileMode } = this.#libraryRoot.modes;
    await withStorageFailures('A former version cannot be kept', metadataFolder, async () => {
      const folder = await OpenFolder.make(this.#libraryRoot, segmentsOf(book), folderMode);
      try {
        if (this.#touch(folder, hash)) return;
        const temporary = folder.at(`${hash}.${randomUUID()}.tmp`);
        try {
          await writeTemporaryFile(temporary, bytes, fileMode);
          renameSync(temporary, folder.at(hash));
          await folder.sync();
        } catch (error) {
          tryOrUndefined(() => unlinkSync(temporary));
          throw error;
        }
      } finally {
        folder.close();
      }
    });
  }

  async read(book: string, hash: string): Promise<Buffer | undefined> {
    return await withStorageFailures('A former version cannot be read', metadataFolder, async () => {
      const folder = OpenFolder.open(this.#libraryRoot, segmentsOf(book));
      const descriptor = folder?.openFile(hash);
      try {
        return descriptor === undefined ? undefined : await readWholeFile(descriptor, hash);
      } finally {
        if (descriptor !== undefined) closeSync(descriptor);
        folder?.close();
      }
    });
  }

  async list(book: string): Promise<StoredVersion[]> {
    return this.#inFolder(book, folder =>
      folder.entries().flatMap(({ name }) => {
        const stat = hashName.test(name) || temporaryName.test(name) ? folder.look(name) : undefined;
        return stat?.isFile() === true ? [{ hash: name, size: stat.size, savedMs: stat.mtimeMs }] : [];
      }),
    );
  }

  async delete(book: string, hash: string): Promise<void> {
    this.#inFolder(book, folder => {
      folder.remove(hash);
      return [];
    });
  }

  /**
   * Sets the date of a stored version to now, because its age counts from the last time it was replaced. Returns false
   * if the version does not exist.
   */
  #touch(folder: OpenFolder, hash: string): boolean {
    const descriptor = folder.openFile(hash);
    if (descriptor === undefined) return false;
    try {
      futimesSync(descriptor, this.#now() / 1000, this.#now() / 1000);
      return true;
    } finally {
      closeSync(descriptor);
    }
  }

  #inFolder<Item>(book: string, read: (folder: OpenFolder) => Item[]): Item[] {
    const folder = OpenFolder.open(this.#libraryRoot, segmentsOf(book));
    try {
      return folder === undefined ? [] : read(folder);
    } finally {
      folder?.close();
    }
  }
}

function segmentsOf(book: string): string[] {
  return [metadataFolder, book, versionsFolder];
}
