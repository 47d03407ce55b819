import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFolders } from '../../../toolset/create-folders.ts';
import { sha256Of } from '../model/hash.ts';

/** The state of a path in the folder of an export. */
export interface ExistingFile {
  /**
   * True if the path cannot be written, because a link, a folder or a special file is at this path, or because a folder
   * above it is a link.
   */
  isBlocked: boolean;
  /** The hash of the file, or undefined if there is none. */
  hash: string | undefined;
}

/** Reads the state of a file without following symbolic links, because links could lead out of the folder. */
export function inspectExistingFile(root: string, file: string): ExistingFile {
  const names = file.split('/');
  let target = root;
  for (const [index, name] of names.entries()) {
    target = path.join(target, name);
    const stat = lstatSync(target, { throwIfNoEntry: false });
    if (stat === undefined) return { isBlocked: false, hash: undefined };
    const isUsable = index === names.length - 1 ? stat.isFile() : stat.isDirectory();
    if (!isUsable) return { isBlocked: true, hash: undefined };
  }
  return { isBlocked: false, hash: sha256Of(readFileSync(target)) };
}

/**
 * Replaces the file by renaming a temporary file, so that an interrupted export leaves either the old or the new
 * content.
 */
export function writeExportedFile(root: string, file: string, bytes: string | Buffer): void {
  const target = path.join(root, file);
  const temporary = `${target}.oj-mcp-export`;
  createFolders(path.dirname(target));
  // The temporary file of an interrupted export is removed first. A symbolic link at its path could redirect the export
  // to another file.
  rmSync(temporary, { force: true });
  try {
    writeFileSync(temporary, bytes, { flag: 'wx' });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}
