import type { JournalStore } from '../../library/journal-tail.ts';
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
import type { ObjectStoreClient, StoreRequest, StoreResponse } from './client.ts';
import type { GroupCommit } from './group-commit.ts';
import type { StoreCapabilities } from './probe.ts';

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

/** The objects of one book, and the journal that describes them. */
export interface BookObjects {
  client: ObjectStoreClient;
  storage: BucketFileStorage;
  segments: JournalStore;
  commits: GroupCommit;
}

/** Reads the state of the object of a file. */
export async function observeObject(
  objects: BookObjects,
  place: FileLocation,
  capabilities: StoreCapabilities,
): Promise<ReplaceableFile> {
  const observed = await observe(objects, place);
  return {
    ...observed,
    prepare: async bytes => {
      const began = performance.now();
      const replace = async (own: JournalRecord): Promise<{ tag?: string | undefined } | undefined> => {
        const { segment: from } = objects.commits.tail.last;
        const retryForMs = intentMs - (performance.now() - began);
        const request = putRequest(place, bytes, own, observed, capabilities);
        const response = retryForMs < 0 ? undefined : await objects.client.request({ ...request, retryForMs });
        if (response?.status !== 200) return await findLostChange(objects, own, place, from);
        const tag = objectVersionOfResponse(response);
        if (own.new !== null) objects.storage.remember(storageKeyOf(place), tag, own.new);
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
async function observe(objects: BookObjects, place: FileLocation): Promise<FileObservation> {
  const { client, commits } = objects;
  const ask = async (): Promise<StoreResponse> => await client.request({ method: 'HEAD', key: storageKeyOf(place) });
  const first = await ask();
  const { state: known } = commits.tail;
  const state = writerOf(first) > known.seq ? await commits.refresh() : known;
  const observation = await compare(objects, first, state, place);
  if (isExplainedByJournal(observation, state, place)) return observation;
  // The journal is read before and after the object is requested, because the journal can be newer or older than the
  // object.
  await commits.refresh();
  const second = await ask();
  return await compare(objects, second, await commits.refresh(), place);
}

/** Returns the number of the intent record in the metadata of an object, or 0 if there is none. */
function writerOf({ headers }: StoreResponse): number {
  return Number(headers[recordHeader] ?? 0);
}

async function compare(
  { client, storage }: BookObjects,
  response: StoreResponse,
  state: JournalState,
  place: FileLocation,
): Promise<FileObservation> {
  const nowMs = client.now();
  if (response.status !== 200) {
    return compareWithJournal(state, place, { hash: undefined, tag: undefined, arrivedMs: nowMs, writer: 0 });
  }
  const tag = objectVersionOfResponse(response);
  const known = state.file(place);
  // The hash in the metadata is not trusted. The content is not downloaded if this process or the journal knows the
  // hash for its ETag.
  const hash = isDeletionMarker(response)
    ? undefined
    : known?.tag === tag && known.hash !== null
      ? known.hash
      : await storage.hash(createEntryFromListing(storageKeyOf(place), response));
  const arrivedMs = Date.parse(response.headers['last-modified'] ?? '') || nowMs;
  // The number of the intent record in the metadata is accepted only if the hash matches too, because another program
  // may replace the content and keep the metadata.
  return compareWithJournal(state, place, { hash, tag, arrivedMs, writer: writerOf(response) });
}

function putRequest(
  place: FileLocation,
  body: Uint8Array = new Uint8Array(),
  { seq, new: hash }: JournalRecord,
  { tag }: FileObservation,
  { needsBareEtags }: StoreCapabilities,
): StoreRequest {
  const match = needsBareEtags ? tag?.replaceAll('"', '') : tag;
  const headers = {
    ...(match === undefined ? { 'if-none-match': '*' } : { 'if-match': match }),
    'content-type': mimeTypeOf(place.path),
    [recordHeader]: String(seq),
    ...(hash === null ? { [deletionMarkerHeader]: '1' } : { [hashHeader]: hash }),
  };
  return { method: 'PUT', key: storageKeyOf(place), headers, body };
}

/**
 * Returns the result of a change after an error response. The store may have made the change, because the error can be
 * the response to a retry after the first response was lost. Then the object or a commit record after the segment
 * `from` shows it.
 */
async function findLostChange(
  objects: BookObjects,
  own: JournalRecord,
  place: FileLocation,
  from: number,
): Promise<{ tag?: string | undefined } | undefined> {
  const { commits, segments } = objects;
  await commits.refresh();
  const { appliedIntent, tag } = await observe(objects, place);
  if (appliedIntent?.seq === own.seq) return { tag };
  for (let segment = from; segment <= commits.tail.last.segment; segment++) {
    for await (const { lines } of segments.lines(segment)) {
      for (const { bytes } of lines) {
        const { intent, kind } = parseJournalRecord(bytes.toString('utf8')) ?? {};
        if (intent === own.seq && kind === 'commit') return {};
      }
    }
  }
  return undefined;
}
