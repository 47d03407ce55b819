import { readFileSync, readlinkSync } from 'node:fs';
import { systemErrorCodeOf, tryOrUndefined } from '../errors/system-error.ts';

/**
 * Returns the start time of a process in clock ticks since the boot, or '' if the system has no /proc. The time
 * distinguishes the process from a later one with the same id.
 */
export function processStartTimeOf(pid: number): string {
  // The name of the program is in parentheses and may itself contain spaces and parentheses.
  const stat = readSystemFile(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Returns whether a process has ended but its parent has not read its exit code. */
export function isZombieProcess(pid: number): boolean {
  const stat = readSystemFile(`/proc/${pid}/stat`);
  return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

/** Returns the namespace in which process ids are valid, or '' if the system has no namespaces. */
export function readPidNamespace(): string {
  return tryOrUndefined(() => readlinkSync('/proc/self/ns/pid')) ?? '';
}

export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return systemErrorCodeOf(error) === 'EPERM';
  }
}

/** Returns the text of a small file such as those in /proc, or '' if it cannot be read. */
export function readSystemFile(file: string): string {
  return tryOrUndefined(() => readFileSync(file, 'utf8').trim()) ?? '';
}
