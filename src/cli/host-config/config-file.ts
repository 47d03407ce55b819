import * as fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../errors/failure.ts';
import { reasonOf } from '../../errors/reason.ts';
import { systemErrorCodeOf, tryOrUndefined } from '../../errors/system-error.ts';
import { readJson } from '../../text/json.ts';
import {
  createFileExclusively,
  createFolderWithOwner,
  type FileOwner,
  overwriteFile,
  replaceFileByRename,
} from './write-file.ts';

/** The configuration file of a host. `path` is the target if the host's path is a symbolic link. */
export interface ConfigFile {
  path: string;
  isLink: boolean;
  /** The content without a byte order mark, or undefined if the file does not exist. */
  content: string | undefined;
  hasMark: boolean;
}

const byteOrderMark = '\ufeff';
const privateMode = 0o600;

const systemRemedy = 'Remove this cause, or edit the file by hand';

export function readConfigFile(name: string): ConfigFile {
  let isLink = false;
  try {
    isLink = fs.lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    const file = fs.realpathSync(name);
    // Only regular files are read, because reading a pipe or a device could wait forever.
    const stats = fs.statSync(file);
    if (!stats.isFile() && !stats.isDirectory()) throw createNotEditableFailure(file, 'is not a regular file');
    const bytes = fs.readFileSync(file);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) throw createNotEditableFailure(file, 'is not text in UTF-8');
    const hasMark = text.startsWith(byteOrderMark);
    return { path: file, isLink, content: hasMark ? text.slice(1) : text, hasMark };
  } catch (error) {
    const code = systemErrorCodeOf(error);
    if (code === 'ENOENT' && !isLink) return { path: path.resolve(name), isLink, content: undefined, hasMark: false };
    if (code === undefined) throw error;
    throw createNotEditableFailure(
      name,
      isLink && code === 'ENOENT' ? 'is a link to a missing file' : `cannot be read: ${reasonOf(code)}`,
      systemRemedy,
    );
  }
}

