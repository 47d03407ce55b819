import fs from 'node:fs';
import path from 'node:path';
import { isSystemFolder, nothingSkipped, type Skipped, skipReason } from '../model/skip.ts';
import { isUnreadable } from './open-file.ts';
import { createPace } from './pace.ts';
import type { Interest } from './reader-pool.ts';

/** More entries than that are not a collection of files a person searches, and would fill the memory. */
const maxEntries = 200_000;

/** Goes through a folder and all below it; links are passed over, so there are no loops and no ways out. */
export async function walk(folder: string, interest: Interest, onFile: (path: string) => void): Promise<Skipped> {
  const skipped = nothingSkipped();
  const pace = createPace();
  const folders = [folder];
  let entryCount = 0;
  for (let current = folders.pop(); current !== undefined && !interest.isOver; current = folders.pop()) {
    if (entryCount >= maxEntries) {
      skipped.unvisited = folders.length + 1;
      return skipped;
    }
    const entries = readFolder(current);
    if (entries === undefined) skipped.unreadable++;
    for (const entry of entries ?? []) {
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      entryCount++;
      const reason = skipReason(entry.name);
      const place = current + (current.endsWith(path.sep) ? '' : path.sep) + entry.name;
      if (reason !== undefined) skipped[reason]++;
      else if (!isFolder) onFile(place);
      else if (isSystemFolder(place, process.platform)) skipped.generated++;
      else folders.push(place);
    }
    await pace();
  }
  return skipped;
}

/** Nothing for one that is gone by now. */
function readFolder(folder: string): fs.Dirent[] | undefined {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return isUnreadable(error) ? undefined : [];
  }
}
