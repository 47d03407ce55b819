import { mapInOrder } from '../../../../async/concurrency.ts';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import {
  JournalReader,
  type Line,
  LineSplitter,
  packCheckpoint,
  type SegmentInfo,
  type SegmentLines,
  type SegmentStore,
  unpackCheckpoint,
} from '../../library/journal-reader.ts';
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
import type { Entry } from '../medium.ts';
import type { BucketStorage } from './bucket-storage.ts';
import type { Client } from './client.ts';
import { entryOf, listObjects } from './listing.ts';

/** The metadata header with the writer of a segment. It shows whether a write with a lost response succeeded. */
const writerField = 'x-amz-meta-oj-writer';

/** Stores segments and checkpoints as objects. Each object has a unique number and is written once. */
export class SegmentObjects implements SegmentStore {
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

  /** Saves a checkpoint. Errors are ignored, because a checkpoint only speeds up reading. */
  async keepCheckpoint(segment: number, checkpoint: Checkpoint): Promise<void> {
    const key = this.#checkpointKey(segment);
    const body = await packCheckpoint(checkpoint);
    await this.#client
      .request({ method: 'PUT', key, headers: { 'content-type': 'application/gzip' }, body })
      .catch(ignoreExpectedError);
  }

  async lastLine(segment: number): Promise<{ hash: string }> {
    const reader = new JournalReader();
    reader.add(await this.lines(segment));
    return { hash: reader.chain };
  }

  async segments(): Promise<SegmentInfo[]> {
    return (await this.#entries(0)).map(({ key, version }) => ({ number: segmentNumber(nameOf(key)) ?? 0, version }));
  }

  async *linesAfter(segment: number, signal?: AbortSignal): AsyncGenerator<SegmentLines> {
    const read = async (entry: Entry): Promise<Iterable<Line>> => await this.#linesOf(entry, signal);
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
  async lines(segment: number): Promise<Iterable<Line>> {
    return await this.#linesOf(this.#keyOf(segment));
  }

  /** Reads the lines of a segment. Returns undefined if it does not exist yet. */
  async newLines(segment: number): Promise<Iterable<Line> | undefined> {
    const { status, bytes } = await this.#client.request({ method: 'GET', key: this.#keyOf(segment) });
    return status === 200 ? new LineSplitter().add(bytes) : undefined;
  }

  /** Writes a segment. Returns whether this writer wrote it, perhaps by an attempt whose response was lost. */
  async write(segment: number, body: Buffer, writer: string): Promise<boolean> {
    const key = this.#keyOf(segment);
    const headers = { 'if-none-match': '*', 'content-type': 'application/x-ndjson', [writerField]: writer };
    const { status } = await this.#client.request({ method: 'PUT', key, headers, body });
    if (status === 200) return true;
    const there = await this.#client.request({ method: 'HEAD', key });
    return there.status === 200 && there.headers[writerField] === writer;
  }

  async #entries(after: number): Promise<Entry[]> {
    const entries: Entry[] = [];
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
  async #linesOf(file: Entry | string, signal?: AbortSignal): Promise<Iterable<Line>> {
    const stored = await this.#storage.read(file, Number.POSITIVE_INFINITY, signal);
    return new LineSplitter().add(stored?.bytes ?? Buffer.alloc(0));
  }
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
