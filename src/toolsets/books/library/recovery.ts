import { Failure } from '../../../errors/failure.ts';
import { type JournalRecord, type JournalRecordDraft, type JournalState, journalNameOfUser } from '../model/journal.ts';
import { type FileLocation, storageKeyOf } from '../model/key.ts';
import { externalChangeRecordOf, fileOfRecord, findRequiredFileOfMove, outcomeRecordOf } from '../model/record.ts';
import { errorCodeOfAuditRecord } from '../model/refusal.ts';
import type { FileObservation, JournalWriteSession, ReplaceableFile } from '../storage/book-backend.ts';
import { toStorageFailure } from '../storage/system-error.ts';

/** The content of a file, before it is compared with the journal. */
interface FoundVersion extends Pick<FileObservation, 'arrivedMs' | 'hash' | 'tag'> {
  /** The number of the intent record of the change that wrote the content. Undefined means that it can be any change. */
  writer: number | undefined;
}

/**
 * Compares the content of a file with the journal. The result states which unfinished change wrote the content, and
 * lists the other unfinished changes.
 */
export function compareWithJournal(state: JournalState, place: FileLocation, found: FoundVersion): FileObservation {
  const { hash, tag, arrivedMs, writer } = found;
  const candidates = unfinishedIntentsOf(state, place);
  const appliedIntent = candidates.find(({ seq, new: next }) => (writer ?? seq) === seq && next === (hash ?? null));
  const openIntents = candidates.filter(intent => intent !== appliedIntent);
  return { hash, tag, arrivedMs, appliedIntent, openIntents, revision: revisionOf(state, place) };
}

/** Returns whether the journal contains the change that wrote the current content of a file. */
export function isExplainedByJournal(
  { hash, appliedIntent }: FileObservation,
  state: JournalState,
  place: FileLocation,
): boolean {
  return appliedIntent !== undefined || (hash ?? null) === (state.file(place)?.hash ?? null);
}

/**
 * Returns the records that are missing in the journal to describe the current state of the file, before a new change is
 * appended. Returns undefined if the journal has newer records of the file.
 */
export function reconcileFileWithJournal(
  session: Pick<JournalWriteSession, 'isAbandoned'>,
  state: JournalState,
  place: FileLocation,
  { appliedIntent, openIntents, hash, tag, arrivedMs, revision }: FileObservation,
): JournalRecordDraft[] | undefined {
  if (revisionOf(state, place) !== revision) return undefined;
  const drafts: JournalRecordDraft[] =
    appliedIntent === undefined ? [] : [outcomeRecordOf(appliedIntent, 'commit', { tag })];
  for (const intent of openIntents) {
    if (!session.isAbandoned(intent)) continue;
    // If the file has neither the old nor the new content, the result of the change is unknown.
    drafts.push(outcomeRecordOf(intent, 'abort', intent.prev === (hash ?? null) ? {} : { status: 'unknown' }));
  }
  const external = appliedIntent === undefined ? externalChangeRecordOf(state, place, hash, arrivedMs) : undefined;
  if (external !== undefined) drafts.push({ ...external, tag });
  return drafts;
}

/** Appends the records that are missing in the journal to describe the current state of the file. */
export async function recordObservedFile(
  session: JournalWriteSession,
  place: FileLocation,
  observation: FileObservation,
): Promise<void> {
  await session.append({
    key: storageKeyOf(place),
    draft: state => reconcileFileWithJournal(session, state, place, observation),
  });
}

/**
 * Appends a commit or abort record for each unfinished change, whose record was lost or whose process was killed.
 * Returns the state of the journal afterwards.
 */
export async function recoverUnfinishedChanges(session: JournalWriteSession): Promise<JournalState> {
  const state = await session.refresh();
  const intents = new Map(
    [...state.open.values()].map(intent => [storageKeyOf(fileOfRecord(session.book, intent)), intent]),
  );
  for (const intent of intents.values()) await recoverFile(session, fileOfRecord(session.book, intent));
  return state;
}

/**
 * Reads the state of a file after recovery. If a move was interrupted after the new file was created, and neither file
 * was changed since, the former file is deleted first.
 */
export async function observeFileAfterRecovery(
  session: JournalWriteSession,
  place: FileLocation,
): Promise<ReplaceableFile> {
  const observed = await session.observe(place);
  for (const intent of observed.openIntents) {
    const target = findRequiredFileOfMove(intent);
    if (target === undefined || !session.isAbandoned(intent) || intent.prev !== (observed.hash ?? null)) continue;
    const changedMs = (await session.refresh()).file(place)?.changedMs ?? 0;
    const created = await session.observe({ ...place, path: target.path });
    if (changedMs > Date.parse(intent.time) || target.hash !== (created.hash ?? null)) continue;
    const deletion = await observed.prepare(undefined);
    try {
      await deletion.replace(intent);
    } finally {
      deletion.close();
    }
    return await session.observe(place);
  }
  return observed;
}

async function recoverFile(session: JournalWriteSession, place: FileLocation): Promise<void> {
  let observed: ReplaceableFile;
  try {
    observed = await observeFileAfterRecovery(session, place);
  } catch (error) {
    const failure = toStorageFailure(error, `Reading ${storageKeyOf(place)} failed`, storageKeyOf(place));
    if (!session.isExclusive || !(failure instanceof Failure)) throw failure;
    // The result of the unfinished changes is unknown, because a link or a folder has replaced the file.
    const facts = { status: 'unknown', error: errorCodeOfAuditRecord(failure) };
    await session.append({
      draft: state => unfinishedIntentsOf(state, place).map(intent => outcomeRecordOf(intent, 'abort', facts)),
    });
    return;
  }
  const { appliedIntent, openIntents } = observed;
  if (appliedIntent === undefined && !openIntents.some(intent => session.isAbandoned(intent))) return;
  if (appliedIntent !== undefined) await observed.sync?.();
  await recordObservedFile(session, place, observed);
}

/**
 * A scan has found a file that differs from the journal. If an unfinished change explains the difference, the commit
 * record of this change is used instead of a record about a change by another program.
 */
export function replaceExternalChangesWithCommits(
  drafts: readonly JournalRecordDraft[],
  state: JournalState,
): JournalRecordDraft[] {
  return drafts.map(draft => {
    if (draft.kind !== 'external') return draft;
    const { path, user } = draft;
    const its = [...state.open.values()].find(
      intent => intent.path === path && intent.user === user && intent.new === draft.new && intent.prev === draft.prev,
    );
    return its === undefined ? draft : outcomeRecordOf(its, 'commit', { tag: draft.tag });
  });
}

/** Returns a string that changes with each new journal record of the file. */
function revisionOf(state: JournalState, place: FileLocation): string {
  const { hash, tag, changedMs } = state.file(place) ?? {};
  const intents = unfinishedIntentsOf(state, place).map(({ seq }) => seq);
  return `${hash} ${changedMs} ${intents.join()} ${tag}`;
}

export function unfinishedIntentsOf(state: JournalState, { path, user }: FileLocation): JournalRecord[] {
  return [...state.open.values()].filter(intent => intent.path === path && intent.user === journalNameOfUser(user));
}
