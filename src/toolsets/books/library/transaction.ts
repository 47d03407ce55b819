import { Failure } from '../../../errors/failure.ts';
import { ignoreExpectedError } from '../../../log/bug.ts';
import { sha256Of } from '../model/hash.ts';
import type { JournalRecord } from '../model/journal.ts';
import { type FileLocation, storageKeyOf } from '../model/key.ts';
import { computeElapsedMs, intentRecordOf, outcomeRecordOf } from '../model/record.ts';
import type {
  FileReplacement,
  JournalWriteSession,
  PendingChangeOutcome,
  ReplaceableFile,
} from '../storage/book-backend.ts';
import { observeFileAfterRecovery, reconcileFileWithJournal, recordObservedFile } from './recovery.ts';

export interface FileChangePlan<Decision> {
  place: FileLocation;
  /**
   * The former location of a moved file. The file at this location is deleted after the new one was created. After a
   * crash, recovery completes both steps or neither.
   */
  from?: FileLocation;
  /** The new content of the file. If it is undefined, the file is deleted. */
  bytes: Uint8Array | undefined;
  /**
   * Decides whether the change is made, and throws an error to reject it. `current` is the hash of the file, or
   * undefined if it is missing. `moved` is the hash of the file at `from`. The function is called again if another
   * writer changes the file first.
   */
  decide: (current: string | undefined, moved?: string) => Decision;
  author: ChangeAuthor;
}

export interface FileChangeResult<Decision> {
  decision: Decision;
  /**
   * `previous` is the hash of the file before the change, and `hash` is the hash after it. Undefined means that the
   * file is missing.
   */
  previous: string | undefined;
  hash: string | undefined;
}

export interface ChangeAuthor {
  agent: string;
  operation: string;
}

/** Limits the time in milliseconds that a change waits for other processes. */
export const maxChangeWaitMs = 5000;

/**
 * Changes a file in a transaction: reads its state, lets the caller decide, appends an intent record to the journal,
 * replaces the file if it is unchanged, and appends a commit or abort record. After a crash, the content of the file
 * shows whether the change was made. Returns undefined if other writers changed the file too often.
 */
export async function runFileChange<Decision>(
  session: JournalWriteSession,
  { place, from, bytes, decide, author }: FileChangePlan<Decision>,
): Promise<FileChangeResult<Decision> | undefined> {
  const hash = bytes && sha256Of(bytes);
  for (let attempt = 0; await session.mayTry(attempt); attempt++) {
    const target = { place, bytes, hash, observed: await observeFileAfterRecovery(session, place) };
    const files: FileOfChange[] = [target];
    if (from !== undefined) files.push({ place: from, observed: await observeFileAfterRecovery(session, from) });
    const previous = target.observed.hash;
    let decision: Decision;
    try {
      decision = decide(previous, files[1]?.observed.hash);
    } catch (error) {
      for (const file of files) await keepObservation(session, file);
      throw error;
    }
    const isDone = bytes === undefined && previous === undefined;
    if (isDone) await keepObservation(session, target);
    if (isDone || (await applyChange(session, files, author))) return { decision, previous, hash };
  }
  return undefined;
}

/** A file that a change replaces. A move replaces two files: it creates the new one, then deletes the former one. */
interface FileOfChange {
  place: FileLocation;
  observed: ReplaceableFile;
  /** The new content of the file and its hash. If they are undefined, the file is deleted. */
  bytes?: Uint8Array | undefined;
  hash?: string | undefined;
}

/**
 * Records the current content of a file that this change does not modify, because another program may have changed the
 * file.
 */
async function keepObservation(session: JournalWriteSession, { place, observed }: FileOfChange): Promise<void> {
  const recorded = recordObservedFile(session, place, observed);
  if (session.isExclusive) await recorded;
  // An error is ignored, because the next operation on the file records the same change.
  else void recorded.catch(ignoreExpectedError);
}

