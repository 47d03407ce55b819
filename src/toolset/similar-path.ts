import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { tryOrUndefined } from '../errors/system-error.ts';
import { findNearestName } from '../text/nearest.ts';

/**
 * Returns a question for the end of a hint, with the existing path that is most similar to a missing one. Most systems
 * distinguish upper and lower case, so that "/home/ann/documents" is not "/home/ann/Documents".
 */
export function suggestPath(missing: string): string {
  const similar = findSimilarPath(missing);
  return similar === undefined ? '' : ` Did you mean ${similar}?`;
}

/** Returns the existing path that is most similar to a missing one, or undefined if none is similar. */
export function findSimilarPath(missing: string): string | undefined {
  const parent = path.dirname(missing);
  const folder = parent === missing || existsSync(parent) ? parent : findSimilarPath(parent);
  const names = folder === undefined ? undefined : tryOrUndefined(() => readdirSync(folder));
  const wanted = path.basename(missing);
  // The missing path itself is listed if it is a symbolic link to a missing file.
  const name = findNearestName(wanted, names?.filter(one => one !== wanted) ?? []);
  return folder === undefined || name === undefined ? undefined : path.join(folder, name);
}
