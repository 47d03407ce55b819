import { unlinkSync } from 'node:fs';
import { archiveEnd } from '../../model/archive-plan.ts';
import { archivesFolder } from '../../model/key.ts';
import { Folder } from '../disk/folder.ts';
import type { Ground } from '../disk/root.ts';
import { isMissing, worded } from '../disk/system-error.ts';

/** Deletes archives whose time is over. */
export async function sweepArchives(ground: Ground, nowMs: number): Promise<void> {
  const folder = Folder.open(ground, [archivesFolder]);
  if (folder === undefined) return;
  try {
    sweep(folder, nowMs);
  } finally {
    folder.close();
  }
}

export async function openShelf(ground: Ground): Promise<Folder> {
  try {
    return await Folder.make(ground, [archivesFolder]);
  } catch (error) {
    throw worded(error, 'There is no place for archives', archivesFolder);
  }
}

export function sweep(folder: Folder, nowMs: number): void {
  for (const { name } of folder.entries()) {
    const stat = folder.look(name);
    if (stat?.isFile() !== true || (archiveEnd(name, stat.mtimeMs) ?? Infinity) > nowMs) continue;
    try {
      unlinkSync(folder.at(name));
    } catch (error) {
      // Another server sweeps the same floor.
      if (!isMissing(error)) throw error;
    }
  }
}