/**
 * Writes a change to the journal and to its files. The intent records of a move are appended together, and its new file
 * is durable before the former one is deleted, so that no crash loses both. Returns false if a file has changed since
 * its state was read.
 */
async function applyChange(
  session: JournalWriteSession,
  files: readonly FileOfChange[],
  author: ChangeAuthor,
): Promise<boolean> {
  const started = performance.now();
  const prepared: { place: FileLocation; replacement: FileReplacement }[] = [];
  const ends: IntentEnd[] = [];
  let replaced: { tag?: string | undefined } | undefined;
  try {
    for (const { place, bytes, observed } of files) {
      prepared.push({ place, replacement: await observed.prepare(bytes) });
    }
    const appended = await appendIntents(session, files, author);
    replaced = appended && {};
    for (const [index, { place, replacement }] of prepared.entries()) {
      const intent = appended?.at(index - files.length);
      if (intent === undefined) break;
      replaced = replaced && (await replacement.replace(intent));
      ends.push({ place, intent, replaced });
    }
    const ms = computeElapsedMs(started, performance.now());
    for (const end of ends) await session.appendEnd(pendingOutcomeOf(end, ms));
  } finally {
    for (const { replacement } of prepared) replacement.close();
  }
  if (replaced === undefined && ends[0]?.replaced !== undefined) await undoCreation(session, ends[0]);
  return replaced !== undefined;
}

/**
 * Appends the intent records of a change, after the records that are missing to describe its files. Returns undefined
 * if a file has changed since its state was read.
 */
async function appendIntents(
  session: JournalWriteSession,
  files: readonly FileOfChange[],
  author: ChangeAuthor,
): Promise<readonly JournalRecord[] | undefined> {
  const intents = files.map(({ place, observed, hash }, index) => {
    const other = files[1 - index];
    const moved = other && { path: other.place.path, hash: other.hash ?? null };
    return intentRecordOf(place, author, { from: observed.hash, to: hash }, moved);
  });
  const [first] = files;
  return await session.append({
    ...(files.length === 1 && first !== undefined ? { key: storageKeyOf(first.place) } : { isExclusive: true }),
    draft: state => {
      const missing = files.map(({ place, observed }) => reconcileFileWithJournal(session, state, place, observed));
      return missing.includes(undefined) ? undefined : [...missing.flatMap(drafts => drafts ?? []), ...intents];
    },
  });
}

/**
 * Deletes the new file of a move whose former file stays, because another program has changed the former file. The new
 * file stays if a program has changed it too.
 */
async function undoCreation(session: JournalWriteSession, { place, intent }: IntentEnd): Promise<void> {
  const decide = (current: string | undefined): void => {
    if (current !== intent.new) throw new Failure('refused', `${storageKeyOf(place)} was changed during a move.`);
  };
  const author = { agent: intent.agent, operation: intent.operation };
  await runFileChange(session, { place, bytes: undefined, decide, author }).catch(ignoreExpectedError);
}

interface IntentEnd {
  place: FileLocation;
  intent: JournalRecord;
  /** The result of the replacement, or undefined if the file was not replaced. */
  replaced: { tag?: string | undefined } | undefined;
}

/**
 * Returns the commit or abort record of a change. The record is appended, unless another process has already appended
 * it.
 */
function pendingOutcomeOf({ place, intent, replaced }: IntentEnd, ms: number): PendingChangeOutcome {
  return {
    key: storageKeyOf(place),
    intent: intent.seq,
    draft: state => {
      if (!state.open.has(intent.seq)) return [];
      if (replaced === undefined) return [outcomeRecordOf(intent, 'abort', { ms })];
      const isNext = (state.file(place)?.hash ?? null) === intent.prev;
      // If another process has recorded the new content as a change by another program, this change ends with an abort
      // record.
      return [
        isNext
          ? outcomeRecordOf(intent, 'commit', { ms, ...replaced })
          : outcomeRecordOf(intent, 'abort', { status: 'overtaken' }),
      ];
    },
  };
}
