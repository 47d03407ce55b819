import { Failure } from '../../../errors/failure.ts';
import { type JournalRecord, type JournalState, type RecordDraft, userInJournal } from '../model/journal.ts';
import { type FileLocation, storageKeyOf } from '../model/key.ts';
import { externalChangeRecordOf, fileOfRecord, outcomeRecordOf, requiredFileOfMove } from '../model/record.ts';
import { failureCode } from '../model/refusal.ts';
import type { Observation, ObservedFile, WriteSession } from '../storage/book-backend.ts';
import { toStorageFailure } from '../storage/system-error.ts';

/** A version of a file, before it is compared with the journal. */
interface FoundVersion extends Pick<Observation, 'arrivedMs' | 'hash' | 'tag'> {
  /** Returns whether the intent with this number may have written the version. The hashes must match as well. */
  isWrittenBy(seq: number): boolean;
}

/** Compares a version of a file with the journal. */
export function compareWithJournal(state: JournalState, place: FileLocation, found: FoundVersion): Observation {
  const { hash, tag, arrivedMs } = found;
  const candidates = unfinishedIntentsOf(state, place);
  const appliedIntent = candidates.find(({ seq, new: next }) => found.isWrittenBy(seq) && next === (hash ?? null));
  const openIntents = candidates.filter(intent => intent !== appliedIntent);
  return { hash, tag, arrivedMs, appliedIntent, openIntents, revision: revisionOf(state, place) };
}

/** Returns whether the journal explains the version of a file. */
export function isExplainedByJournal(
  { hash, appliedIntent }: Observation,
  state: JournalState,
  place: FileLocation,
): boolean {
  return appliedIntent !== undefined || (hash ?? null) === (state.file(place)?.hash ?? null);
}

/**
 * Returns the records that an observation adds before a new change, or undefined if the journal has newer records of
 * the file.
 */
export function reconcileObservation(
  session: Pick<WriteSession, 'isAbandoned'>,
  state: JournalState,
  place: FileLocation,
  { appliedIntent, openIntents, hash, tag, arrivedMs, revision }: Observation,
): RecordDraft[] | undefined {
  if (revisionOf(state, place) !== revision) return undefined;
  const facts = tag === undefined ? {} : { tag };
  const drafts: RecordDraft[] = appliedIntent === undefined ? [] : [outcomeRecordOf(appliedIntent, 'commit', facts)];
  for (const intent of openIntents) {
    if (!session.isAbandoned(intent)) continue;
    // If the content is not the former one, it is unknown whether the change happened.
    drafts.push(outcomeRecordOf(intent, 'abort', intent.prev === (hash ?? null) ? {} : { status: 'unknown' }));
  }
  const external = appliedIntent === undefined ? externalChangeRecordOf(state, place, hash, arrivedMs) : undefined;
  if (external !== undefined) drafts.push({ ...external, ...facts });
  return drafts;
}

/** Appends the observation of a file if it is missing in the journal. */
export async function recordObservation(
  session: WriteSession,
  place: FileLocation,
  observation: Observation,
): Promise<void> {
  await session.append({
    key: storageKeyOf(place),
    draft: state => reconcileObservation(session, state, place, observation),
  });
}

/** Appends end records for open intents whose change is visible or whose author is dead. Returns the state after them. */
export async function recoverUnfinishedChanges(session: WriteSession): Promise<JournalState> {
  const state = await session.refresh();
  const intents = new Map(
    [...state.open.values()].map(intent => [storageKeyOf(fileOfRecord(session.book, intent)), intent]),
  );
  for (const intent of intents.values()) await recoverFile(session, fileOfRecord(session.book, intent));
  return state;
}

/**
 * Observes a file. If its move was interrupted after the new file was created, and neither file was changed since, the
 * former file is deleted first.
 */
export async function observeAfterRecovery(session: WriteSession, place: FileLocation): Promise<ObservedFile> {
  const observed = await session.observe(place);
  for (const intent of observed.openIntents) {
    const target = requiredFileOfMove(intent);
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

async function recoverFile(session: WriteSession, place: FileLocation): Promise<void> {
  let observed: ObservedFile;
  try {
    observed = await observeAfterRecovery(session, place);
  } catch (error) {
    const failure = toStorageFailure(error, `Reading ${storageKeyOf(place)} failed`, storageKeyOf(place));
    if (!session.isExclusive || !(failure instanceof Failure)) throw failure;
    // The file was replaced by a link or a folder, so that the result of its intents is unknown.
    const facts = { status: 'unknown', error: failureCode(failure) };
    await session.append({
      draft: state => unfinishedIntentsOf(state, place).map(intent => outcomeRecordOf(intent, 'abort', facts)),
    });
    return;
  }
  const { appliedIntent, openIntents } = observed;
  if (appliedIntent === undefined && !openIntents.some(intent => session.isAbandoned(intent))) return;
  if (appliedIntent !== undefined) await observed.sync?.();
  await recordObservation(session, place, observed);
}

/**
 * A survey compares all files with the journal, and drafts a record for each external change. If a change belongs to an
 * open intent, this function replaces its draft by the record that ends the intent.
 */
export function replaceByCommitRecords(drafts: readonly RecordDraft[], state: JournalState): RecordDraft[] {
  return drafts.map(draft => {
    if (draft.kind !== 'external') return draft;
    const { path, user } = draft;
    const its = [...state.open.values()].find(
      intent => intent.path === path && intent.user === user && intent.new === draft.new && intent.prev === draft.prev,
    );
    return its === undefined
      ? draft
      : outcomeRecordOf(its, 'commit', draft.tag === undefined ? {} : { tag: draft.tag });
  });
}

/** Returns the journal records of a file as one string. */
function revisionOf(state: JournalState, place: FileLocation): string {
  const { hash, tag, changedMs } = state.file(place) ?? {};
  return JSON.stringify([hash, tag, changedMs, unfinishedIntentsOf(state, place).map(({ seq }) => seq)]);
}

export function unfinishedIntentsOf(state: JournalState, { path, user }: FileLocation): JournalRecord[] {
  return [...state.open.values()].filter(intent => intent.path === path && intent.user === userInJournal(user));
}
