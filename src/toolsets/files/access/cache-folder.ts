import fs from 'node:fs';
import { tryOrUndefined } from '../../../errors/system-error.ts';
import { isInside, pathStyle } from './paths.ts';

/** Where signatures and texts of documents are kept between two starts. */
export interface CacheFolder {
  folder: string;
  roots: readonly string[];
}

/** Why nothing is kept in this folder. undefined: it is ours, and what is kept there is not found by a search. */
export function cacheFolderProblem({ folder, roots }: CacheFolder): string | undefined {
  const real = fs.realpathSync.native(folder);
  const style = pathStyle(process.platform);
  const isSearched = roots.some(root => {
    const searched = tryOrUndefined(() => fs.realpathSync.native(root));
    return searched !== undefined && isInside(real, searched, style);
  });
  if (isSearched) return 'leads into a folder that is searched';
  return isOwnedByUs(fs.statSync(real)) ? undefined : 'is of another user, or others may write there';
}

/** Where there are owners and modes: ours, and nobody else can write there. */
export function isOwnedByUs({ uid, mode }: fs.Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
