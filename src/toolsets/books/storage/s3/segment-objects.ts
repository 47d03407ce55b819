import { randomUUID } from 'node:crypto';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import {
  compressCheckpoint,
  decompressCheckpoint,
  type JournalLine,
  JournalLineSplitter,
  JournalReader,
  type LastJournalLine,
  type LinePosition,
  type SegmentInfo,
  type SegmentLines,
} from '../../library/journal-reader.ts';
import type { JournalStore, JournalTail } from '../../library/journal-tail.ts';
import { mapInParallelInOrder } from '../../library/map-in-order.ts';
import { metadataFolder } from '../../model/key.ts';
import {
  type Checkpoint,
  checkpointFolder,
  findCheckpointNumbers,
  formatCheckpointFileName,
  formatSegmentFileName,
  journalFolder,
  segmentNumberOf,
} from '../../model/segment.ts';
import type { StorageEntry } from '../storage-backend.ts';
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

  constructor(client: ObjectStoreClient, storage: BucketFileStorage, book: string) {
    this.#client = client;
    this.#storage = storage;
    this.#folder = `${metadataFolder}/${book}`;
  }

  async checkpointNumbers(): Promise<number[]> {
    const names: string[] = [];
    for await (const page of listObjects(this.#client, `${this.#folder}/${checkpointFolder}/`)) {
      names.push(...page.map(({ key }) => nameOf(key)));
    }
    return findCheckpointNumbers(names);
  }

  async checkpoint(segment: number): Promise<Checkpoint | undefined> {
    const source = await this.#storage.stream(this.#checkpointKey(segment));
    return source && (await decompressCheckpoint(source.pieces));
  }

  isCheckpointDue({ last, saved }: JournalTail): boolean {
    return last.segment - saved.segment >= checkpointEvery;
  }

  /** Saves a checkpoint. An error is ignored, because a checkpoint only speeds up reading. */
  async saveCheckpoint(tail: JournalTail): Promise<void> {
    const key = this.#checkpointKey(tail.last.segment);
    tail.onCheckpointSaved();
    const body = await compressCheckpoint(tail);
    await this.#client
      .request({ method: 'PUT', key, headers: { 'content-type': 'application/gzip' }, body })
      .catch(ignoreExpectedError);
  }

  async lastLine(segment: number): Promise<LastJournalLine> {
    const reader = new JournalReader();
    const { size, length } = reader.add(await this.lines(segment));
    return { hash: reader.chain, place: { segment, end: size, length } };
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

  /** Reads the lines of an existing segment. */
  async lines(segment: number): Promise<Iterable<JournalLine>> {
    return await this.#linesOf(this.#keyOf(segment));
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
    for await (const page of listObjects(this.#client, `${this.#folder}/${journalFolder}/`, options)) {
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
    return `${this.#folder}/${journalFolder}/${formatSegmentFileName(segment)}`;
  }

  #checkpointKey(segment: number): string {
    return `${this.#folder}/${checkpointFolder}/${formatCheckpointFileName(segment)}`;
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
