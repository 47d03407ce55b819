import { type Draft, type JournalRecord, type JournalState, userField } from '../../model/journal.ts';
import { keyOf, type Place } from '../../model/key.ts';
import { endOf, externalChange } from '../../model/record.ts';
import { type BucketStorage, entryFrom, isDeletionMarker, versionOf } from './bucket-storage.ts';
import type { Client, StoreResponse } from './client.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Segments } from './segments.ts';

/** The number of the intent an object was written for. */
export const recordField = 'x-amz-meta-oj-rec';
/** The hash of its bytes, for other programs: this one hashes the bytes. */
export const hashField = 'x-amz-meta-sha256';

/** An intent without an end whose author is taken for dead. */
const intentLeaseMs = 15_000;

/** An object beside what the journal says of it. */
export interface ObjectObservation {
  /** undefined: there is no file; there may be an empty body that stands for a deleted one. */
  hash: string | undefined;
  /** What a change has to find: undefined for nothing at all. */
  tag: string | undefined;
  modifiedMs: number;
  /** The open intent that has made it: its author has not come to enter its end, or never will. */
  appliedIntent: JournalRecord | undefined;
  /** Other open intents about the same file. */
  openIntents: readonly JournalRecord[];
  /** Changes when anybody enters anything about the file. */
  revision: string;
}

/** Looks at the objects of a book, and enters what it has seen in the journal. */
export class Observer {
  readonly #client: Client;
  readonly #storage: BucketStorage;
  readonly #segments: Segments;
  readonly #commits: GroupCommit;

  constructor(client: Client, storage: BucketStorage, segments: Segments, commits: GroupCommit) {
    this.#client = client;
    this.#storage = storage;
    this.#segments = segments;
    this.#commits = commits;
  }

  /**
   * Asks the store about a file, and the journal until what both say fits together or is known not to. What others have
   * entered since is not asked for: whoever enters something after it will meet it.
   */
  async observe(place: Place): Promise<ObjectObservation> {
    const ask = async (): Promise<StoreResponse> => await this.#client.request({ method: 'HEAD', key: keyOf(place) });
    const [first, known] = await Promise.all([ask(), this.#known()]);
    const isNews = Number(first.headers[recordField] ?? 0) > known.seq;
    const state = isNews ? await this.#commits.refresh() : known;
    const observation = await observationOf(first, state, this.#storage, place);
    if (isExplained(observation, state, place)) return observation;
    // The journal may be newer than what was seen, or older: seen again with the journal known, and the journal after it.
    await this.#commits.refresh();
    const second = await ask();
    return await observationOf(second, await this.#commits.refresh(), this.#storage, place);
  }

  /** What has to be said of a file before anything new; undefined when more has been entered since it was looked at. */
  reconcile(state: JournalState, place: Place, observation: ObjectObservation): Draft[] | undefined {
    if (revisionOf(state, place) !== observation.revision) return undefined;
    const { appliedIntent: made, openIntents: open, hash, tag } = observation;
    const facts = tag === undefined ? {} : { tag };
    const drafts: Draft[] = made === undefined ? [] : [endOf(made, 'commit', facts)];
    for (const intent of open)
      if (this.#isAbandoned(intent)) drafts.push(endOf(intent, 'abort', { status: 'unknown' }));
    const stranger =
      made === undefined ? externalChange(state, place, hash, observation.modifiedMs || this.#client.now()) : undefined;
    if (stranger !== undefined) drafts.push({ ...stranger, ...facts });
    return drafts;
  }

  /** Enters what was seen of a file and is not in the journal yet. */
  async recordObservation(place: Place, observation: ObjectObservation): Promise<void> {
    await this.#commits.append({ key: keyOf(place), draft: state => this.reconcile(state, place, observation) });
  }

  /** Open intents whose change has happened, or whose author is gone, get their ends. */
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
    return this.#segments.isOpen ? this.#segments.state : await this.#commits.refresh();
  }
}

/** Whether the journal accounts for what is there. */
function isExplained({ hash, appliedIntent: made }: ObjectObservation, state: JournalState, place: Place): boolean {
  return made !== undefined || (hash ?? null) === (state.file(place)?.hash ?? null);
}

/** What has been entered about a file so far. */
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
  // Another tool may have replaced the bytes and kept the metadata: the number of the intent counts only with its hash.
  const appliedIntent = candidates.find(
    ({ seq, new: next }) => String(seq) === response.headers[recordField] && next === (hash ?? null),
  );
  const openIntents = candidates.filter(intent => intent !== appliedIntent);
  return { hash, tag, modifiedMs, appliedIntent, openIntents, revision };
}

/** The hash of the bytes. Metadata is never trusted; an ETag is, if this process or the journal knows its hash. */
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
