import { randomUUID } from 'node:crypto';
import { futimesSync, renameSync, unlinkSync } from 'node:fs';
import { tryOrUndefined } from '../../../../errors/system-error.ts';
import type { InternalFiles } from '../file-storage.ts';
import { filePlaceOf } from './disk-storage.ts';
import { writeTemporaryFile } from './file.ts';
import { OpenFolder } from './folder.ts';
import type { LibraryRoot } from './root.ts';

export class DiskInternalFiles implements InternalFiles {
  readonly #libraryRoot: LibraryRoot;
  readonly #now: () => number;

  constructor(libraryRoot: LibraryRoot, now: () => number) {
    this.#libraryRoot = libraryRoot;
    this.#now = now;
  }

  /** Writes a temporary file in the same folder and renames it. A killed process can leave the temporary file behind. */
  async write(key: string, bytes: Uint8Array): Promise<void> {
    const { parents, name } = filePlaceOf(key);
    const { modes } = this.#libraryRoot;
    const made = await OpenFolder.make(this.#libraryRoot, parents, modes.folder);
    await made.closeAfter(async folder => {
      const temporary = folder.at(`${name}.${randomUUID()}.tmp`);
      try {
        await writeTemporaryFile(temporary, bytes, modes.file);
        renameSync(temporary, folder.at(name));
        await folder.sync();
      } catch (error) {
        tryOrUndefined(() => unlinkSync(temporary));
        throw error;
      }
    });
  }

  async renew(key: string): Promise<boolean> {
    const { parents, name } = filePlaceOf(key);
    const seconds = this.#now() / 1000;
    // The folder is created and synced like before a write, because another process may have created it without a sync.
    const made = await OpenFolder.make(this.#libraryRoot, parents, this.#libraryRoot.modes.folder);
    const renewed = await made.closeAfter(async folder => {
      return await folder.useFile(name, descriptor => {
        futimesSync(descriptor, seconds, seconds);
        return true;
      });
    });
    return renewed === true;
  }

  async delete(key: string): Promise<void> {
    const { parents, name } = filePlaceOf(key);
    await OpenFolder.open(this.#libraryRoot, parents)?.closeAfter(folder => folder.remove(name));
  }
}