/** Throws an error for a file that cannot be replaced, before the program prints or writes anything. */
export function requireWritableConfigFile({ path: file, content }: ConfigFile): void {
  try {
    if (content !== undefined) {
      const { mode } = fs.statSync(file);
      // The superuser could write a read-only file, but its owner has protected it on purpose.
      if ((mode & 0o222) === 0) {
        throw createNotEditableFailure(file, 'is read-only', 'Make it writable, or edit it by hand');
      }
      fs.accessSync(file, fs.constants.W_OK);
    }
    let folder = path.dirname(file);
    while (!fs.existsSync(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder);
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (error) {
    throw writeFailure(file, error);
  }
}

/** Returns the content before the first installation, or undefined if the file did not exist. */
export function readOriginalContent(file: ConfigFile): string | undefined {
  try {
    return readConfigFile(originalOf(file)).content;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}

/** Returns the environment variables that the last installation wrote, or undefined if they are not known. */
export function readWrittenVariables(file: ConfigFile): unknown {
  return readJson(tryOrUndefined(() => fs.readFileSync(writtenVariablesOf(file), 'utf8')) ?? '');
}

/**
 * Stores the written variables, which contain no secret, next to the file, so that the next installation knows which it
 * may remove. They are stored after the file was replaced: if the process is killed in between, a repeated installation
 * stores them.
 */
export function storeWrittenVariables(file: ConfigFile, fields: object): void {
  if (Object.keys(fields).length === 0) return fs.rmSync(writtenVariablesOf(file), { force: true });
  writeCopy(file, writtenVariablesOf(file), JSON.stringify(fields), fs.statSync(file.path));
}

/**
 * Writes a file next to the configuration file. A killed process leaves the old or the new file, because the temporary
 * file is renamed.
 */
function writeCopy({ path: file }: ConfigFile, name: string, text: string, owner: FileOwner): void {
  const temporary = `${file}.oj-mcp-copy-${process.pid}.tmp`;
  try {
    createFileExclusively(temporary, text, privateMode, owner);
    fs.renameSync(temporary, name);
  } catch (error) {
    throw writeFailure(name, error);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

function writtenVariablesOf({ path: file }: ConfigFile): string {
  return `${file}.oj-mcp-variables`;
}

function originalOf({ path: file }: ConfigFile): string {
  return `${file}.oj-mcp-original`;
}

/**
 * Removes the backup files that are not needed after an uninstallation, and temporary files of processes that were
 * killed.
 */
export function removeLeftoverFiles(file: ConfigFile, isInstalled: boolean): void {
  const folder = path.dirname(file.path);
  const prefix = `${path.basename(file.path)}.oj-mcp-`;
  const names = tryOrUndefined(() => fs.readdirSync(folder)) ?? [];
  const unused = names.filter(name => {
    const id = name.startsWith(prefix) ? /^(?:copy-)?(\d+)\.tmp$/.exec(name.slice(prefix.length))?.[1] : undefined;
    return id !== undefined && !isRunning(Number(id));
  });
  if (!isInstalled) unused.push(path.basename(originalOf(file)), path.basename(writtenVariablesOf(file)));
  for (const name of unused) tryOrUndefined(() => fs.rmSync(path.join(folder, name), { force: true }));
}

/** Returns whether another running process has this id. */
function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0) && id !== process.pid;
  } catch (error) {
    return systemErrorCodeOf(error) === 'EPERM';
  }
}

/**
 * Replaces the file in one step, or deletes it if `edited` is undefined, so that a killed process leaves the old or the
 * new file. Returns the path of a backup with the old bytes. A new file is readable by its owner only. An existing file
 * keeps its mode and owner. `isFirst` means that this server is installed for the first time.
 */
export function writeConfigFile(file: ConfigFile, edited: string | undefined, isFirst: boolean): string | undefined {
  const temporary = `${file.path}.oj-mcp-${process.pid}.tmp`;
  const mark = file.hasMark ? byteOrderMark : '';
  const text = edited === undefined ? undefined : mark + edited;
  try {
    if (file.content !== undefined) return changeFile(file, temporary, mark + file.content, text, isFirst);
    createFileExclusively(temporary, text ?? '', privateMode, createFolderWithOwner(path.dirname(file.path)));
    requireSameContent(file.path, undefined);
    fs.renameSync(temporary, file.path);
    return undefined;
  } catch (error) {
    if (isFirst) tryOrUndefined(() => fs.rmSync(originalOf(file), { force: true }));
    throw writeFailure(file.path, error);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

function changeFile(
  file: ConfigFile,
  temporary: string,
  before: string,
  text: string | undefined,
  isFirst: boolean,
): string {
  const backup = `${file.path}.oj-mcp-backup`;
  const stats = fs.statSync(file.path);
  // The backup is written after the temporary file. If the disk is full, the first write fails and an earlier backup is
  // kept.
  const hasOwner = text === undefined || createFileExclusively(temporary, text, stats.mode & 0o777, stats);
  if (isFirst) writeCopy(file, originalOf(file), before, stats);
  writeCopy(file, backup, before, stats);
  requireSameContent(file.path, before);
  // A file is overwritten in place if it has several hard links, or an owner that a new file cannot get. Renaming a new
  // file would separate the links or change the owner.
  if (text === undefined) fs.rmSync(file.path);
  else if (stats.nlink > 1 || !hasOwner) overwriteFile(file.path, text);
  else replaceFileByRename(temporary, file.path, text);
  return backup;
}

function requireSameContent(file: string, before: string | undefined): void {
  const now = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  if (now !== before) throw createNotEditableFailure(file, 'was changed by another program just now');
}

function writeFailure(file: string, error: unknown): unknown {
  const code = systemErrorCodeOf(error);
  return code === undefined
    ? error
    : createNotEditableFailure(
        file,
        `cannot be written: ${reasonOf(code, code, { ENOENT: 'its folder cannot be created' })}`,
        systemRemedy,
      );
}

export function createNotEditableFailure(
  file: string,
  reason: string,
  remedy = 'Correct the file, or edit it by hand',
): Failure {
  return new Failure('setting', `${file} ${reason}.`, {
    hint: `Nothing was changed. ${remedy}: --print-config HOST prints the entry.`,
  });
}
