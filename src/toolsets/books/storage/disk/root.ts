import { existsSync, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { LruMap } from '../../library/lru-map.ts';
import { createStorageFailure } from '../../model/refusal.ts';
import { isMissingFileError, toStorageFailure } from '../system-error.ts';
import { computePrivateFileModes, type FileModes } from './file.ts';
import { describeProcess, type ProcessDescription } from './lock-holder.ts';

/** The name of this storage backend in results and journal records. */
export const diskBackendName = 'fs';

/** Limits the cache of synced folders. A folder that was evicted is synced again. */
const maxSyncedFolders = 10_000;

/**
 * The root folder of a library. On Linux, subfolders are opened relative to descriptors, which no symbolic link can
 * redirect. On other systems, the path of each subfolder is verified.
 */
export interface LibraryRoot {
  /** The path of the library's folder without symbolic links. */
  root: string;
  /** The device and inode numbers of the root folder. They are different if another folder has taken its path. */
  identity: string;
  hasDescriptors: boolean;
  /** True if the file system ignores letter case. Each name is then compared with the name on disk. */
  ignoresCase: boolean;
  /** The folders that were synced to the disk, by path. */
  syncedFolders: LruMap<string, string>;
  /** The permission modes of new files and folders outside of the books. */
  modes: FileModes;
  /** The data in locks that describes this process. */
  self: ProcessDescription;
}

/** Opens the root folder of a library. Throws a Failure if the folder cannot be used. */
export function openLibraryRoot(folder: string): LibraryRoot {
  try {
    return findLibrary(folder);
  } catch (error) {
    if (!isMissingFileError(error)) throw toStorageFailure(error, `Opening the library ${folder} failed`, folder);
    throw createStorageFailure('UNAVAILABLE', `The library's folder ${folder} does not exist.`, {
      path: folder,
      suggestion: 'The user can create it, or start with another --books-root.',
    });
  }
}

function findLibrary(folder: string): LibraryRoot {
  const root = realpathSync(folder);
  const stat = lstatSync(root, { bigint: true });
  if (!stat.isDirectory()) throw createStorageFailure('UNAVAILABLE', `${folder} is not a folder.`, { path: folder });
  return {
    root,
    identity: `${stat.dev} ${stat.ino}`,
    hasDescriptors: process.platform === 'linux' && existsSync('/proc/self/fd'),
    syncedFolders: new LruMap(maxSyncedFolders),
    modes: computePrivateFileModes(Number(stat.mode)),
    self: describeProcess(),
    ignoresCase: [root, path.join(root, 'books'), path.join(root, '.oj-books')].some(isSameInCapitals),
  };
}

function isSameInCapitals(place: string): boolean {
  const name = path.basename(place);
  const capitals = path.join(path.dirname(place), name.toUpperCase());
  if (capitals === place || name === '') return false;
  const options = { bigint: true, throwIfNoEntry: false } as const;
  const one = lstatSync(place, options);
  const other = lstatSync(capitals, options);
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}
