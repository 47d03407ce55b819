import { access, constants, readdir } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCodeOf } from '../../../errors/system-error.ts';
import { skipReasonOfName } from './skip.ts';

/** The time limit for counting files in milliseconds. If it passes in a large folder, the number is incomplete. */
const countingMs = 2000;
const maxListedPaths = 3;

/** The content of a root folder as a search finds it. */
export interface RootContent {
  files: number;
  hasEntries: boolean;
  isComplete: boolean;
  /** The number of files and folders that this user has no permission to open. */
  denied: number;
  /** The paths of the first of them, relative to the root. Those of folders end with a separator. */
  deniedPaths: string[];
  /** The number of names that are not valid UTF-8, so that no path leads to them. */
  invalidNames: number;
}

/** Counts the files that a search would find and read. Hidden and generated entries are left out, as in a search. */
export async function countFiles(root: string): Promise<RootContent> {
  const endsAt = performance.now() + countingMs;
  const content: RootContent = {
    files: 0,
    hasEntries: false,
    isComplete: true,
    denied: 0,
    deniedPaths: [],
    invalidNames: 0,
  };
  const addFault = (error: unknown, place: string, isFolder: boolean): void => {
    const code = systemErrorCodeOf(error);
    if (code === undefined) throw error;
    if (code === 'EACCES' || code === 'EPERM') {
      content.denied++;
      if (content.deniedPaths.length < maxListedPaths)
        content.deniedPaths.push(path.relative(root, place) + (isFolder ? path.sep : ''));
    } else if (place.includes('\ufffd')) content.invalidNames++;
  };
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const open = folder;
    const entries = await readdir(open, { withFileTypes: true }).catch(error => addFault(error, open, true));
    for (const entry of entries ?? []) {
      if (performance.now() > endsAt) return { ...content, isComplete: false };
      content.hasEntries = true;
      const place = path.join(folder, entry.name);
      if (skipReasonOfName(entry.name) !== undefined) continue;
      if (entry.isDirectory()) waiting.push(place);
      if (!entry.isFile()) continue;
      await access(place, constants.R_OK).then(
        () => content.files++,
        error => addFault(error, place, false),
      );
    }
  }
  return content;
}
