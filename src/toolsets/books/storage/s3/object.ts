import { compareWithJournal, isExplainedByJournal } from '../../library/recovery.ts';
import { mimeTypeOf } from '../../model/asset.ts';
import { type JournalRecord, type JournalState, parseJournalRecord } from '../../model/journal.ts';
import { type FileLocation, storageKeyOf } from '../../model/key.ts';
import type { Observation, ObservedFile } from '../book-backend.ts';
import {
  type BucketFileStorage,
  deletionMarkerHeader,
  entryFromListing,
  isDeletionMarker,
  responseVersionOf,
} from './bucket-storage.ts';
import type { ObjectStoreClient, StoreResponse } from './client.ts';
import type { GroupCommit } from './group-commit.ts';
import type { StoreCapabilities } from './probe.ts';
import type { SegmentObjects } from './segment-objects.ts';

/** The metadata header with the number of the intent that wrote an object. */
const recordHeader = 'x-amz-meta-oj-rec';
/** The metadata header with the hash of the bytes, for other programs. This program hashes the bytes itself. */
const hashHeader = 'x-amz-meta-sha256';

/** The time limit between the intent and the write. After this time, other processes treat the intent as abandoned. */
const intentMs = 10_000;

/** Observes and replaces the objects of one book. */
export class BookObjects {
  readonly #client: ObjectStoreClient;
  readonly #storage: BucketFileStorage;
  readonly #segments: SegmentObjects;
  readonly #commits: GroupCommit;

  constructor(client: ObjectStoreClient, storage: BucketFileStorage, segments: SegmentObjects, commits: GroupCommit) {
    this.#client = client;
    this.#storage = storage;
    this.#segments = segments;
    this.#commits = commits;
  }

  async observe(place: FileLocation, capabilities: StoreCapabilities): Promise<ObservedFile> {
    const observed = await this.#observe(place);
    return {
      ...observed,
      prepare: async bytes => {
        const began = performance.now();
        const replace = async (own: JournalRecord): Promise<{ tag?: string } | undefined> => {
          const { segment: from } = this.#commits.tail.last;
          const retryForMs = intentMs - (performance.now() - began);
          const response =
            retryForMs < 0 ? undefined : await this.#put(place, bytes, own, observed, capabilities, retryForMs);
          if (response?.status !== 200) return await this.#lostChange(own, place, from);
          const tag = responseVersionOf(response);
          if (own.new !== null) this.#storage.remember(storageKeyOf(place), tag, own.new);
          return { tag };
        };
        return { replace, close: () => {} };
      },
    };
  }

  /**
   * Requests the object, and reads the journal until both agree or are known to differ. Records that other writers
   * append at the same time are not read, because then the append of the caller fails.
   */
  async #observe(place: FileLocation): Promise<Observation> {
    const ask = async (): Promise<StoreResponse> =>
      await this.#client.request({ method: 'HEAD', key: storageKeyOf(place) });
    const [first, known] = await Promise.all([ask(), this.#known()]);
    const isNews = Number(first.headers[recordHeader] ?? 0) > known.seq;
    const state = isNews ? await this.#commits.refresh() : known;
    const observation = await this.#compare(first, state, place);
    if (isExplainedByJournal(observation, state, place)) return observation;
    // The journal can be newer or older than the object. Therefore the journal is read, then the object, then the
    // journal again.
    await this.#commits.refresh();
    const second = await ask();
    return await this.#compare(second, await this.#commits.refresh(), place);
  }

  async #known(): Promise<JournalState> {
    const { tail } = this.#commits;
    return tail.isOpen ? tail.state : await this.#commits.refresh();
  }

  async #compare(response: StoreResponse, state: JournalState, place: FileLocation): Promise<Observation> {
    const nowMs = this.#client.now();
    if (response.status !== 200) {
      const missing = { hash: undefined, tag: undefined, arrivedMs: nowMs, isWrittenBy: () => false };
      return compareWithJournal(state, place, missing);
    }
    const hash = await this.#hashOf(response, state, place);
    const arrivedMs = Date.parse(response.headers['last-modified'] ?? '') || nowMs;
    // Another program may replace the bytes and keep the metadata, so that the number of the intent is accepted only with
    // a matching hash.
    const isWrittenBy = (seq: number): boolean => String(seq) === response.headers[recordHeader];
    return compareWithJournal(state, place, { hash, tag: responseVersionOf(response), arrivedMs, isWrittenBy });
  }

  /**
   * Returns the hash of the bytes. Metadata is never trusted. An ETag is trusted if this process or the journal knows its
   * hash.
   */
  async #hashOf(response: StoreResponse, state: JournalState, place: FileLocation): Promise<string | undefined> {
    if (isDeletionMarker(response)) return undefined;
    const known = state.file(place);
    if (known?.tag === responseVersionOf(response) && known.hash !== null) return known.hash;
    return await this.#storage.hash(entryFromListing(storageKeyOf(place), response));
  }

  async #put(
    place: FileLocation,
    bytes: Uint8Array | undefined,
    { seq, new: hash }: JournalRecord,
    { tag }: Observation,
    { needsBareEtags }: StoreCapabilities,
    retryForMs: number,
  ): Promise<StoreResponse> {
    const match = needsBareEtags ? tag?.replaceAll('"', '') : tag;
    const headers = {
      ...(match === undefined ? { 'if-none-match': '*' } : { 'if-match': match }),
      'content-type': mimeTypeOf(place.path),
      [recordHeader]: String(seq),
      ...(hash === null ? { [deletionMarkerHeader]: '1' } : { [hashHeader]: hash }),
    };
    const body = bytes ?? new Uint8Array();
    return await this.#client.request({ method: 'PUT', key: storageKeyOf(place), headers, body, retryForMs });
  }

  /**
   * Returns the result of a change that was applied although the store reported an error. The error may be the response
   * to a retry after the first response was lost. A later writer may already have appended the end record.
   */
  async #lostChange(own: JournalRecord, place: FileLocation, from: number): Promise<{ tag?: string } | undefined> {
    await this.#commits.refresh();
    const { appliedIntent, tag } = await this.#observe(place);
    if (appliedIntent?.seq === own.seq) return tag === undefined ? {} : { tag };
    return (await this.#endOf(own.seq, from)) === 'commit' ? {} : undefined;
  }

  /** Searches the end record of an intent, from a segment number. */
  async #endOf(seq: number, from: number): Promise<JournalRecord['kind'] | undefined> {
    for (let segment = from; segment <= this.#commits.tail.last.segment; segment++) {
      for (const { bytes } of await this.#segments.lines(segment)) {
        const { intent, kind } = parseJournalRecord(bytes.toString('utf8')) ?? {};
        if (intent === seq && (kind === 'commit' || kind === 'abort')) return kind;
      }
    }
    return undefined;
  }
}
