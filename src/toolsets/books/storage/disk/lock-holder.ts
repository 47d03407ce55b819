import { hostname } from 'node:os';
import * as v from 'valibot';
import { readJson } from '../../../../text/json.ts';
import {
  isProcessRunning,
  isZombieProcess,
  processStartTimeOf,
  readPidNamespace,
  readSystemFile,
} from '../../../../toolset/process-identity.ts';

/** Describes the process that holds a lock, so that another process can decide whether it is alive. */
const LockHolder = v.object({
  host: v.string(),
  boot: v.string(),
  pidNamespace: v.string(),
  pid: v.number(),
  started: v.string(),
  /**
   * The device and inode numbers of the locked folder. If they differ from the folder's numbers, the lock was copied
   * together with the library and has no valid holder.
   */
  folder: v.fallback(v.string(), ''),
  nonce: v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}$/)),
});
export type LockHolder = v.InferOutput<typeof LockHolder>;

export type ProcessLiveness = 'alive' | 'dead' | 'unknown';

/** The fields that all locks of this process share. */
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

/** Decides whether the holder of a lock is alive, if this machine can know it. */
export function checkLiveness(holder: LockHolder, self: LockHolder): ProcessLiveness {
  if (holder.host !== self.host) return 'unknown';
  if (holder.boot !== self.boot) return 'dead';
  if (holder.pidNamespace !== self.pidNamespace) return 'unknown';
  // Different inode numbers mean that the lock was probably copied with the library. This is not certain, because some
  // file systems change inode numbers.
  if (holder.folder !== self.folder) return 'unknown';
  if (self.started === '') return isProcessRunning(holder.pid) ? 'unknown' : 'dead';
  const started = processStartTimeOf(holder.pid);
  // A process with an unknown start time may be alive, because the operating system may hide the processes of other
  // users.
  if (started === '') return isProcessRunning(holder.pid) ? 'unknown' : 'dead';
  return started === holder.started && !isZombieProcess(holder.pid) ? 'alive' : 'dead';
}

export function parseLockHolder(text: string): LockHolder | undefined {
  const parsed = v.safeParse(LockHolder, readJson(text));
  return parsed.success ? parsed.output : undefined;
}
