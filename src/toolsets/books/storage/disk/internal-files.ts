import { randomUUID } from 'node:crypto';
import { futimesSync, renameSync, unlinkSync } from 'node:fs';
import { tryOrUndefined } from '../../../../errors/system-error.ts';
import type { InternalFiles } from '../file-storage.ts';
import { filePlaceOf } from './disk-storage.ts';
import { writeTemporaryFile } from './file.ts';
import { OpenFolder } from './folder.ts';
import type { LibraryRoot } from './root.ts';

export function createDiskInternalFiles(libraryRoot: LibraryRoot, now: () => number): InternalFiles {
  const { modes } = libraryRoot;
  return {
    /** Renames a temporary file in the same folder. A killed process can leave the temporary file behind. */
    write: async (key, bytes) => {
      const { parents, name } = filePlaceOf(key);
      const made = await OpenFolder.make(libraryRoot, parents, modes.folder);
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
    },
    renew: async key => {
      const { parents, name } = filePlaceOf(key);
      const seconds = now() / 1000;
      // Only the owner of a file can set its date. Other members of a group that shares the library write it again.
      const touch = (descriptor: number): true | undefined =>
        tryOrUndefined(() => {
          futimesSync(descriptor, seconds, seconds);
          return true;
        });
      // The folder is created and synced as before a write, because another process may have created it without a sync.
      const made = await OpenFolder.make(libraryRoot, parents, modes.folder);
      return (await made.closeAfter(async folder => await folder.useFile(name, touch))) ?? false;
    },
    delete: async key => {
      const { parents, name } = filePlaceOf(key);
      await OpenFolder.open(libraryRoot, parents)?.closeAfter(folder => folder.remove(name));
    },
  };
}
