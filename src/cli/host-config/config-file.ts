import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../errors/failure.ts';
import { systemCode } from '../../errors/system-error.ts';

/** A host's configuration file; the file that a symbolic link leads to. */
export interface ConfigFile {
  path: string;
  /** Without a byte order mark; undefined if the file does not exist. */
  content: string | undefined;
  hasMark: boolean;
}

const byteOrderMark = '\ufeff';
const privateMode = 0o600;

export function readConfigFile(name: string): ConfigFile {
  let isLink = false;
  try {
    isLink = fs.lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    const file = fs.realpathSync(name);
    const bytes = fs.readFileSync(file);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) throw notEditable(file, 'is not text in UTF-8');
    const hasMark = text.startsWith(byteOrderMark);
    return { path: file, content: hasMark ? text.slice(1) : text, hasMark };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' && !isLink) return { path: name, content: undefined, hasMark: false };
    if (code === undefined) throw error;
    throw notEditable(name, isLink && code === 'ENOENT' ? 'is a link to a missing file' : `cannot be read (${code})`);
  }
}

/**
 * Replaces the file in one step: a process that is killed leaves the old file or the new one. Returns the path of the
 * backup. A new file is readable by its owner only; an existing one keeps its mode.
 */
export function writeConfigFile({ path: file, content, hasMark }: ConfigFile, edited: string): string | undefined {
  const temporary = `${file}.${randomUUID()}.tmp`;
  const backup = content === undefined ? undefined : `${file}.oj-mcp-backup`;
  const mark = hasMark ? byteOrderMark : '';
  try {
    if (content === undefined) fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const mode = content === undefined ? privateMode : fs.statSync(file).mode & 0o777;
    if (backup !== undefined) writeNew(backup, mark + (content ?? ''), privateMode);
    writeNew(temporary, mark + edited, mode);
    if (content !== undefined && fs.readFileSync(file, 'utf8') !== mark + content) {
      throw notEditable(file, 'was changed by another program just now');
    }
    fs.renameSync(temporary, file);
    return backup;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw notEditable(file, `cannot be written (${code})`);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Writes a file anew: never through a link that another user could have put there. */
function writeNew(file: string, text: string, mode: number): void {
  fs.rmSync(file, { force: true });
  const descriptor = fs.openSync(file, 'wx', mode);
  try {
    // The mode of `open` is reduced by the umask.
    fs.fchmodSync(descriptor, mode);
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

export function notEditable(file: string, reason: string): Failure {
  return new Failure('setting', `${file} ${reason}.`, {
    hint: 'Nothing was changed. --print-config HOST prints the configuration to add by hand.',
  });
}
