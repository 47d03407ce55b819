import { Failure } from '../../../errors/failure.ts';
import { ignoreExpectedError } from '../../../log/bug.ts';
import { sha256Of } from '../model/hash.ts';
import type { JournalRecord, JournalRecordDraft } from '../model/journal.ts';
import { type FileLocation, storageKeyOf } from '../model/key.ts';
import { computeJournalDurationMs, intentRecordOf, moveIntentRecordsOf, outcomeRecordOf } from '../model/record.ts';
import type { JournalWriteSession, PendingChangeOutcome, ReplaceableFile } from '../storage/book-backend.ts';
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
  change: FileChangePlan<Decision>,
): Promise<FileChangeResult<Decision> | undefined> {
  const { place, from, bytes, decide } = change;
  const hash = bytes && sha256Of(bytes);
  for (let attempt = 0; await session.mayTry(attempt); attempt++) {
    const observed = await observeFileAfterRecovery(session, place);
    const former = from && { place: from, observed: await observeFileAfterRecovery(session, from) };
    const previous = observed.hash;
    let decision: Decision;
    try {
      decision = decide(previous, former?.observed.hash);
    } catch (error) {
      await keepObservation(session, place, observed);
      if (former !== undefined) await keepObservation(session, former.place, former.observed);
      throw error;
    }
    const isDone = bytes === undefined && previous === undefined;
    if (isDone) await keepObservation(session, place, observed);
    const apply = async (): Promise<boolean> =>
      former === undefined
        ? await applyChange(session, change, observed, hash)
        : await applyMove(session, change, observed, former, hash);
    if (isDone || (await apply())) return { decision, previous, hash };
  }
  return undefined;
}

/**
 * Records the current content of a file that this change does not modify, because another program may have changed the
 * file.
 */
async function keepObservation(
  session: JournalWriteSession,
  place: FileLocation,
  observed: ReplaceableFile,
): Promise<void> {
  const recorded = recordObservedFile(session, place, observed);
  if (session.isExclusive) await recorded;
  // An error is ignored, because the next operation on the file records the same change.
  else void recorded.catch(ignoreExpectedError);
}

/** Writes a change to the journal and the file. Returns false if the file has changed since its state was read. */
async function applyChange(
  session: JournalWriteSession,
  { place, bytes, author }: FileChangePlan<unknown>,
  observed: ReplaceableFile,
  hash: string | undefined,
): Promise<boolean> {
  const started = performance.now();
  const replacement = await observed.prepare(bytes);
  try {
    const intent = intentRecordOf(place, author, observed.hash, hash);
    const appended = await session.append({
      key: storageKeyOf(place),
      draft: state => {
        const drafts = reconcileFileWithJournal(session, state, place, observed);
        return drafts && [...drafts, intent];
      },
    });
    const own = appended?.at(-1);
    if (own === undefined) return false;
    const replaced = await replacement.replace(own);
    const facts = { ms: computeJournalDurationMs(started, performance.now()), ...replaced };
    await session.appendEnd(intentEnd(own, place, replaced === undefined ? 'abort' : 'commit', facts));
    return replaced !== undefined;
  } finally {
    replacement.close();
  }
}

/**
 * Writes a move: creates the new file, then deletes the former one. Both intent records are appended together, and the
 * new file is durable before the deletion, so that no crash loses both files. Returns false if one of the files has
 * changed since it was read.
 */
async function applyMove(
  session: JournalWriteSession,
  { place, bytes, author }: FileChangePlan<unknown>,
  observed: ReplaceableFile,
  former: { place: FileLocation; observed: ReplaceableFile },
  hash: string | undefined,
): Promise<boolean> {
  const started = performance.now();
  const creation = await observed.prepare(bytes);
  const deletion = await former.observed.prepare(undefined);
  try {
    const intents = moveIntentRecordsOf(former.place, place, author, { from: former.observed.hash, to: hash });
    const appended = await session.append({
      isExclusive: true,
      draft: state => {
        const drafts = reconcileFileWithJournal(session, state, place, observed);
        const others = reconcileFileWithJournal(session, state, former.place, former.observed);
        return drafts && others && [...drafts, ...others, ...intents];
      },
    });
    const [create, remove] = appended?.slice(-2) ?? [];
    if (create === undefined || remove === undefined) return false;
    const created = await creation.replace(create);
    const removed = created && (await deletion.replace(remove));
    const ms = computeJournalDurationMs(started, performance.now());
    await session.appendEnd(intentEnd(create, place, created === undefined ? 'abort' : 'commit', { ms, ...created }));
    await session.appendEnd(
      intentEnd(remove, former.place, removed === undefined ? 'abort' : 'commit', { ms, ...removed }),
    );
    if (created === undefined || removed !== undefined) return removed !== undefined;
  } finally {
    creation.close();
    deletion.close();
  }
  // The former file stays, because another program has changed it. The new copy is deleted again, unless a program has
  // changed it too.
  const decide = (current: string | undefined): void => {
    if (current !== hash) throw new Failure('refused', `${storageKeyOf(place)} was changed during a move.`);
  };
  await runFileChange(session, { place, bytes: undefined, decide, author }).catch(ignoreExpectedError);
  return false;
}

/**
 * Returns the commit or abort record of a change. The record is appended, unless another process has already appended
 * it.
 */
function intentEnd(
  own: JournalRecord,
  place: FileLocation,
  kind: 'abort' | 'commit',
  facts: Partial<JournalRecordDraft>,
): PendingChangeOutcome {
  return {
    key: storageKeyOf(place),
    intent: own.seq,
    draft: state => {
      if (!state.open.has(own.seq)) return [];
      const isNext = (state.file(place)?.hash ?? null) === own.prev;
      // If another process has recorded the new content as a change by another program, this change ends with an abort
      // record.
      return [
        kind === 'commit' && !isNext
          ? outcomeRecordOf(own, 'abort', { status: 'overtaken' })
          : outcomeRecordOf(own, kind, facts),
      ];
    },
  };
}
