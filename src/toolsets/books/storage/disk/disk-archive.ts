import { closeSync, constants, renameSync, unlinkSync } from 'node:fs';
import { archivesFolder } from '../../model/key.ts';
import type { NewArchive } from '../storage-backend.ts';
import { withStorageFailures } from '../system-error.ts';
import { computePublicFileModes, createFileWithMode, syncDescriptor } from './file.ts';
import { OpenFolder } from './folder.ts';
import type { LibraryRoot } from './root.ts';

/** Creates the file of an archive in a folder next to the books. */
export async function createDiskArchive(
  libraryRoot: LibraryRoot,
  isPublished: boolean,
  partName: string,
): Promise<NewArchive> {
  const modes = isPublished ? computePublicFileModes(libraryRoot.modes) : libraryRoot.modes;
  return await withStorageFailures('The folder for archives cannot be opened', archivesFolder, async () => {
    const folder = await OpenFolder.make(libraryRoot, [archivesFolder], modes.folder);
    try {
      return newArchive(folder, partName, createFileWithMode(folder.at(partName), constants.O_RDWR, modes.file));
    } catch (error) {
      folder.close();
      throw error;
    }
  });
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
