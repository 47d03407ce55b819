import { readFileSync, readlinkSync } from 'node:fs';
import { systemCode, tryOrUndefined } from '../errors/system-error.ts';

/** The start of a process in clock ticks since the boot; '' where the system has no /proc. Tells a process from a later one with its id. */
export function startTimeOf(pid: number): string {
  // The name of the program, in parentheses, may itself contain spaces and parentheses.
  const stat = readSystemFile(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Whether a process has ended and only its exit code has not been collected yet. */
export function isZombie(pid: number): boolean {
  const stat = readSystemFile(`/proc/${pid}/stat`);
  return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

/** Process ids mean something in their namespace only; '' where there are none. */
export function readPidNamespace(): string {
  return tryOrUndefined(() => readlinkSync('/proc/self/ns/pid')) ?? '';
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return systemCode(error) === 'EPERM';
  }
}

/** The text of a small file such as those in /proc; '' where it cannot be read. */
export function readSystemFile(file: string): string {
  return tryOrUndefined(() => readFileSync(file, 'utf8').trim()) ?? '';
}
