import fs from 'node:fs';
import { tryOrUndefined } from '../../../errors/system-error.ts';
import { isInsideFolder, pathStyleOfPlatform } from './paths.ts';

/**
 * The path of the folder for the index cache. The root folders are needed because the cache must not be inside of them.
 */
export interface CacheFolder {
  folder: string;
  roots: readonly string[];
}

/**
 * Returns the reason why the cache cannot use this folder. Returns undefined if this user owns the folder and it is
 * outside of all roots.
 */
export function findCacheFolderProblem({ folder, roots }: CacheFolder): string | undefined {
  const real = fs.realpathSync.native(folder);
  const style = pathStyleOfPlatform(process.platform);
  const isSearched = roots.some(root => {
    const searched = tryOrUndefined(() => fs.realpathSync.native(root));
    return searched !== undefined && isInsideFolder(real, searched, style);
  });
  if (isSearched) return 'is inside a folder that is searched';
  const stats = fs.statSync(real);
  if (!stats.isDirectory()) return 'is not a folder';
  return isOwnedByCurrentUser(stats) ? undefined : 'belongs to another user, or other users can write it';
}

/**
 * Returns whether this user owns the file or folder and no other user can write it. Returns true on systems without
 * owners and modes.
 */
export function isOwnedByCurrentUser({ uid, mode }: fs.Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
