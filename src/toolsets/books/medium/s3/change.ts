import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import { type Change, type ChangeResult, changeWaitMs } from '../../library/book-log.ts';
import { runChange } from '../../library/transaction.ts';
import { mimeTypeOf } from '../../model/asset.ts';
import { type Draft, type JournalRecord, type JournalState, readRecord } from '../../model/journal.ts';
import { keyOf, type Place } from '../../model/key.ts';
import { durationMs, endRecordOf, intentRecordOf } from '../../model/record.ts';
import { type BucketStorage, deletedHeader, versionOf } from './bucket-storage.ts';
import type { Client, StoreResponse } from './client.ts';
import type { GroupCommit } from './group-commit.ts';
import { hashHeader, type ObjectObservation, type Observer, recordHeader } from './observer.ts';
import { requireWritable, type StoreCapabilities } from './probe.ts';
import type { SegmentObjects } from './segment-objects.ts';

/** The time limit between the intent and the write. After this time, other processes treat the intent as abandoned. */
const intentMs = 10_000;

interface BookParts {
  client: Client;
  storage: BucketStorage;
  objects: SegmentObjects;
  commits: GroupCommit;
  observer: Observer;
}

/** Changes objects with conditional writes instead of locks. */
export class ObjectChanges {
  readonly #client: Client;
  readonly #storage: BucketStorage;
  readonly #objects: SegmentObjects;
  readonly #commits: GroupCommit;
  readonly #observer: Observer;

  constructor({ client, storage, objects, commits, observer }: BookParts) {
    this.#client = client;
    this.#storage = storage;
    this.#objects = objects;
    this.#commits = commits;
    this.#observer = observer;
  }

  async change<Decision>(change: Change<Decision>, capabilities: StoreCapabilities): Promise<ChangeResult<Decision>> {
    const { place } = change;
    requireWritable(capabilities);
    // The first read of a journal can take long and does not count as waiting for other processes.
    if (!this.#commits.tail.isOpen) await this.#commits.refresh();
    const deadline = performance.now() + changeWaitMs;
    return await runChange<Decision, ObjectObservation>(change, {
      mayTry: async attempt => {
        if (attempt > 0) await sleep(Math.random() * Math.min(20 * 2 ** attempt, 500));
        return performance.now() < deadline;
      },
      observe: async () => await this.#observer.observe(place),
      // If this fails, the next observer records the same change.
      onRefused: observation => void this.#observer.recordObservation(place, observation).catch(ignoreExpectedError),
      apply: async (observation, hash) => await this.#apply(change, observation, hash, capabilities, deadline),
    });
  }

  async #apply(
    { place, bytes, author }: Change<unknown>,
    observation: ObjectObservation,
    hash: string | undefined,
    capabilities: StoreCapabilities,
    deadline: number,
  ): Promise<boolean> {
    const began = performance.now();
    const intent = intentRecordOf(place, author, observation.hash, hash);
    const appended = await this.#commits.append({
      key: keyOf(place),
      draft: state => {
        const drafts = performance.now() < deadline ? this.#observer.reconcile(state, place, observation) : undefined;
        return drafts && [...drafts, intent];
      },
    });
    const own = appended?.at(-1);
    if (own === undefined) return false;
    const { segment: from } = this.#commits.tail.last;
    const retryForMs = intentMs - (performance.now() - began);
    const response =
      retryForMs < 0 ? undefined : await this.#put(place, bytes, own, observation, capabilities, retryForMs);
    const ms = (): number => durationMs(began, performance.now());
    if (response?.status === 200) {
      this.#end(own, place, 'commit', { ms: ms(), tag: versionOf(response) });
      if (own.new !== null) this.#storage.remember(keyOf(place), versionOf(response), own.new);
      return true;
    }
    // The error status may be the response to a retry: the response to the first attempt was lost, and the object is
    // already replaced.
    if (await this.#isApplied(own, place, from)) return true;
    this.#end(own, place, 'abort', { ms: ms() });
    return false;
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
      [recordHeader]: String(seq),
      ...(hash === null ? { [deletedHeader]: '1' } : { [hashHeader]: hash }),
    };
    return await this.#client.request({
      method: 'PUT',
      key: keyOf(place),
      headers,
      body: bytes ?? new Uint8Array(),
      retryForMs,
    });
  }

  /**
   * Returns whether a change was applied although its response was lost. A later writer may already have appended its
   * end record.
   */
  async #isApplied(own: JournalRecord, place: Place, from: number): Promise<boolean> {
    await this.#commits.refresh();
    const observation = await this.#observer.observe(place);
    if (observation.appliedIntent?.seq === own.seq) {
      this.#end(own, place, 'commit', { ...(observation.tag !== undefined && { tag: observation.tag }) });
      return true;
    }
    return (await this.#endOf(own.seq, from)) === 'commit';
  }

  /** Searches the end record of an intent, from a segment number. */
  async #endOf(seq: number, from: number): Promise<JournalRecord['kind'] | undefined> {
    for (let segment = from; segment <= this.#commits.tail.last.segment; segment++) {
      for (const { bytes } of await this.#objects.lines(segment)) {
        const { intent, kind } = readRecord(bytes.toString('utf8')) ?? {};
        if (intent === seq && (kind === 'commit' || kind === 'abort')) return kind;
      }
    }
    return undefined;
  }

  /** Appends the end record of an own intent, unless another process has appended it. */
  #end(own: JournalRecord, place: Place, kind: 'abort' | 'commit', facts: Partial<Draft>): void {
    const draft = (state: JournalState): Draft[] => {
      if (!state.open.has(own.seq)) return [];
      const isNext = (state.file(place)?.hash ?? null) === own.prev;
      // Another process has found the new bytes and recorded them as an external change.
      return [
        kind === 'commit' && !isNext
          ? endRecordOf(own, 'abort', { status: 'overtaken' })
          : endRecordOf(own, kind, facts),
      ];
    };
    this.#commits.appendLater({ key: keyOf(place), intent: own.seq, draft });
  }
}
