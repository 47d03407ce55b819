import { closeSync, constants, renameSync, unlinkSync } from 'node:fs';
import { archiveExpiryOf } from '../../model/archive-plan.ts';
import { archivesFolder } from '../../model/key.ts';
import type { ArchiveStore, NewArchive } from '../storage-backend.ts';
import { withStorageFailures } from '../system-error.ts';
import { computePublicFileModes, createFileWithMode, type FileModes, syncDescriptor } from './file.ts';
import { OpenFolder } from './folder.ts';
import type { LibraryRoot } from './root.ts';

/** Expired archives are deleted at most once in this time. */
const sweepMs = 1000;

/** Stores archives as files in a folder next to the books. */
export class DiskArchives implements ArchiveStore {
  readonly #libraryRoot: LibraryRoot;
  readonly #modes: FileModes;
  readonly #now: () => number;
  #sweptMs = 0;

  constructor(libraryRoot: LibraryRoot, isPublished: boolean, now: () => number) {
    this.#libraryRoot = libraryRoot;
    this.#modes = isPublished ? computePublicFileModes(libraryRoot.modes) : libraryRoot.modes;
    this.#now = now;
  }

  async deleteExpired(): Promise<void> {
    if (Math.abs(this.#now() - this.#sweptMs) < sweepMs) return;
    this.#sweptMs = this.#now();
    const folder = OpenFolder.open(this.#libraryRoot, [archivesFolder]);
    if (folder === undefined) return;
    try {
      deleteExpired(folder, this.#now());
    } finally {
      folder.close();
    }
  }

  async create(partName: string): Promise<NewArchive> {
    return await withStorageFailures('The folder for archives cannot be opened', archivesFolder, async () => {
      const folder = await OpenFolder.make(this.#libraryRoot, [archivesFolder], this.#modes.folder);
      try {
        deleteExpired(folder, this.#now());
        return newArchive(
          folder,
          partName,
          createFileWithMode(folder.at(partName), constants.O_RDWR, this.#modes.file),
        );
      } catch (error) {
        folder.close();
        throw error;
      }
    });
  }
}

function newArchive(folder: OpenFolder, partName: string, descriptor: number): NewArchive {
  let isClosed = false;
  const close = (): void => {
    if (!isClosed) closeSync(descriptor);
    isClosed = true;
  };
  return {
    descriptor,
    finish: async name => {
      await syncDescriptor(descriptor);
      // The file is closed before it is renamed, because Windows cannot rename an open file.
      close();
      renameSync(folder.at(partName), folder.at(name));
      folder.close();
    },
    discard: async () => {
      close();
      try {
        unlinkSync(folder.at(partName));
      } finally {
        folder.close();
      }
    },
  };
}

function deleteExpired(folder: OpenFolder, nowMs: number): void {
  for (const { name } of folder.entries()) {
    const stat = folder.look(name);
    if (stat?.isFile() === true && (archiveExpiryOf(name, stat.mtimeMs) ?? Infinity) <= nowMs) folder.remove(name);
  }
}
