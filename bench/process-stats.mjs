// What the kernel knows about a process; undefined where there is no /proc.
import { readFileSync } from 'node:fs';

/** USER_HZ: the same on every Linux a benchmark is likely to meet. */
const msPerTick = 10;

export function residentMiB(pid) {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

/** The most that was resident since the process began. */
export function peakMiB(pid) {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

/** User and system time of all threads, or of all children that have ended, to 10 ms: meaningful over much work only. */
export function cpuMs(pid, whose = 'own') {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === '') return undefined;
  // The second field is the program's name in brackets, which may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const first = whose === 'own' ? 11 : 13;
  return (Number(fields[first]) + Number(fields[first + 1])) * msPerTick;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
