import { existsSync, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { LruMap } from '../../library/lru-map.ts';
import { storageFailure } from '../../model/refusal.ts';
import { isMissing, worded } from '../system-error.ts';
import { type Modes, privateModes } from './file.ts';
import { describeProcess, type Self } from './lock-holder.ts';

/** What answers and records call a storage in folders. */
export const backendName = 'fs';

/** A folder beyond this is synced once more than necessary. */
const maxSyncedFolders = 10_000;

/** How folders are held: on Linux by descriptors, which no link can redirect; elsewhere by checked paths. */
export interface LibraryRoot {
  /** The library's folder, with every link in it resolved. */
  root: string;
  /** Tells the folder from another one in its place. */
  identity: string;
  hasDescriptors: boolean;
  /** Names that differ in case only are one file here: every name is compared with the one on the disk. */
  ignoresCase: boolean;
  /** Folders whose own names are known to be safe on the disk, by their path. */
  syncedFolders: LruMap<string, string>;
  /** Modes of new files and folders outside of the books. */
  modes: Modes;
  /** Who holds the locks of this process. */
  self: Self;
}

/** The folder of a library; what is wrong with it is said in words. */
export function libraryAt(folder: string): LibraryRoot {
  try {
    return findLibrary(folder);
  } catch (error) {
    if (!isMissing(error)) throw worded(error, `Opening the library ${folder} failed`, folder);
    throw storageFailure('UNAVAILABLE', `The library's folder ${folder} does not exist.`, {
      path: folder,
      suggestion: 'The user has to create it, or to start with another --books-root.',
    });
  }
}

function findLibrary(folder: string): LibraryRoot {
  const root = realpathSync(folder);
  const stat = lstatSync(root, { bigint: true });
  if (!stat.isDirectory()) throw storageFailure('UNAVAILABLE', `${folder} is not a folder.`, { path: folder });
  return {
    root,
    identity: `${stat.dev} ${stat.ino}`,
    hasDescriptors: process.platform === 'linux' && existsSync('/proc/self/fd'),
    syncedFolders: new LruMap(maxSyncedFolders),
    modes: privateModes(Number(stat.mode)),
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
