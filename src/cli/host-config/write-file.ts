import * as fs from 'node:fs';
import path from 'node:path';
import { systemErrorCodeOf } from '../../errors/system-error.ts';

/** The user id and group id of a file. */
export interface FileOwner {
  uid: number;
  gid: number;
}

/**
 * Creates the file exclusively, so that a symbolic link of another user cannot redirect the write. Returns false if
 * this user must not change the owner of the file.
 */
export function createFileExclusively(file: string, text: string, mode: number, owner: FileOwner): boolean {
  fs.rmSync(file, { force: true });
  const descriptor = fs.openSync(file, 'wx', mode);
  try {
    const hasOwner = giveTo(descriptor, owner);
    // The mode is set again, because the umask reduces the mode in a call of `open`.
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
    if (systemErrorCodeOf(error) === undefined) throw error;
    return false;
  }
}

/**
 * Overwrites an existing file in place. If the old content is longer, line breaks fill the rest until the file is
 * truncated, so that the file is valid in between.
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

/**
 * Renames the temporary file. If the target is mounted into a container, the rename fails and the file is overwritten.
 */
export function replaceFileByRename(temporary: string, file: string, text: string): void {
  try {
    fs.renameSync(temporary, file);
  } catch (error) {
    if (systemErrorCodeOf(error) !== 'EBUSY') throw error;
    overwriteFile(file, text);
  }
}

/**
 * Creates a missing folder and its parent folders. If the superuser runs the program, they get the owner of their
 * parent folder. Returns the owner.
 */
export function createFolderWithOwner(folder: string): FileOwner {
  const present = fs.statSync(folder, { throwIfNoEntry: false });
  if (present !== undefined) return present;
  const owner = createFolderWithOwner(path.dirname(folder));
  fs.mkdirSync(folder, { mode: 0o700 });
  if (process.getuid?.() === 0) fs.chownSync(folder, owner.uid, owner.gid);
  return fs.statSync(folder);
}
