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

/**
 * The metadata header with the id of the process that wrote a segment. If the response to a write was lost, the id
 * shows whether the write succeeded.
 */
const writerField = 'x-amz-meta-oj-writer';
/** A checkpoint is saved after this number of segments. */
const checkpointEvery = 256;

interface ListedSegment {
  number: number;
  entry: StorageEntry;
  size: number;
}

/** Stores the journal of a book as objects, one for each segment. Each segment has a unique number and is written once. */
export class JournalSegmentObjects implements JournalStore {
  readonly checkpoints: Checkpoints;
  readonly #client: ObjectStoreClient;
  readonly #storage: BucketFileStorage;
  readonly #folder: string;

  constructor(client: ObjectStoreClient, storage: BucketFileStorage, book: string, checkpoints: Checkpoints) {
    this.checkpoints = checkpoints;
    this.#client = client;
    this.#storage = storage;
    this.#folder = `${metadataFolder}/${book}/${journalFolder}`;
  }

  isCheckpointDue({ last, saved }: JournalTail): boolean {
    return last.segment - saved.segment >= checkpointEvery;
  }

  /** The result is always true, because a segment in a bucket never changes. */
  async isAt(): Promise<boolean> {
    return true;
  }

  async *newLines(last: LinePosition): AsyncGenerator<SegmentLines> {
    // The next segment is requested first. It usually does not exist, so that no other request is needed.
    const segment = last.segment + 1;
    const { status, bytes } = await this.#client.request({ method: 'GET', key: this.#keyOf(segment) });
    if (status !== 200) return;
    yield { segment, lines: new JournalLineSplitter().add(bytes) };
    yield* this.linesAfter(segment);
  }

  async segments(signal?: AbortSignal): Promise<SegmentInfo[]> {
    return (await this.#list(0, signal)).map(({ number, entry }) => ({ number, version: entry.version }));
  }

  async *lines(segment: number): AsyncGenerator<SegmentLines> {
    yield { segment, lines: await this.#read(this.#keyOf(segment)) };
  }

  async *linesAfter(segment: number, signal?: AbortSignal): AsyncGenerator<SegmentLines> {
    const listed = await this.#list(segment, signal);
    const read = async ({ entry }: ListedSegment): Promise<Iterable<JournalLine>> => await this.#read(entry, signal);
    for await (const [{ number }, lines] of mapInParallelInOrder(listed, this.#storage.prefetch, read, signal)) {
      yield { segment: number, lines };
    }
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

  /** Lists the segments after a number. Those after a missing number are ignored, because they belong to no journal. */
  async #list(after: number, signal?: AbortSignal): Promise<ListedSegment[]> {
    const entries = (await this.#storage.list(this.#folder, signal, after > 0 ? this.#keyOf(after) : undefined)) ?? [];
    const found = entries.flatMap(entry => {
      const number = segmentNumberOf(entry.key.slice(this.#folder.length + 1));
      return number === undefined ? [] : [{ number, entry, size: entry.size }];
    });
    const first = after > 0 ? after + 1 : found[0]?.number;
    const gap = found.findIndex(({ number }, index) => number !== (first ?? 0) + index);
    return gap === -1 ? found : found.slice(0, gap);
  }

  #keyOf(segment: number): string {
    return `${this.#folder}/${formatSegmentFileName(segment)}`;
  }

  /** Reads the lines of a segment. They may come from a cache, because a segment never changes. */
  async #read(file: StorageEntry | string, signal?: AbortSignal): Promise<Iterable<JournalLine>> {
    const stored = await this.#storage.read(file, Number.POSITIVE_INFINITY, signal);
    return new JournalLineSplitter().add(stored?.bytes ?? Buffer.alloc(0));
  }
}
