import { closeSync, constants, openSync, renameSync, unlinkSync } from 'node:fs';
import { archiveEnd } from '../../model/archive-plan.ts';
import { archivesFolder } from '../../model/key.ts';
import type { NewArchive, Shelf } from '../store/storage.ts';
import { inWords, isMissing } from '../system-error.ts';
import { syncDescriptor } from './file.ts';
import { Folder } from './folder.ts';
import type { LibraryRoot } from './root.ts';

/** The floor is swept this often at most. */
const sweepMs = 1000;

/** Archives in a folder beside the books. */
export class DiskShelf implements Shelf {
  readonly #libraryRoot: LibraryRoot;
  readonly #now: () => number;
  #sweptMs = 0;

  constructor(libraryRoot: LibraryRoot, now: () => number) {
    this.#libraryRoot = libraryRoot;
    this.#now = now;
  }

  async sweep(): Promise<void> {
    if (Math.abs(this.#now() - this.#sweptMs) < sweepMs) return;
    this.#sweptMs = this.#now();
    const folder = Folder.open(this.#libraryRoot, [archivesFolder]);
    if (folder === undefined) return;
    try {
      sweep(folder, this.#now());
    } finally {
      folder.close();
    }
  }

  async begin(partName: string): Promise<NewArchive> {
    return await inWords('There is no place for archives', archivesFolder, async () => {
      const folder = await Folder.make(this.#libraryRoot, [archivesFolder]);
      try {
        sweep(folder, this.#now());
        const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
        return newArchive(folder, partName, openSync(folder.at(partName), flags, 0o666));
      } catch (error) {
        folder.close();
        throw error;
      }
    });
  }
}

function newArchive(folder: Folder, partName: string, descriptor: number): NewArchive {
  let isClosed = false;
  const close = (): void => {
    if (!isClosed) closeSync(descriptor);
    isClosed = true;
  };
  return {
    descriptor,
    finish: async name => {
      await syncDescriptor(descriptor);
      // Windows renames no file that is open.
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

function sweep(folder: Folder, nowMs: number): void {
  for (const { name } of folder.entries()) {
    const stat = folder.look(name);
    if (stat?.isFile() !== true || (archiveEnd(name, stat.mtimeMs) ?? Infinity) > nowMs) continue;
    try {
      unlinkSync(folder.at(name));
    } catch (error) {
      // Another server sweeps the same floor.
      if (!isMissing(error)) throw error;
    }
  }
}
