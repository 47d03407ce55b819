import { compareWithJournal, isExplainedByJournal } from '../../library/recovery.ts';
import { mimeTypeOf } from '../../model/asset.ts';
import { type JournalRecord, type JournalState, parseJournalRecord } from '../../model/journal.ts';
import { type FileLocation, storageKeyOf } from '../../model/key.ts';
import type { FileObservation, ReplaceableFile } from '../book-backend.ts';
import {
  type BucketFileStorage,
  createEntryFromListing,
  deletionMarkerHeader,
  isDeletionMarker,
  objectVersionOfResponse,
} from './bucket-storage.ts';
import type { ObjectStoreClient, StoreResponse } from './client.ts';
import type { GroupCommit } from './group-commit.ts';
import type { StoreCapabilities } from './probe.ts';
import type { JournalSegmentObjects } from './segment-objects.ts';

/**
 * The metadata header for the number of the intent record. An intent record is the journal record of the change that
 * wrote the object.
 */
const recordHeader = 'x-amz-meta-oj-rec';
/**
 * The metadata header with the hash of the content, for other programs. This program does not trust it and hashes the
 * content itself.
 */
const hashHeader = 'x-amz-meta-sha256';

/**
 * A change must replace its object within this time after its intent record was written. Later, other processes may
 * treat the change as abandoned.
 */
const intentMs = 10_000;

/** Reads the state of the objects of one book and replaces them, and updates the journal of the book. */
export class BookObjectStore {
  readonly #client: ObjectStoreClient;
  readonly #storage: BucketFileStorage;
  readonly #segments: JournalSegmentObjects;
  readonly #commits: GroupCommit;

  constructor(
    client: ObjectStoreClient,
    storage: BucketFileStorage,
    segments: JournalSegmentObjects,
    commits: GroupCommit,
  ) {
    this.#client = client;
    this.#storage = storage;
    this.#segments = segments;
    this.#commits = commits;
  }

  async observe(place: FileLocation, capabilities: StoreCapabilities): Promise<ReplaceableFile> {
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
          const tag = objectVersionOfResponse(response);
          if (own.new !== null) this.#storage.remember(storageKeyOf(place), tag, own.new);
          return { tag };
        };
        return { replace, close: () => {} };
      },
    };
  }

  /**
   * Requests the object, and reads the journal until a record explains the content or none can exist. If another writer
   * appends a record at the same time, the append of the caller fails.
   */
  async #observe(place: FileLocation): Promise<FileObservation> {
    const ask = async (): Promise<StoreResponse> =>
      await this.#client.request({ method: 'HEAD', key: storageKeyOf(place) });
    const [first, known] = await Promise.all([ask(), this.#known()]);
    const isNews = Number(first.headers[recordHeader] ?? 0) > known.seq;
    const state = isNews ? await this.#commits.refresh() : known;
    const observation = await this.#compare(first, state, place);
    if (isExplainedByJournal(observation, state, place)) return observation;
    // The journal is read before and after the object is requested, because the journal can be newer or older than the
    // object.
    await this.#commits.refresh();
    const second = await ask();
    return await this.#compare(second, await this.#commits.refresh(), place);
  }

  async #known(): Promise<JournalState> {
    const { tail } = this.#commits;
    return tail.isOpen ? tail.state : await this.#commits.refresh();
  }

  async #compare(response: StoreResponse, state: JournalState, place: FileLocation): Promise<FileObservation> {
    const nowMs = this.#client.now();
    if (response.status !== 200) {
      const missing = { hash: undefined, tag: undefined, arrivedMs: nowMs, isWrittenBy: () => false };
      return compareWithJournal(state, place, missing);
    }
    const hash = await this.#hashOf(response, state, place);
    const arrivedMs = Date.parse(response.headers['last-modified'] ?? '') || nowMs;
    // The number of the intent record in the metadata is accepted only if the hash matches too, because another program
    // may replace the content and keep the metadata.
    const isWrittenBy = (seq: number): boolean => String(seq) === response.headers[recordHeader];
    return compareWithJournal(state, place, { hash, tag: objectVersionOfResponse(response), arrivedMs, isWrittenBy });
  }

  /**
   * Returns the hash of the content of an object. The metadata is not trusted. The content is not downloaded if this
   * process or the journal knows the hash for its ETag.
   */
  async #hashOf(response: StoreResponse, state: JournalState, place: FileLocation): Promise<string | undefined> {
    if (isDeletionMarker(response)) return undefined;
    const known = state.file(place);
    if (known?.tag === objectVersionOfResponse(response) && known.hash !== null) return known.hash;
    return await this.#storage.hash(createEntryFromListing(storageKeyOf(place), response));
  }

  async #put(
    place: FileLocation,
    bytes: Uint8Array | undefined,
    { seq, new: hash }: JournalRecord,
    { tag }: FileObservation,
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
   * Returns the result of a change after an error response. The store may have made the change, because the error can
   * be the response to a retry after the first response was lost.
   */
  async #lostChange(own: JournalRecord, place: FileLocation, from: number): Promise<{ tag?: string } | undefined> {
    await this.#commits.refresh();
    const { appliedIntent, tag } = await this.#observe(place);
    if (appliedIntent?.seq === own.seq) return tag === undefined ? {} : { tag };
    return (await this.#endOf(own.seq, from)) === 'commit' ? {} : undefined;
  }

  /** Searches the commit or abort record of a change in the journal, starting at a segment. */
  async #endOf(seq: number, from: number): Promise<JournalRecord['kind'] | undefined> {
    for (let segment = from; segment <= this.#commits.tail.last.segment; segment++) {
      for await (const { lines } of this.#segments.lines(segment)) {
        for (const { bytes } of lines) {
          const { intent, kind } = parseJournalRecord(bytes.toString('utf8')) ?? {};
          if (intent === seq && (kind === 'commit' || kind === 'abort')) return kind;
        }
      }
    }
    return undefined;
  }
}
