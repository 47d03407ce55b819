import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemCode, unlessRefused } from '../../../../errors/system-error.ts';
import { readJson } from '../../../../text/json.ts';

/** Who holds a lock: enough to tell from the outside whether it still lives. */
export interface Holder {
  host: string;
  boot: string;
  pidNamespace: string;
  pid: number;
  started: string;
  /** The number of the folder the lock is in, and of its device: in a copy of the library the lock is nobody's. */
  folder: string;
  nonce: string;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

/** What is the same in all locks of this process. */
export type Self = Omit<Holder, 'folder' | 'nonce'>;

export function describeProcess(): Self {
  return {
    host: `${hostname()} ${readText('/etc/machine-id')}`.trim(),
    boot: readText('/proc/sys/kernel/random/boot_id'),
    pidNamespace: unlessRefused(() => readlinkSync('/proc/self/ns/pid')) ?? '',
    pid: process.pid,
    started: startTime(statOf(process.pid)) ?? '',
  };
}

/** Whether the holder lives, as far as can be told from here. */
export function liveness(holder: Holder, self: Holder): Liveness {
  if (holder.host !== self.host) return 'unknown';
  if (holder.boot !== self.boot) return 'dead';
  if (holder.pidNamespace !== self.pidNamespace) return 'unknown';
  // Copied with the library, most likely; but some file systems give a folder another number now and then.
  if (holder.folder !== self.folder) return 'unknown';
  if (self.started === '') return isRunning(holder.pid) ? 'unknown' : 'dead';
  const stat = statOf(holder.pid);
  // Other users' processes may be hidden.
  if (stat === '') return isRunning(holder.pid) ? 'unknown' : 'dead';
  // The start time tells a process from a later one that got the same number.
  return startTime(stat) === holder.started ? 'alive' : 'dead';
}

export function readHolder(text: string): Holder | undefined {
  const value = readJson(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const names = ['host', 'boot', 'pidNamespace', 'started', 'folder', 'nonce'];
  const [host, boot, pidNamespace, started, folder, nonce] = names.map(name => {
    const field = fields.get(name);
    return typeof field === 'string' ? field : undefined;
  });
  const pid = fields.get('pid');
  if (host === undefined || boot === undefined || pidNamespace === undefined || started === undefined) return undefined;
  if (nonce === undefined || !/^[0-9a-f-]{36}$/.test(nonce) || typeof pid !== 'number') return undefined;
  return { host, boot, pidNamespace, pid, started, folder: folder ?? '', nonce };
}

function statOf(pid: number): string {
  return readText(`/proc/${pid}/stat`);
}

/** In clock ticks since the boot; undefined for a process that only waits to be buried. */
function startTime(stat: string): string | undefined {
  // The name, in parentheses, may itself have spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return systemCode(error) === 'EPERM';
  }
}

function readText(file: string): string {
  return unlessRefused(() => readFileSync(file, 'utf8').trim()) ?? '';
}
