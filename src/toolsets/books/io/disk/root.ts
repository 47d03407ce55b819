import { existsSync, lstatSync, realpathSync, type Stats } from 'node:fs';
import { storageFailure } from '../../model/refusal.ts';

/** What answers and records call a storage in folders. */
export const backendName = 'fs';

/** How folders are held: on Linux by descriptors, which no link can redirect; elsewhere by checked paths. */
export interface Ground {
  /** The library's folder, with every link in it resolved. */
  root: string;
  /** Tells the folder from another one in its place. */
  identity: string;
  hasDescriptors: boolean;
  /** Names that differ in case only are one file here: every name is compared with the one on the disk. */
  ignoresCase: boolean;
  /** Marks of folders whose own names are known to be safe on the disk. */
  settled: Set<string>;
}

/** Throws ENOENT when the library's folder is missing. */
export function findGround(path: string): Ground {
  const root = realpathSync(path);
  const stat = lstatSync(root);
  if (!stat.isDirectory()) throw storageFailure('UNAVAILABLE', `${path} is not a folder.`, { path });
  return {
    root,
    identity: identityOf(stat),
    hasDescriptors: process.platform === 'linux' && existsSync('/proc/self/fd'),
    settled: new Set(),
    ignoresCase: [root, `${root}/books`, `${root}/.oj-books`].some(isSameInCapitals),
  };
}

export function identityOf({ dev, ino }: Stats): string {
  return `${dev} ${ino}`;
}

function isSameInCapitals(path: string): boolean {
  const nameStart = path.lastIndexOf('/') + 1;
  const capitals = path.slice(0, nameStart) + path.slice(nameStart).toUpperCase();
  if (capitals === path) return false;
  const one = lstatSync(path, { throwIfNoEntry: false });
  const other = lstatSync(capitals, { throwIfNoEntry: false });
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}
