import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../errors/failure.ts';
import { systemCode } from '../../errors/system-error.ts';
import { createFolders } from '../../toolset/create-folders.ts';

/** The configuration file of a host. `path` is the target if the host's path is a symbolic link. */
export interface ConfigFile {
  path: string;
  /** The content has no byte order mark. It is undefined if the file does not exist. */
  content: string | undefined;
  hasMark: boolean;
}

const byteOrderMark = '\ufeff';
const privateMode = 0o600;

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to do it (EACCES)',
  EPERM: 'this user has no right to do it (EPERM)',
  EROFS: 'the disk is read-only (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the quota of this user is exceeded (EDQUOT)',
  EISDIR: 'it is a folder (EISDIR)',
  ENOTDIR: 'a part of its path is a file (ENOTDIR)',
  ELOOP: 'it is a symbolic link to itself (ELOOP)',
};

export function readConfigFile(name: string): ConfigFile {
  let isLink = false;
  try {
    isLink = fs.lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    const file = fs.realpathSync(name);
    const bytes = fs.readFileSync(file);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) throw notEditableFailure(file, 'is not text in UTF-8');
    const hasMark = text.startsWith(byteOrderMark);
    return { path: file, content: hasMark ? text.slice(1) : text, hasMark };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' && !isLink) return { path: name, content: undefined, hasMark: false };
    if (code === undefined) throw error;
    throw notEditableFailure(
      name,
      isLink && code === 'ENOENT' ? 'is a link to a missing file' : `cannot be read: ${reasons[code] ?? code}`,
    );
  }
}

/** Returns the content of the backup, or undefined if there is none that can be read. */
export function readBackup({ path: file }: ConfigFile): string | undefined {
  try {
    return readConfigFile(backupOf(file)).content;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}

function backupOf(file: string): string {
  return `${file}.oj-mcp-backup`;
}

/**
 * Replaces the file in one step: if the process is killed, the file has the old or the new content. Returns the path of
 * the backup. A backup from before the installation is kept. A new file is readable by its owner only; an existing file
 * keeps its mode.
 */
export function writeConfigFile(
  { path: file, content, hasMark }: ConfigFile,
  edited: string,
  isInstalled: boolean,
): string | undefined {
  const temporary = `${file}.${randomUUID()}.tmp`;
  const backup = content === undefined ? undefined : backupOf(file);
  const mark = hasMark ? byteOrderMark : '';
  try {
    if (content === undefined) createFolders(path.dirname(file), 0o700);
    const mode = content === undefined ? privateMode : fs.statSync(file).mode & 0o777;
    writeNew(temporary, mark + edited, mode);
    // The backup is written after the temporary file. If the disk is full, the first write fails and an earlier backup
    // is kept.
    if (backup !== undefined && !(isInstalled && fs.existsSync(backup)))
      writeNew(backup, mark + (content ?? ''), privateMode);
    if (content !== undefined && fs.readFileSync(file, 'utf8') !== mark + content) {
      throw notEditableFailure(file, 'was changed by another program just now');
    }
    fs.renameSync(temporary, file);
    return backup;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw notEditableFailure(file, `cannot be written: ${reasons[code] ?? code}`);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Creates the file exclusively, so that it does not write through a symbolic link of another user. */
function writeNew(file: string, text: string, mode: number): void {
  fs.rmSync(file, { force: true });
  const descriptor = fs.openSync(file, 'wx', mode);
  try {
    // The umask reduces the mode that is given to `open`, so that the mode is set again.
    fs.fchmodSync(descriptor, mode);
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

export function notEditableFailure(file: string, reason: string): Failure {
  return new Failure('setting', `${file} ${reason}.`, {
    hint: 'Nothing was changed. Correct the file, or edit it by hand: --print-config HOST prints the entry.',
  });
}
