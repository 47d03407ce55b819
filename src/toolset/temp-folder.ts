import { existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { tryOrUndefined } from '../errors/system-error.ts';
import { describeWriteError, tryWriting } from './create-folders.ts';
import { isProcessRunning, isZombieProcess, processStartTimeOf, readPidNamespace } from './process-identity.ts';
import type { CheckResult } from './toolset.ts';

/**
 * Creates a new folder with mode 0700 in the temporary folder of the system. Its name contains the process id, so that
 * the next process can remove the folder if this process is killed.
 */
export function createTempFolder(kind: 'archive' | 'sample'): string {
  const parent = tmpdir();
  tryOrUndefined(() => removeLeftovers(parent));
  const owner = `${process.pid}-${processStartTimeOf(process.pid)}-${namespaceNumber()}`;
  return realpathSync(mkdtempSync(path.join(parent, `oj-mcp-${kind}-${owner}-`)));
}

/** Returns a result of --check: good if the program can write to a temporary folder, and otherwise the reason. */
export function checkTempFolder(good: string): CheckResult {
  try {
    tryWriting(tmpdir());
    return { isGood: true, line: good };
  } catch (error) {
    const reason = existsSync(tmpdir()) ? describeWriteError(error) : 'it does not exist';
    const line = `the folder for temporary files, ${tmpdir()}, cannot be written: ${reason}`;
    const hint = 'Set TMPDIR (on Windows TEMP) to a folder that the user who runs the host can write.';
    return { isGood: false, line, hint };
  }
}

const folderName = /^oj-mcp-(?:archive|sample)-(\d+)-(\d*)-(\d*)-[A-Za-z0-9]{6}$/;

function removeLeftovers(parent: string): void {
  const namespace = namespaceNumber();
  for (const name of readdirSync(parent)) {
    const [, pid, started = '', itsNamespace] = folderName.exec(name) ?? [];
    if (pid === undefined || itsNamespace !== namespace || isAlive(Number(pid), started)) continue;
    const folder = path.join(parent, name);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true || stat.uid !== (process.getuid?.() ?? stat.uid)) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number, started: string): boolean {
  if (!isProcessRunning(pid) || isZombieProcess(pid)) return false;
  return started === '' || processStartTimeOf(pid) === '' || processStartTimeOf(pid) === started;
}

/** Returns the number of the process-id namespace from a link such as `pid:[4026531836]`. */
function namespaceNumber(): string {
  return /\d+/.exec(readPidNamespace())?.[0] ?? '';
}
