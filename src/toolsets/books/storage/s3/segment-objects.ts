import { randomUUID } from 'node:crypto';
import type { Checkpoints } from '../../library/checkpoints.ts';
import {
  type JournalLine,
  JournalLineSplitter,
  type LinePosition,
  type SegmentInfo,
  type SegmentLines,
} from '../../library/journal-reader.ts';
import type { JournalStore, JournalTail } from '../../library/journal-tail.ts';
import { mapInParallelInOrder } from '../../library/map-in-order.ts';
import { metadataFolder } from '../../model/key.ts';
import { formatSegmentFileName, journalFolder, segmentNumberOf } from '../../model/segment.ts';
import type { StorageEntry } from '../file-storage.ts';
import type { BucketFileStorage } from './bucket-storage.ts';
import type { ObjectStoreClient } from './client.ts';
import { listObjects, toStorageEntry } from './listing.ts';

/**
 * The metadata header with the id of the process that wrote a segment. If the response to a write was lost, the id
 * shows whether the write succeeded.
 */
const writerField = 'x-amz-meta-oj-writer';
/** A checkpoint is saved after this number of segments. */
const checkpointEvery = 256;

/**
 * Stores the journal of a book as objects, one for each segment and checkpoint. Each segment has a unique number and is
 * written once.
 */
export class JournalSegmentObjects implements JournalStore {
  readonly #client: ObjectStoreClient;
  readonly #storage: BucketFileStorage;
  readonly #folder: string;
  readonly checkpoints: Checkpoints;

  constructor(client: ObjectStoreClient, storage: BucketFileStorage, book: string, checkpoints: Checkpoints) {
    this.#client = client;
    this.#storage = storage;
    this.#folder = `${metadataFolder}/${book}/${journalFolder}`;
    this.checkpoints = checkpoints;
  }

  isCheckpointDue({ last, saved }: JournalTail): boolean {
    return last.segment - saved.segment >= checkpointEvery;
  }

  /** The result is always true, because a segment in a bucket never changes. */
  async isAt(): Promise<boolean> {
    return true;
  }

  async *newLines({ segment }: LinePosition): AsyncGenerator<SegmentLines> {
    // The next segment is requested first. It usually does not exist, so that no other request is needed.
    const next = segment + 1;
    const { status, bytes } = await this.#client.request({ method: 'GET', key: this.#keyOf(next) });
    if (status !== 200) return;
    yield { segment: next, lines: new JournalLineSplitter().add(bytes) };
    yield* this.linesAfter(next);
  }

  async segments(): Promise<SegmentInfo[]> {
    return (await this.#entries(0)).map(({ key, version }) => ({ number: segmentNumberOf(nameOf(key)) ?? 0, version }));
  }

  async *linesAfter(segment: number, signal?: AbortSignal): AsyncGenerator<SegmentLines> {
    const read = async (entry: StorageEntry): Promise<Iterable<JournalLine>> => await this.#linesOf(entry, signal);
    for await (const [{ key }, lines] of mapInParallelInOrder(
      await this.#entries(segment),
      this.#storage.prefetch,
      read,
      signal,
    )) {
      yield { segment: segmentNumberOf(nameOf(key)) ?? 0, lines };
    }
  }

  async *lines(segment: number): AsyncGenerator<SegmentLines> {
    yield { segment, lines: await this.#linesOf(this.#keyOf(segment)) };
  }

  /**
   * Writes the next segment. Returns its number if this process wrote it, even if the response to the write was lost.
   */
  async append(body: Buffer, last: LinePosition): Promise<number | undefined> {
    const segment = last.segment + 1;
    const key = this.#keyOf(segment);
    const writer = randomUUID();
    const headers = { 'if-none-match': '*', 'content-type': 'application/x-ndjson', [writerField]: writer };
    const { status } = await this.#client.request({ method: 'PUT', key, headers, body });
    if (status === 200) return segment;
    const there = await this.#client.request({ method: 'HEAD', key });
    return there.status === 200 && there.headers[writerField] === writer ? segment : undefined;
  }

  async #entries(after: number): Promise<StorageEntry[]> {
    const entries: StorageEntry[] = [];
    const options = after > 0 ? { after: this.#keyOf(after) } : {};
    let next = after > 0 ? after + 1 : undefined;
    for await (const page of listObjects(this.#client, `${this.#folder}/`, options)) {
      for (const item of page) {
        const number = segmentNumberOf(nameOf(item.key));
        if (number === undefined) continue;
        // Segments after a missing number are ignored, because they do not belong to this journal.
        if (number !== (next ?? number)) return entries;
        const entry = toStorageEntry(item);
        if (entry !== undefined) entries.push(entry);
        next = number + 1;
      }
    }
    return entries;
  }

  #keyOf(segment: number): string {
    return `${this.#folder}/${formatSegmentFileName(segment)}`;
  }

  /** Reads the lines of a segment. The lines may come from a cache, because a segment never changes. */
  async #linesOf(file: StorageEntry | string, signal?: AbortSignal): Promise<Iterable<JournalLine>> {
    const stored = await this.#storage.read(file, Number.POSITIVE_INFINITY, signal);
    return new JournalLineSplitter().add(stored?.bytes ?? Buffer.alloc(0));
  }
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
