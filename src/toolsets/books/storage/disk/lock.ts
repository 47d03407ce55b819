import { createHash, randomUUID } from 'node:crypto';
import { closeSync, constants, linkSync, lstatSync, readSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorCodeOf } from '../../../../errors/system-error.ts';
import { createStorageFailure } from '../../model/refusal.ts';
import { createFileWithMode } from './file.ts';
import type { OpenFolder } from './folder.ts';
import { checkLiveness, type LockHolder, parseLockHolder } from './lock-holder.ts';
import type { LibraryRoot } from './root.ts';

const lockName = 'lock';
/** A lock expires after this time if this machine cannot check its holder, for example in another container. */
const leaseMs = 30_000;
/**
 * An empty lock file counts as abandoned after this time. On file systems without hard links, a new lock file is empty
 * for a moment.
 */
const unreadableMs = 500;
const longestPauseMs = 12;
/** Limits the number of bytes that are read from a lock file. */
const holderBytes = 4096;

export interface FileLock {
  /** Returns whether this process still holds the lock. A process that was paused for too long loses the lock. */
  isHeld(): boolean;
  release(): void;
}

interface LockRequest extends Pick<LibraryRoot, 'modes' | 'self'> {
  waitMs: number;
  /** Called if another process holds the lock. */
  onWait?: (() => void) | undefined;
}

/**
 * Acquires the lock of a folder, which excludes other processes. A lock whose holder has died is taken over
 * immediately. A living holder keeps the lock, even if it is slow. Throws an error after `waitMs`.
 */
export async function acquireLock(folder: OpenFolder, { self, modes, waitMs, onWait }: LockRequest): Promise<FileLock> {
  const nonce = randomUUID();
  const ticket = {
    name: `lock-${nonce}`,
    holder: { ...self, folder: folder.identity(), nonce },
    mode: modes.file,
  };
  try {
    writeHolder(folder, ticket.name, ticket);
    const deadline = performance.now() + waitMs;
    let pauseMs = 0.5;
    while (!claim(folder, lockName, ticket)) {
      const isFreed = removeIfDead(folder, lockName, ticket);
      if (performance.now() >= deadline) {
        // One more attempt follows after the time limit, because this process has just removed the lock of a dead
        // process.
        if (isFreed && claim(folder, lockName, ticket)) break;
        throw busy(folder);
      }
      if (!isFreed) pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
      onWait?.();
      // The delay is random, so that waiting processes do not retry at the same moments.
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  } finally {
    folder.remove(ticket.name);
  }
  return {
    isHeld: () => readFile(folder, lockName)?.includes(nonce) === true,
    release: () => {
      if (readFile(folder, lockName)?.includes(nonce) === true) folder.remove(lockName);
    },
  };
}

/** The path of a file in which a waiting process describes itself. The lock is a hard link to this file. */
interface LockTicket {
  name: string;
  holder: LockHolder;
  mode: number;
}

function writeHolder(folder: OpenFolder, name: string, { holder, mode }: LockTicket): void {
  const descriptor = createFileWithMode(folder.at(name), constants.O_WRONLY, mode);
  try {
    writeFileSync(descriptor, JSON.stringify(holder));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Creates the lock as a hard link to a file that describes this process. This is atomic, and the lock is never empty.
 */
function claim(folder: OpenFolder, name: string, ticket: LockTicket): boolean {
  try {
    linkSync(folder.at(ticket.name), folder.at(name));
    return true;
  } catch (error) {
    const code = systemErrorCodeOf(error) ?? '';
    // If the lock file names this process, the lock is acquired: a file server can create the link although its
    // response was lost.
    if (code === 'EEXIST') return readFile(folder, name)?.includes(ticket.holder.nonce) === true;
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(code)) throw error;
  }
  // The lock is created as a new file if the file system has no hard links, such as FAT.
  try {
    writeHolder(folder, name, ticket);
    return true;
  } catch (error) {
    if (systemErrorCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock whose holder is dead. Only one process may do this, because a second one could remove the lock that
 * the first one has acquired since. A guard lock with the name of the dead holder ensures this.
 */
function removeIfDead(folder: OpenFolder, name: string, ticket: LockTicket): boolean {
  const text = readFile(folder, name);
  if (text === undefined) return true;
  const holder = parseLockHolder(text);
  if (!isDead(folder, name, holder, ticket)) return false;
  const guard = `guard-${holder?.nonce ?? createHash('sha256').update(`${name}\n${text}`).digest('hex').slice(0, 36)}`;
  if (!claim(folder, guard, ticket)) return removeIfDead(folder, guard, ticket);
  try {
    if (readFile(folder, name) === text) folder.remove(name);
  } finally {
    folder.remove(guard);
  }
  return true;
}

function isDead(folder: OpenFolder, name: string, holder: LockHolder | undefined, ticket: LockTicket): boolean {
  // A lock without valid content is the result of a power failure, because a lock is never empty when it is created.
  if (holder === undefined) return ageMs(folder, name, ticket) > unreadableMs;
  const state = checkLiveness(holder, ticket.holder);
  return state === 'dead' || (state === 'unknown' && ageMs(folder, name, ticket) > leaseMs);
}

/** Returns the age of a file by the clock of the file system, because all processes share this clock. */
function ageMs(folder: OpenFolder, name: string, { name: ticket }: LockTicket): number {
  const now = new Date();
  utimesSync(folder.at(ticket), now, now);
  const file = lstatSync(folder.at(name), { throwIfNoEntry: false });
  const fresh = lstatSync(folder.at(ticket), { throwIfNoEntry: false });
  return file === undefined || fresh === undefined ? 0 : fresh.ctimeMs - file.ctimeMs;
}

function readFile(folder: OpenFolder, name: string): string | undefined {
  const descriptor = folder.openFile(name);
  if (descriptor === undefined) return undefined;
  try {
    const start = Buffer.alloc(holderBytes);
    return start.toString('utf8', 0, readSync(descriptor, start, 0, holderBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

function busy(folder: OpenFolder): Error {
  const book = path.basename(folder.path);
  return createStorageFailure('BUSY', `Another process is writing to ${book} and has not finished.`, {
    suggestion: 'Try again in a moment. If this persists, the user can look for a stopped oj-mcp process.',
  });
}
