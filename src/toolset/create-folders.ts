import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { reasonOf } from '../errors/reason.ts';
import { systemErrorCodeOf, tryOrUndefined } from '../errors/system-error.ts';

/**
 * Creates a folder and its missing parents, and returns the created ones, the outermost first. The option `recursive`
 * of Node's mkdir is not used, because it never returns in file systems such as /proc, which reject new folders with
 * ENOENT.
 */
export function createFolders(folder: string, mode?: number): string[] {
  try {
    mkdirSync(folder, mode);
    return [folder];
  } catch (error) {
    if (isFolder(folder)) return [];
    const parent = path.dirname(folder);
    if (systemErrorCodeOf(error) !== 'ENOENT' || parent === folder || isFolder(parent)) throw error;
    return [...createFolders(parent, mode), ...createFolders(folder, mode)];
  }
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Calls the function while the folder exists: missing folders are created before and removed after the call. Together
 * with `tryWriting` this tests whether a program can write there, because permissions alone do not show this.
 */
export function runInCreatedFolders<Result>(folder: string, work: () => Result): Result {
  const created = createFolders(folder, 0o700);
  try {
    return work();
  } finally {
    // The folder is not removed if another process has stored files in it.
    for (const name of created.reverse()) tryOrUndefined(() => rmdirSync(name));
  }
}

/** Creates an empty file in the folder and removes it. Throws the system error if this is not possible. */
export function tryWriting(folder: string): void {
  const file = path.join(folder, `.oj-mcp-check-${randomUUID()}`);
  closeSync(openSync(file, 'wx', 0o600));
  unlinkSync(file);
}

/** Returns the reason why a folder cannot be created or written. Rethrows all errors that are not system errors. */
export function describeWriteError(error: unknown): string {
  const code = systemErrorCodeOf(error);
  if (code === undefined) throw error;
  return reasonOf(code, code, { ENOENT: 'its file system accepts no new folders' });
}
