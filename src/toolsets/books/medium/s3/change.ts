import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import { type Change, type ChangeResult, changeWaitMs } from '../../library/book-log.ts';
import { mimeTypeOf } from '../../model/asset.ts';
import { hashOf } from '../../model/hash.ts';
import type { Draft, JournalRecord, JournalState } from '../../model/journal.ts';
import { keyOf, type Place } from '../../model/key.ts';
import { endOf, intentOf, tookMs } from '../../model/record.ts';
import { storageFailure } from '../../model/refusal.ts';
import { type BucketStorage, deletedField, versionOf } from './bucket-storage.ts';
import type { Client, StoreResponse } from './client.ts';
import type { GroupCommit } from './group-commit.ts';
import { hashField, type ObjectObservation, type Observer, recordField } from './observer.ts';
import { requireWritable, type StoreCapabilities } from './probe.ts';
import type { Segments } from './segments.ts';

/** An object is not written later than this after its intent: by then others may have given it up. */
const intentMs = 10_000;

/** What a change of one book works with. */
interface BookParts {
  client: Client;
  storage: BucketStorage;
  segments: Segments;
  commits: GroupCommit;
  observer: Observer;
}

/** The one way an object changes. */
export class ObjectChanges {
  readonly #client: Client;
  readonly #storage: BucketStorage;
  readonly #segments: Segments;
  readonly #commits: GroupCommit;
  readonly #observer: Observer;

  constructor({ client, storage, segments, commits, observer }: BookParts) {
    this.#client = client;
    this.#storage = storage;
    this.#segments = segments;
    this.#commits = commits;
    this.#observer = observer;
  }

  /**
   * The order keeps every promise: the intent is in the journal before the object changes, the object changes only from
   * what was seen, and the answer comes after it. Whoever meets an intent without an end can tell by the object whether
   * it has happened.
   */
  async change<Decision>(change: Change<Decision>, capabilities: StoreCapabilities): Promise<ChangeResult<Decision>> {
    const { place, bytes } = change;
    requireWritable(capabilities);
    // To read a journal for the first time may take long, and is no waiting for others.
    if (!this.#segments.isOpen) await this.#commits.refresh();
    const deadline = performance.now() + changeWaitMs;
    for (let attempt = 0; performance.now() < deadline; attempt++) {
      if (attempt > 0) await sleep(Math.random() * Math.min(20 * 2 ** attempt, 500));
      const observation = await this.#observer.observe(place);
      let decision: Decision;
      try {
        decision = change.decide(observation.hash);
      } catch (error) {
        void this.#observer.recordObservation(place, observation).catch(ignoreExpectedError); // the next to look will see it too
        throw error;
      }
      if (bytes === undefined && observation.hash === undefined)
        return { decision, previous: undefined, hash: undefined };
      const outcome = await this.#try(change, observation, capabilities, deadline);
      if (outcome === 'done') {
        return { decision, previous: observation.hash, hash: bytes && hashOf(bytes) };
      }
    }
    throw busy(keyOf(place));
  }

  async #try(
    { place, bytes, author }: Change<unknown>,
    observation: ObjectObservation,
    capabilities: StoreCapabilities,
    deadline: number,
  ): Promise<'again' | 'done'> {
    const began = performance.now();
    const intent = intentOf(place, author, observation.hash, bytes && hashOf(bytes));
    const entered = await this.#commits.append({
      key: keyOf(place),
      draft: state => {
        const drafts = performance.now() < deadline ? this.#observer.reconcile(state, place, observation) : undefined;
        return drafts && [...drafts, intent];
      },
    });
    const own = entered?.at(-1);
    if (own === undefined) return 'again';
    const { last: from } = this.#segments;
    const retryForMs = intentMs - (performance.now() - began);
    const reply =
      retryForMs < 0 ? undefined : await this.#put(place, bytes, own, observation, capabilities, retryForMs);
    const ms = (): number => tookMs(began, performance.now());
    if (reply?.status === 200) {
      this.#end(own, place, 'commit', { ms: ms(), tag: versionOf(reply) });
      if (own.new !== null) this.#storage.remember(keyOf(place), versionOf(reply), own.new);
      return 'done';
    }
    // A refusal may be about our own first try, whose answer got lost on the way.
    if (await this.#isApplied(own, place, from)) return 'done';
    this.#end(own, place, 'abort', { ms: ms() });
    return 'again';
  }

  async #put(
    place: Place,
    bytes: Uint8Array | undefined,
    { seq, new: hash }: JournalRecord,
    { tag }: ObjectObservation,
    { needsBareEtags }: StoreCapabilities,
    retryForMs: number,
  ): Promise<StoreResponse> {
    const match = needsBareEtags ? tag?.replaceAll('"', '') : tag;
    const headers = {
      ...(match === undefined ? { 'if-none-match': '*' } : { 'if-match': match }),
      'content-type': mimeTypeOf(place.path),
      [recordField]: String(seq),
      ...(hash === null ? { [deletedField]: '1' } : { [hashField]: hash }),
    };
    return await this.#client.request({
      method: 'PUT',
      key: keyOf(place),
      headers,
      body: bytes ?? new Uint8Array(),
      retryForMs,
    });
  }

  /** Whether a change was made although nobody has said so. Who changed the file after it has entered its end. */
  async #isApplied(own: JournalRecord, place: Place, from: number): Promise<boolean> {
    await this.#commits.refresh();
    const observation = await this.#observer.observe(place);
    if (observation.appliedIntent?.seq === own.seq) {
      this.#end(own, place, 'commit', { ...(observation.tag !== undefined && { tag: observation.tag }) });
      return true;
    }
    return (await this.#segments.endOf(own.seq, from)) === 'commit';
  }

  /** Enters the end of our own intent, unless somebody else has done it. */
  #end(own: JournalRecord, place: Place, kind: 'abort' | 'commit', facts: Partial<Draft>): void {
    const draft = (state: JournalState): Draft[] => {
      if (!state.open.has(own.seq)) return [];
      const isNext = (state.file(place)?.hash ?? null) === own.prev;
      // Somebody has found the new bytes, and taken them for a stranger's.
      return [kind === 'commit' && !isNext ? endOf(own, 'abort', { status: 'overtaken' }) : endOf(own, kind, facts)];
    };
    this.#commits.appendLater({ key: keyOf(place), intent: own.seq, draft });
  }
}

export function busy(what: string): Error {
  return storageFailure('BUSY', `${what} is being changed by others.`, { suggestion: 'Try again in a moment.' });
}
