import type { JournalRecord, JournalState } from '../../model/journal.ts';
import { userField } from '../../model/journal.ts';
import { keyOf, type Place } from '../../model/key.ts';
import { type BucketStorage, deletedField, versionOf } from './bucket-storage.ts';
import type { Client, Reply } from './client.ts';

/** The number of the intent an object was written for. */
export const recordField = 'x-amz-meta-oj-rec';
/** The hash of its bytes, which is believed together with its intent only. */
export const hashField = 'x-amz-meta-sha256';

/** An object beside what the journal says of it. */
export interface Sight {
  /** undefined: there is no file; there may be an empty body that stands for a deleted one. */
  hash: string | undefined;
  /** What a change has to find: undefined for nothing at all. */
  tag: string | undefined;
  modifiedMs: number;
  /** The open intent that has made it: its author has not come to enter its end, or never will. */
  made: JournalRecord | undefined;
  /** Other open intents about the same file. */
  open: readonly JournalRecord[];
  /** Changes when anybody enters anything about the file. */
  story: string;
}

/**
 * Asks the store about a file, and the journal until what both say fits together or is known not to. What others have
 * entered since is not asked for: whoever enters something after it will meet it.
 */
export async function lookAt(
  client: Client,
  storage: BucketStorage,
  { known, refresh }: { known: () => Promise<JournalState>; refresh: () => Promise<JournalState> },
  place: Place,
): Promise<Sight> {
  const ask = async (): Promise<Reply> => await client.ask({ method: 'HEAD', key: keyOf(place) });
  const [first, own] = await Promise.all([ask(), known()]);
  const isNews = Number(first.headers[recordField] ?? 0) > own.seq;
  const state = isNews ? await refresh() : own;
  const sight = await sightOf(first, state, storage, place);
  if (isExplained(sight, state, place)) return sight;
  // The journal may be newer than what was seen, or older: seen again with the journal known, and the journal after it.
  await refresh();
  const second = await ask();
  return await sightOf(second, await refresh(), storage, place);
}

/** Whether the journal accounts for what is there. */
function isExplained({ hash, made }: Sight, state: JournalState, place: Place): boolean {
  return made !== undefined || (hash ?? null) === (state.file(place)?.hash ?? null);
}

/** What has been entered about a file so far. */
export function storyOf(state: JournalState, place: Place): string {
  const { hash, tag, changedMs } = state.file(place) ?? {};
  return JSON.stringify([hash, tag, changedMs, openAbout(state, place).map(({ seq }) => seq)]);
}

function openAbout(state: JournalState, { path, user }: Place): JournalRecord[] {
  return [...state.open.values()].filter(intent => intent.path === path && intent.user === userField(user));
}

async function sightOf(reply: Reply, state: JournalState, storage: BucketStorage, place: Place): Promise<Sight> {
  const about = openAbout(state, place);
  const story = storyOf(state, place);
  const { status, headers } = reply;
  if (status !== 200) return { hash: undefined, tag: undefined, modifiedMs: 0, made: undefined, open: about, story };
  const tag = versionOf(reply);
  const modifiedMs = Date.parse(headers['last-modified'] ?? '') || 0;
  const isDeleted = headers[deletedField] !== undefined;
  const said = isDeleted ? null : headers[hashField];
  const made = about.find(({ seq, new: next }) => String(seq) === headers[recordField] && next === said);
  const open = about.filter(intent => intent !== made);
  const known = state.file(place);
  let hash: string | undefined;
  if (!isDeleted) {
    if (made !== undefined) hash = made.new ?? undefined;
    else if (known?.tag === tag && known.hash !== null) hash = known.hash;
    else hash = await storage.hash(keyOf(place));
  }
  return { hash, tag, modifiedMs, made, open, story };
}
