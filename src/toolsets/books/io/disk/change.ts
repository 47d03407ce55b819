import { randomUUID } from 'node:crypto';
import { lstatSync, renameSync, unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { userField } from '../../model/journal.ts';
import type { Place } from '../../model/key.ts';
import { endOf, externalChange } from '../../model/record.ts';
import { storageFailure } from '../../model/refusal.ts';
import type { Author, Condition, Written } from '../store/storage.ts';
import { closeDescriptor } from './descriptor.ts';
import { hashAll, signatureOf, statOf, writeNew } from './file.ts';
import { Folder } from './folder.ts';
import { hashOf } from './journal-file.ts';
import type { Held } from './ledger.ts';
import type { Ground } from './root.ts';
import { errorCode } from './system-error.ts';

export interface Change {
  place: Place;
  key: string;
  segments: readonly string[];
  /** undefined deletes. */
  bytes: Uint8Array | undefined;
  condition: Condition;
  author: Author;
}

const maxTries = 3;

/**
 * The one way a file changes. The order keeps every promise: the bytes are on the disk before the intent, the intent
 * before the change, the change before the answer. A process that dies in between leaves the old file or the new one,
 * and the next holder of the lock can tell which.
 */
export async function changeFile(ground: Ground, change: Change, held: Held, now: () => number): Promise<Written> {
  const started = performance.now();
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const written = await tryChange(ground, change, held, now, started);
    if (written !== undefined) return written;
  }
  throw storageFailure('BUSY', `${change.key} is being changed by another program.`, {
    path: change.key,
    suggestion: 'Try again in a moment.',
  });
}

/** undefined: another program has changed the file meanwhile, and nothing was done. */
async function tryChange(
  ground: Ground,
  { place, key, segments, bytes, condition, author }: Change,
  { lock, journal, state, workshop }: Held,
  now: () => number,
  started: number,
): Promise<Written | undefined> {
  const name = segments.at(-1) ?? '';
  const parents = segments.slice(0, -1);
  const before = await lookAt(ground, parents, name, key);
  const stranger = externalChange(
    state,
    place,
    before?.hash,
    before === undefined ? undefined : Math.min(before.arrivedMs, now()),
  );
  if (stranger !== undefined) journal.append([stranger], now());

  const previous = before?.hash;
  if (!holds(condition, previous)) return { isDone: false, previous, modified: new Date(now()) };
  if (bytes === undefined && previous === undefined) return { isDone: true, previous, modified: new Date(now()) };

  const folder = await Folder.make(ground, parents);
  try {
    folder.checkTarget(name);
    const piece = randomUUID();
    if (bytes !== undefined) await writeNew(workshop, piece, bytes, before?.mode);
    if (!lock.isHeld()) throw lostLock(key);
    const [intent] = journal.append(
      [
        {
          kind: 'intent',
          agent: author.agent,
          operation: author.operation,
          path: place.path,
          user: userField(place.user),
          prev: previous ?? null,
          new: bytes === undefined ? null : hashOf(bytes),
          status: 'pending',
        },
      ],
      now(),
    );
    if (intent === undefined) throw new Error('the journal has kept no intent');
    await journal.sync();

    // A holder that slept may have lost the lock, and an editor or git may have been faster.
    if (!lock.isHeld()) throw lostLock(key);
    folder.checkPlace();
    if (signatureAt(folder, name) !== before?.signature) {
      journal.append([endOf(intent, 'abort')], now());
      if (bytes !== undefined) unlinkSync(workshop.at(piece));
      return undefined;
    }
    if (bytes === undefined) unlinkSync(folder.at(name));
    else await rename(workshop.at(piece), folder.at(name));
    await folder.sync();
    const ms = Math.round((performance.now() - started) * 1000) / 1000;
    const [commit] = journal.append([endOf(intent, 'commit', { ms })], now());
    return { isDone: true, previous, modified: commit === undefined ? new Date(now()) : new Date(commit.time) };
  } finally {
    folder.close();
  }
}

function holds(condition: Condition, current: string | undefined): boolean {
  if (condition.kind === 'any') return true;
  return current === (condition.kind === 'version' ? condition.hash : undefined);
}

interface Sight {
  hash: string;
  signature: string;
  mode: number;
  arrivedMs: number;
}

async function lookAt(
  ground: Ground,
  parents: readonly string[],
  name: string,
  key: string,
): Promise<Sight | undefined> {
  const folder = Folder.open(ground, parents);
  if (folder === undefined) return undefined;
  try {
    const descriptor = folder.openFile(name);
    if (descriptor === undefined) return undefined;
    try {
      const { hash } = await hashAll(descriptor, key);
      const stat = statOf(descriptor);
      return { hash, signature: signatureOf(stat), mode: Number(stat.mode), arrivedMs: Number(stat.ctimeMs) };
    } finally {
      await closeDescriptor(descriptor);
    }
  } finally {
    folder.close();
  }
}

function signatureAt(folder: Folder, name: string): string | undefined {
  const stat = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : signatureOf(stat);
}

/** On Windows a virus scanner or an indexer may have the file open for a moment. */
async function rename(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const isTransient = ['EPERM', 'EBUSY', 'EACCES'].includes(errorCode(error) ?? '');
      if (process.platform !== 'win32' || !isTransient || attempt === 8) throw error;
      await sleep(attempt * 10);
    }
  }
}

function lostLock(key: string): Error {
  return storageFailure('BUSY', `The lock was taken over while ${key} was being written; nothing was changed.`, {
    path: key,
    suggestion: 'Read the file again and repeat the change.',
  });
}
