import { randomUUID } from 'node:crypto';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import {
  type JournalLine,
  JournalReader,
  type LastLine,
  type LinePosition,
  LineSplitter,
  packCheckpoint,
  type SegmentInfo,
  type SegmentLines,
  unpackCheckpoint,
} from '../../library/journal-reader.ts';
import type { LogStore, LogTail } from '../../library/journal-tail.ts';
import { mapInOrder } from '../../library/map-in-order.ts';
import { metadataFolder } from '../../model/key.ts';
import {
  type Checkpoint,
  checkpointName,
  checkpointNumbers,
  journalFolder,
  segmentName,
  segmentNumber,
  stateFolder,
} from '../../model/segment.ts';
import type { StorageEntry } from '../storage-backend.ts';
import type { BucketStorage } from './bucket-storage.ts';
import type { Client } from './client.ts';
import { entryOf, listObjects } from './listing.ts';

/** The metadata header with the writer of a segment. It shows whether a write with a lost response succeeded. */
const writerField = 'x-amz-meta-oj-writer';
/** The number of segments between two checkpoints. */
const checkpointEvery = 256;

/** Stores segments and checkpoints as objects. Each object has a unique number and is written once. */
export class SegmentObjects implements LogStore {
  readonly #client: Client;
  readonly #storage: BucketStorage;
  readonly #folder: string;

  constructor(client: Client, storage: BucketStorage, book: string) {
    this.#client = client;
    this.#storage = storage;
    this.#folder = `${metadataFolder}/${book}`;
  }

  async checkpointNumbers(): Promise<number[]> {
    const names: string[] = [];
    for await (const page of listObjects(this.#client, `${this.#folder}/${stateFolder}/`)) {
      names.push(...page.map(({ key }) => nameOf(key)));
    }
    return checkpointNumbers(names);
  }

  async checkpoint(segment: number): Promise<Checkpoint | undefined> {
    const source = await this.#storage.stream(this.#checkpointKey(segment));
    return source && (await unpackCheckpoint(source.pieces));
  }

  isCheckpointDue({ last, saved }: LogTail): boolean {
    return last.segment - saved.segment >= checkpointEvery;
  }

  /** Saves a checkpoint. Errors are ignored, because a checkpoint only speeds up reading. */
  async saveCheckpoint(tail: LogTail): Promise<void> {
    const key = this.#checkpointKey(tail.last.segment);
    tail.onCheckpointSaved();
    const body = await packCheckpoint(tail);
    await this.#client
      .request({ method: 'PUT', key, headers: { 'content-type': 'application/gzip' }, body })
      .catch(ignoreExpectedError);
  }

  async lastLine(segment: number): Promise<LastLine> {
    const reader = new JournalReader();
    const line = reader.add(await this.lines(segment));
    return { hash: reader.chain, place: { segment, start: 0, length: line?.length ?? 0 } };
  }

  /** The line is always at its position, because an object of the journal never changes. */
  async isAt(): Promise<boolean> {
    return true;
  }

  async *newLines({ segment }: LinePosition): AsyncGenerator<SegmentLines> {
    // Usually there is no new segment, and one request is sufficient.
    const next = segment + 1;
    const { status, bytes } = await this.#client.request({ method: 'GET', key: this.#keyOf(next) });
    if (status !== 200) return;
    yield { segment: next, lines: new LineSplitter().add(bytes) };
    yield* this.linesAfter(next);
  }

  async segments(): Promise<SegmentInfo[]> {
    return (await this.#entries(0)).map(({ key, version }) => ({ number: segmentNumber(nameOf(key)) ?? 0, version }));
  }

  async *linesAfter(segment: number, signal?: AbortSignal): AsyncGenerator<SegmentLines> {
    const read = async (entry: StorageEntry): Promise<Iterable<JournalLine>> => await this.#linesOf(entry, signal);
    for await (const [{ key }, lines] of mapInOrder(
      await this.#entries(segment),
      this.#storage.prefetch,
      read,
      signal,
    )) {
      yield { segment: segmentNumber(nameOf(key)) ?? 0, lines };
    }
  }

  /** Reads the lines of an existing segment. */
  async lines(segment: number): Promise<Iterable<JournalLine>> {
    return await this.#linesOf(this.#keyOf(segment));
  }

  /**
   * Writes the next segment. Returns its number if this writer wrote it, perhaps by an attempt whose response was lost.
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
        const number = segmentNumber(nameOf(item.key));
        if (number === undefined) continue;
        // Segments after a gap are ignored, because they do not belong to this journal.
        if (number !== (next ?? number)) return entries;
        const entry = entryOf(item);
        if (entry !== undefined) entries.push(entry);
        next = number + 1;
      }
    }
    return entries;
  }

  #keyOf(segment: number): string {
    return `${this.#folder}/${journalFolder}/${segmentName(segment)}`;
  }

  #checkpointKey(segment: number): string {
    return `${this.#folder}/${stateFolder}/${checkpointName(segment)}`;
  }

  /** Reads the lines of a segment. They can come from the cache, because a segment never changes. */
  async #linesOf(file: StorageEntry | string, signal?: AbortSignal): Promise<Iterable<JournalLine>> {
    const stored = await this.#storage.read(file, Number.POSITIVE_INFINITY, signal);
    return new LineSplitter().add(stored?.bytes ?? Buffer.alloc(0));
  }
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
