import { type BigIntStats, type Dirent, lstatSync } from 'node:fs';
import { EventLoopYielder } from '../../../../async/yielder.ts';
import { Failure } from '../../../../errors/failure.ts';
import { systemErrorCodeOf } from '../../../../errors/system-error.ts';
import { compareCodePoints, isKeyInsideFolder } from '../../model/key.ts';
import { ioTimeSliceMs } from '../book-backend.ts';
import { createUnreadableEntry, type StorageEntry } from '../file-storage.ts';
import { convertNanosecondsToDate, fileVersionOf } from './file.ts';
import type { OpenFolder } from './folder.ts';

/**
 * Folders below this depth are not listed, because each level needs an open descriptor. Real books are never nested
 * this deeply.
 */
const maxDepth = 64;

/** A file in a listing. Its times and version are read on first use, because most callers need only its name. */
export class DiskFileEntry implements StorageEntry {
  readonly key: string;
  readonly kind: StorageEntry['kind'];
  readonly size: number;
  readonly #stat: Pick<BigIntStats, 'ctimeNs' | 'ino' | 'mtimeNs' | 'size'>;

  constructor(key: string, stat: BigIntStats) {
    const { ino, size, mtimeNs, ctimeNs } = stat;
    this.key = key;
    this.kind = stat.isFile() ? 'file' : stat.isSymbolicLink() ? 'link' : 'other';
    this.size = Number(size);
    this.#stat = { ino, size, mtimeNs, ctimeNs };
  }

  get version(): string {
    return fileVersionOf(this.#stat);
  }

  get modified(): Date {
    return convertNanosecondsToDate(this.#stat.mtimeNs);
  }

  /** Returns the change time (ctime) of the file, which programs cannot set back. */
  get arrived(): Date {
    return convertNanosecondsToDate(this.#stat.ctimeNs);
  }
}

/** Returns the files below a folder whose keys come after `after`, sorted by key. Closes the folder. */
export async function listFolder(
  folder: OpenFolder,
  folderKey: string,
  after: string,
  signal?: AbortSignal,
): Promise<StorageEntry[]> {
  const listing: Listing = { found: [], after, yielder: new EventLoopYielder(ioTimeSliceMs, signal) };
  await folder.closeAfter(async open => await collect(open, folderKey, 0, listing));
  return listing.found;
}

interface Listing {
  found: StorageEntry[];
  after: string;
  yielder: EventLoopYielder;
}

async function collect(folder: OpenFolder, folderKey: string, depth: number, listing: Listing): Promise<void> {
  const { found, after, yielder } = listing;
  const entries = folder.entries().filter(({ name }) => name !== '.git');
  for (const { name, isFolder } of inOrderOfKeys(entries)) {
    const key = `${folderKey}/${name}`;
    if (isBefore(isFolder ? `${key}/` : key, after)) continue;
    await yielder.yieldIfDue();
    if (!isKeyInsideFolder(name)) found.push(createUnreadableEntry(key, 'Its name has an invalid character.'));
    else if (!isFolder) found.push(...statEntry(folder, name, key));
    else if (depth === maxDepth) found.push(createUnreadableEntry(key, 'It is nested too deeply.'));
    else await descend(folder, name, key, depth, listing);
  }
}

/** Returns whether an entry and all files below it are at or before the cursor `after`. */
function isBefore(key: string, after: string): boolean {
  return after !== '' && compareCodePoints(key, after) <= 0 && !(key.endsWith('/') && after.startsWith(key));
}

/**
 * Sorts the entries of a folder by key. The slash of a subfolder is a part of its key, so that `folder/` comes after
 * `folder-2` and `folder.md`.
 */
function inOrderOfKeys(entries: readonly Dirent[]): { name: string; isFolder: boolean }[] {
  return entries
    .map(entry => ({ entry, isFolder: entry.isDirectory() }))
    .map(({ entry: { name }, isFolder }) => ({ name, isFolder, end: isFolder ? `${name}/` : name }))
    .sort((one, other) => compareCodePoints(one.end, other.end));
}

async function descend(folder: OpenFolder, name: string, key: string, depth: number, listing: Listing): Promise<void> {
  try {
    const child = folder.child(name);
    if (child !== undefined) await child.closeAfter(async open => await collect(open, key, depth + 1, listing));
    else listing.found.push(...invalidUtf8(name, key));
  } catch (error) {
    listing.found.push(unreadableFolder(error, key));
  }
}

/** Returns the entry of a file. Yields no entry if the file was deleted or replaced by a folder. */
function statEntry(folder: OpenFolder, name: string, key: string): StorageEntry[] {
  const stat = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return invalidUtf8(name, key);
  return stat.isDirectory() ? [] : [new DiskFileEntry(key, stat)];
}

/** Returns an unreadable entry for a name that is not UTF-8, because the decoded name does not open the file. */
function invalidUtf8(name: string, key: string): StorageEntry[] {
  return name.includes('\ufffd') ? [createUnreadableEntry(key, 'Its name is not UTF-8.')] : [];
}

/** Returns an unreadable entry for a folder that cannot be read, so that the listing continues. */
function unreadableFolder(error: unknown, key: string): StorageEntry {
  if (['EACCES', 'EPERM'].includes(systemErrorCodeOf(error) ?? ''))
    return createUnreadableEntry(key, 'The permission to read it is missing.');
  // A Failure means that a symbolic link replaced the folder during the listing.
  if (error instanceof Failure) return createUnreadableEntry(key, error.message);
  throw error;
}
