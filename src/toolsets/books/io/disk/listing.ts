import { lstatSync } from 'node:fs';
import { Failure } from '../../../../failure.ts';
import { Pause } from '../../../../pause.ts';
import { systemCode } from '../../../../system-error.ts';
import { byCodePoint, isInside } from '../../model/key.ts';
import type { Entry } from '../store/storage.ts';
import { dateOf, versionOf } from './file.ts';
import type { Folder } from './folder.ts';

/** How long other calls may have to wait for this one. */
const pauseMs = 25;

/** Deeper folders are not a book's, and each level costs an open descriptor. */
const maxDepth = 64;

/** Everything below a folder, by key. Closes the folder. */
export async function listFolder(folder: Folder, folderKey: string, signal?: AbortSignal): Promise<Entry[]> {
  const found: Entry[] = [];
  await collect(folder, folderKey, found, 0, new Pause(pauseMs, signal));
  return found.sort((one, other) => byCodePoint(one.key, other.key));
}

async function collect(folder: Folder, folderKey: string, found: Entry[], depth: number, pause: Pause): Promise<void> {
  try {
    for (const { name } of folder.entries()) {
      if (name === '.git') continue;
      const key = `${folderKey}/${name}`;
      await pause.take();
      const entry = isInside(name)
        ? look(folder, name, key)
        : closedEntry(key, 'Its name has a character no path has.');
      if (entry === undefined) continue;
      if (entry !== 'folder') {
        found.push(entry);
        continue;
      }
      if (depth === maxDepth) {
        found.push(closedEntry(key, 'It is too deep.'));
        continue;
      }
      try {
        const child = folder.child(name);
        if (child !== undefined) await collect(child, key, found, depth + 1, pause);
      } catch (error) {
        found.push(closedBy(error, key));
      }
    }
  } finally {
    folder.close();
  }
}

function look(folder: Folder, name: string, key: string): Entry | 'folder' | undefined {
  const stat = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  // What is no UTF-8 comes out with this sign in it, and under that name there is nothing.
  if (stat === undefined) return name.includes('\ufffd') ? closedEntry(key, 'Its name is not UTF-8.') : undefined;
  if (stat.isDirectory()) return 'folder';
  const kind = stat.isFile() ? 'file' : stat.isSymbolicLink() ? 'link' : 'other';
  const [modified, arrived] = [dateOf(stat.mtimeMs), dateOf(stat.ctimeMs)];
  return { key, kind, size: Number(stat.size), version: versionOf(stat), modified, arrived };
}

function closedEntry(key: string, closed: string): Entry {
  return { key, kind: 'other', closed, size: 0, version: '', modified: new Date(0), arrived: new Date(0) };
}

/** A folder that cannot be read is reported in the listing instead of ending it. */
function closedBy(error: unknown, key: string): Entry {
  if (['EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return closedEntry(key, 'Permission is missing.');
  // It has just become a link.
  if (error instanceof Failure) return closedEntry(key, error.message);
  throw error;
}
