import * as fs from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from '../../errors/system-error.ts';

/** The user and the group of a file. */
export interface FileOwner {
  uid: number;
  gid: number;
}

/**
 * Creates the file exclusively, so that it does not write through a symbolic link of another user. Returns false if this
 * user has no right to give the file to the owner.
 */
export function createFileExclusively(file: string, text: string, mode: number, owner: FileOwner): boolean {
  fs.rmSync(file, { force: true });
  const descriptor = fs.openSync(file, 'wx', mode);
  try {
    const hasOwner = giveTo(descriptor, owner);
    // The umask reduces the mode that is given to `open`, so that the mode is set again.
    fs.fchmodSync(descriptor, mode);
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
    return hasOwner;
  } finally {
    fs.closeSync(descriptor);
  }
}

function giveTo(descriptor: number, { uid, gid }: FileOwner): boolean {
  const stats = fs.fstatSync(descriptor);
  if (stats.uid === uid && stats.gid === gid) return true;
  try {
    fs.fchownSync(descriptor, uid, gid);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}

/**
 * Writes into an existing file. Line breaks fill the rest of a longer old content until the file is shortened, so that
 * the file is valid also between these two steps.
 */
export function overwriteFile(file: string, text: string): void {
  const bytes = Buffer.from(text);
  const descriptor = fs.openSync(file, 'r+');
  try {
    const filler = Math.max(0, fs.fstatSync(descriptor).size - bytes.length);
    fs.writeFileSync(descriptor, Buffer.concat([bytes, Buffer.alloc(filler, '\n')]));
    fs.ftruncateSync(descriptor, bytes.length);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Renames the temporary file. A file that is mounted into a container cannot be replaced by another one. */
export function replaceFileByRename(temporary: string, file: string, text: string): void {
  try {
    fs.renameSync(temporary, file);
  } catch (error) {
    if (systemErrorCode(error) !== 'EBUSY') throw error;
    overwriteFile(file, text);
  }
}

/** Creates a missing folder and its parents. The superuser gives them to the owner of the parent. Returns the owner. */
export function createFolderWithOwner(folder: string): FileOwner {
  const present = fs.statSync(folder, { throwIfNoEntry: false });
  if (present !== undefined) return present;
  const owner = createFolderWithOwner(path.dirname(folder));
  fs.mkdirSync(folder, { mode: 0o700 });
  if (process.getuid?.() === 0) fs.chownSync(folder, owner.uid, owner.gid);
  return fs.statSync(folder);
}
