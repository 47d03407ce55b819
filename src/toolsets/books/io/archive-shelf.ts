import { unlinkSync } from 'node:fs';
import { archiveNamePattern } from '../model/archive-plan.ts';
import { archivesFolder } from '../model/key.ts';
import { Folder } from './folder.ts';
import type { Ground } from './ground.ts';
import { isMissing, worded } from './system-error.ts';

/** An unfinished archive this old has no author any more. */
const abandonedMs = 3_600_000;

/** Deletes archives whose time is over. */
export async function sweepArchives(ground: Ground, ttlMs: number, nowMs: number): Promise<void> {
  const folder = Folder.open(ground, [archivesFolder]);
  if (folder === undefined) return;
  try {
    sweep(folder, ttlMs, nowMs);
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

export function sweep(folder: Folder, ttlMs: number, nowMs: number): void {
  for (const { name } of folder.entries()) {
    if (!archiveNamePattern.test(name)) continue;
    const stat = folder.look(name);
    const lifeMs = name.endsWith('.part') ? abandonedMs : ttlMs;
    if (stat?.isFile() !== true || stat.mtimeMs + lifeMs > nowMs) continue;
    try {
      unlinkSync(folder.at(name));
    } catch (error) {
      // Another server sweeps the same floor.
      if (!isMissing(error)) throw error;
    }
  }
}
