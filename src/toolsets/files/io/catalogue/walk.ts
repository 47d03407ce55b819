import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { isSystemFolder, nothingSkipped, type Skipped, skipReason } from '../../model/skip.ts';
import { isUnreadable } from '../open-file.ts';
import { createPace } from '../threads/pace.ts';
import type { Interest } from '../threads/reader-pool.ts';

/** More entries than that are not a collection of files a person searches, and would fill the memory. */
const maxEntries = 200_000;

/** Goes through a folder and all below it; links are passed over, so there are no loops and no ways out. */
export async function walk(
  folder: string,
  interest: Interest,
  onFile: (path: string) => void,
  entryLimit = maxEntries,
): Promise<Skipped> {
  const skipped = nothingSkipped();
  const pace = createPace();
  const folders = [folder];
  let entryCount = 0;
  for (let current = folders.pop(); current !== undefined && !interest.isOver; current = folders.pop()) {
    const entries = readFolder(current);
    if (entries === undefined) skipped.unreadable++;
    for (const { name, kind } of entries ?? []) {
      // Of a folder that is broken off here nobody knows the rest.
      if (entryCount++ === entryLimit) return { ...skipped, unvisited: folders.length + 1 };
      if (entryCount % entriesPerPause === 0) await pace();
      if (interest.isOver) break;
      const reason = kind === 'link' ? 'links' : name === undefined ? 'unreadable' : skipReason(name);
      const place = current + (current.endsWith(path.sep) ? '' : path.sep) + name;
      if (reason !== undefined) skipped[reason]++;
      else if (kind === 'file') onFile(place);
      else if (isSystemFolder(place, process.platform)) skipped.generated++;
      else folders.push(place);
    }
    await pace();
  }
  return skipped;
}

const entriesPerPause = 256;

/** One whose name is not UTF-8 has none here, because no text could name it. */
interface FolderEntry {
  name: string | undefined;
  kind: 'file' | 'folder' | 'link';
}

/** Nothing for one that is gone by now. */
function readFolder(folder: string): FolderEntry[] | undefined {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    // What a name that is not UTF-8 is read as may also be the name of another file.
    if (entries.some(({ name }) => name.includes('\ufffd'))) return readNames(folder);
    return entries.flatMap(entry => toEntry(entry.name, entry));
  } catch (error) {
    return isUnreadable(error) ? undefined : [];
  }
}

function readNames(folder: string): FolderEntry[] {
  const entries = fs.readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  return entries.flatMap(entry => toEntry(isUtf8(entry.name) ? entry.name.toString() : undefined, entry));
}

/** Nothing for pipes, sockets and devices. */
function toEntry(name: string | undefined, entry: Omit<fs.Dirent, 'name'>): FolderEntry[] {
  if (entry.isFile()) return [{ name, kind: 'file' }];
  if (entry.isDirectory()) return [{ name, kind: 'folder' }];
  return entry.isSymbolicLink() ? [{ name, kind: 'link' }] : [];
}
