import { type Draft, type JournalRecord, type JournalState, userField } from '../../model/journal.ts';
import { keyOf, type Place } from '../../model/key.ts';
import { endRecordOf, externalChange } from '../../model/record.ts';
import { type BucketStorage, entryFrom, isDeletionMarker, versionOf } from './bucket-storage.ts';
import type { Client, StoreResponse } from './client.ts';
import type { GroupCommit } from './group-commit.ts';

/** The metadata header with the number of the intent that wrote an object. */
export const recordHeader = 'x-amz-meta-oj-rec';
/** The metadata header with the hash of the bytes, for other programs. This program hashes the bytes itself. */
export const hashHeader = 'x-amz-meta-sha256';

/** After this age, the author of an intent without an end record counts as dead. */
const intentLeaseMs = 15_000;

/** The state of an object, compared with the journal. */
export interface ObjectObservation {
  /** Undefined if the file does not exist. An empty object may mark its deletion. */
  hash: string | undefined;
  /** The version that a conditional write expects. It is undefined if the object does not exist. */
  tag: string | undefined;
  modifiedMs: number;
  /** The open intent that wrote the object. Its author has not appended the end record yet, or died. */
  appliedIntent: JournalRecord | undefined;
  /** Other open intents for the same file. */
  openIntents: readonly JournalRecord[];
  /** A string that changes with each journal record of the file. */
  revision: string;
}

/** Observes the objects of a book and records the observations in the journal. */
export class Observer {
  readonly #client: Client;
  readonly #storage: BucketStorage;
  readonly #commits: GroupCommit;

  constructor(client: Client, storage: BucketStorage, commits: GroupCommit) {
    this.#client = client;
    this.#storage = storage;
    this.#commits = commits;
  }

  /**
   * Requests the object, and reads the journal until both agree or are known to differ. Records that other writers
   * append at the same time are not read, because then the append of the caller fails.
   */
  async observe(place: Place): Promise<ObjectObservation> {
    const ask = async (): Promise<StoreResponse> => await this.#client.request({ method: 'HEAD', key: keyOf(place) });
    const [first, known] = await Promise.all([ask(), this.#known()]);
    const isNews = Number(first.headers[recordHeader] ?? 0) > known.seq;
    const state = isNews ? await this.#commits.refresh() : known;
    const observation = await observationOf(first, state, this.#storage, place);
    if (isExplained(observation, state, place)) return observation;
    // The journal can be newer or older than the object. Therefore the journal is read, then the object, then the
    // journal again.
    await this.#commits.refresh();
    const second = await ask();
    return await observationOf(second, await this.#commits.refresh(), this.#storage, place);
  }

  /**
   * Returns the records that an observation adds before a new change, or undefined if the journal has newer records of
   * the file.
   */
  reconcile(state: JournalState, place: Place, observation: ObjectObservation): Draft[] | undefined {
    if (revisionOf(state, place) !== observation.revision) return undefined;
    const { appliedIntent: made, openIntents: open, hash, tag } = observation;
    const facts = tag === undefined ? {} : { tag };
    const drafts: Draft[] = made === undefined ? [] : [endRecordOf(made, 'commit', facts)];
    for (const intent of open)
      if (this.#isAbandoned(intent)) drafts.push(endRecordOf(intent, 'abort', { status: 'unknown' }));
    const stranger =
      made === undefined ? externalChange(state, place, hash, observation.modifiedMs || this.#client.now()) : undefined;
    if (stranger !== undefined) drafts.push({ ...stranger, ...facts });
    return drafts;
  }

  /** Appends the observation of a file if it is missing in the journal. */
  async recordObservation(place: Place, observation: ObjectObservation): Promise<void> {
    await this.#commits.append({ key: keyOf(place), draft: state => this.reconcile(state, place, observation) });
  }

  /** Appends end records for open intents whose change is visible or whose author is dead. */
  async recoverIntents(place: Place): Promise<void> {
    const observation = await this.observe(place);
    if (observation.appliedIntent === undefined && !observation.openIntents.some(intent => this.#isAbandoned(intent)))
      return;
    await this.recordObservation(place, observation);
  }

  #isAbandoned({ time }: JournalRecord): boolean {
    return this.#client.now() - Date.parse(time) > intentLeaseMs;
  }

  async #known(): Promise<JournalState> {
    const { tail } = this.#commits;
    return tail.isOpen ? tail.state : await this.#commits.refresh();
  }
}

/** Returns whether the journal explains the state of the object. */
function isExplained({ hash, appliedIntent: made }: ObjectObservation, state: JournalState, place: Place): boolean {
  return made !== undefined || (hash ?? null) === (state.file(place)?.hash ?? null);
}

/** Returns the journal records of a file as one string. */
function revisionOf(state: JournalState, place: Place): string {
  const { hash, tag, changedMs } = state.file(place) ?? {};
  return JSON.stringify([hash, tag, changedMs, openIntentsOf(state, place).map(({ seq }) => seq)]);
}

function openIntentsOf(state: JournalState, { path, user }: Place): JournalRecord[] {
  return [...state.open.values()].filter(intent => intent.path === path && intent.user === userField(user));
}

async function observationOf(
  response: StoreResponse,
  state: JournalState,
  storage: BucketStorage,
  place: Place,
): Promise<ObjectObservation> {
  const candidates = openIntentsOf(state, place);
  const revision = revisionOf(state, place);
  if (response.status !== 200) {
    return {
      hash: undefined,
      tag: undefined,
      modifiedMs: 0,
      appliedIntent: undefined,
      openIntents: candidates,
      revision,
    };
  }
  const tag = versionOf(response);
  const modifiedMs = Date.parse(response.headers['last-modified'] ?? '') || 0;
  const hash = await hashOfObject(response, state, storage, place);
  // Another program may replace the bytes and keep the metadata, so that the number of the intent is accepted only with
  // a matching hash.
  const appliedIntent = candidates.find(
    ({ seq, new: next }) => String(seq) === response.headers[recordHeader] && next === (hash ?? null),
  );
  const openIntents = candidates.filter(intent => intent !== appliedIntent);
  return { hash, tag, modifiedMs, appliedIntent, openIntents, revision };
}

/**
 * Returns the hash of the bytes. Metadata is never trusted. An ETag is trusted if this process or the journal knows its
 * hash.
 */
async function hashOfObject(
  response: StoreResponse,
  state: JournalState,
  storage: BucketStorage,
  place: Place,
): Promise<string | undefined> {
  if (isDeletionMarker(response)) return undefined;
  const known = state.file(place);
  if (known?.tag === versionOf(response) && known.hash !== null) return known.hash;
  return await storage.hash(entryFrom(keyOf(place), response));
}
