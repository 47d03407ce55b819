// Reads memory and CPU time of a process from /proc. Returns undefined on systems without it.
import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ is 100 on all common Linux systems. */
const msPerTick = 10;

export function residentMiB(pid) {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

/** Returns the maximum resident memory since the start of the process. */
export function peakMiB(pid) {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

/**
 * Returns the user and system time of all threads, or of all ended children. The resolution of 10 ms is sufficient only
 * for long work.
 */
export function cpuMs(pid, scope = 'own') {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === '') return undefined;
  // The second field is the name of the program in parentheses and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const first = scope === 'own' ? 11 : 13;
  return (Number(fields[first]) + Number(fields[first + 1])) * msPerTick;
}

/** Returns the CPU time of each living thread with a resolution of nanoseconds, for work of a few milliseconds. */
export function threadCpuMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return new Map(threads.map(id => [id, Number(read(`/proc/${pid}/task/${id}/schedstat`).split(' ')[0]) / 1e6]));
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
