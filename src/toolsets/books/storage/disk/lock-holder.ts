import { hostname } from 'node:os';
import { readJson } from '../../../../text/json.ts';
import {
  isProcessRunning,
  isZombieProcess,
  processStartTimeOf,
  readPidNamespace,
  readSystemFile,
} from '../../../../toolset/process-identity.ts';

/** Describes the process that holds a lock, so that another process can decide whether it is alive. */
export interface LockHolder {
  host: string;
  boot: string;
  pidNamespace: string;
  pid: number;
  started: string;
  /**
   * The device and inode numbers of the locked folder. A copy of the library has other numbers, so a copied lock has no
   * valid holder.
   */
  folder: string;
  nonce: string;
}

export type ProcessLiveness = 'alive' | 'dead' | 'unknown';

/** The fields that are the same in all locks of this process. */
export type ProcessDescription = Omit<LockHolder, 'folder' | 'nonce'>;

export function describeProcess(): ProcessDescription {
  return {
    host: `${hostname()} ${readSystemFile('/etc/machine-id')}`.trim(),
    boot: readSystemFile('/proc/sys/kernel/random/boot_id'),
    pidNamespace: readPidNamespace(),
    pid: process.pid,
    started: processStartTimeOf(process.pid),
  };
}

/** Decides whether the holder of a lock is alive, as far as this machine can know. */
export function checkLiveness(holder: LockHolder, self: LockHolder): ProcessLiveness {
  if (holder.host !== self.host) return 'unknown';
  if (holder.boot !== self.boot) return 'dead';
  if (holder.pidNamespace !== self.pidNamespace) return 'unknown';
  // The lock was probably copied together with the library. This is not certain, because some file systems change inode
  // numbers.
  if (holder.folder !== self.folder) return 'unknown';
  if (self.started === '') return isProcessRunning(holder.pid) ? 'unknown' : 'dead';
  const started = processStartTimeOf(holder.pid);
  // A process without a known start time may be alive, because the operating system may hide the processes of other
  // users.
  if (started === '') return isProcessRunning(holder.pid) ? 'unknown' : 'dead';
  return started === holder.started && !isZombieProcess(holder.pid) ? 'alive' : 'dead';
}

export function parseLockHolder(text: string): LockHolder | undefined {
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
