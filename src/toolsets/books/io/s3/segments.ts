import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { passOver } from '../../../../bug.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import { type JournalRecord, type JournalState, JournalState as State } from '../../model/journal.ts';
import { metadataFolder } from '../../model/key.ts';
import { storageFailure } from '../../model/refusal.ts';
import {
  checkpointName,
  checkpointNumber,
  firstJournalName,
  journalFolder,
  segmentName,
  segmentNumber,
  stateFolder,
} from '../../model/segment.ts';
import { inOrder } from '../store/ahead.ts';
import { JournalReader, LineSplitter, packCheckpoint, unpackCheckpoint } from '../store/journal-reader.ts';
import type { Entry } from '../store/storage.ts';
import type { BucketStorage } from './bucket-storage.ts';
import type { Client } from './client.ts';
import { entryOf, listObjects } from './listing.ts';

/** Says who wrote a segment, where an answer got lost on the way and only the object itself can tell. */
const writerField = 'x-amz-meta-oj-writer';

/** After refusals that nobody else is the reason of. */
const pausesMs = [10, 20, 50, 100, 200, 500];

/** So many segments are read one by one by whoever comes late. */
const checkpointEvery = 256;

/** The journal of a book in a bucket: objects that are written once, each the only one of its number. */
export class Segments {
  readonly #client: Client;
  readonly #storage: BucketStorage;
  readonly #folder: string;
  #reader = new JournalReader();
  /** The last segment that was read; 0 before the first. */
  #last = 0;
  /** The last segment that has a checkpoint, as far as is known: its writer may have been killed before it had made it. */
  #kept = 0;
  #isOpen = false;

  constructor(client: Client, storage: BucketStorage, book: string) {
    this.#client = client;
    this.#storage = storage;
    this.#folder = `${metadataFolder}/${book}`;
  }

  get state(): JournalState {
    return this.#reader.state;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get chain(): string {
    return this.#reader.chain;
  }

  get last(): number {
    return this.#last;
  }

  /** Reads what others have written. */
  async refresh(): Promise<void> {
    if (!this.#isOpen) {
      await this.#open();
      return;
    }
    const wasDue = this.#isDue;
    // Most of the time there is nothing new, and one question is the answer.
    if (await this.#read(this.#last + 1)) await this.#readFrom(this.#last);
    // Who has written the segment has made its checkpoint; if not, the next to open the journal finds out.
    if (this.#isDue && !wasDue) this.#kept = this.#last;
  }

  get #isDue(): boolean {
    return this.#last - this.#kept >= checkpointEvery;
  }

  /** The next segment. False: somebody else has written it, and it has been read now. */
  async write(lines: readonly string[]): Promise<boolean> {
    const number = this.#last + 1;
    const writer = randomUUID();
    const body = Buffer.from(lines.map(line => `${line}\n`).join(''), 'utf8');
    const headers = { 'if-none-match': '*', 'content-type': 'application/x-ndjson', [writerField]: writer };
    for (const pauseMs of pausesMs) {
      const { status } = await this.#client.ask({ method: 'PUT', key: this.#keyOf(number), headers, body });
      // A refusal may be about our own first try, whose answer got lost.
      if (status === 200 || (await this.#isBy(number, writer))) {
        this.#reader.add(new LineSplitter().add(body));
        this.#last = number;
        if (this.#isDue) await this.#keepCheckpoint(number);
        return true;
      }
      await this.refresh();
      if (this.#last >= number) return false;
      await sleep(pauseMs * (0.5 + Math.random())); // two were too close together, and both were refused
    }
    throw storageFailure('BUSY', 'The object store does not take the next piece of the journal.', {
      suggestion: 'Try again in a moment.',
    });
  }

  /** The end of an intent, looked for from a segment on. */
  async endOf(seq: number, from: number): Promise<JournalRecord['kind'] | undefined> {
    for (let number = from; number <= this.#last; number++) {
      for (const line of await this.#linesOf(this.#keyOf(number))) {
        const record: unknown = JSON.parse(line);
        if (isEndOf(record, seq)) return record.kind;
      }
    }
    return undefined;
  }

  /** The state after the record of that number, from the latest checkpoint before it on. */
  async stateAt(seq: number): Promise<JournalState> {
    for (const number of await this.#checkpoints()) {
      const checkpoint = await this.#checkpoint(number);
      if (checkpoint === undefined || checkpoint.state.seq > seq) continue;
      return await this.#replay(new JournalReader(checkpoint.state), number, seq);
    }
    return await this.#replay(new JournalReader(), -1, seq);
  }

  /** All lines that are there, from the first on. */
  async *lines(signal?: AbortSignal): AsyncGenerator<Iterable<string>> {
    const read = async (entry: Entry): Promise<string[]> => await this.#linesOf(entry, signal);
    for await (const [, lines] of inOrder(await this.#entries(-1), this.#storage.ahead, read, signal)) yield lines;
  }

  async #replay(reader: JournalReader, after: number, seq: number): Promise<JournalState> {
    const read = async (entry: Entry): Promise<Buffer> => await this.#bytesOf(entry);
    for await (const [, bytes] of inOrder(await this.#entries(after), this.#storage.ahead, read)) {
      reader.add(new LineSplitter().add(bytes), seq);
      if (reader.state.seq >= seq) break;
    }
    return reader.state;
  }

  async #open(): Promise<void> {
    for (const number of await this.#checkpoints()) {
      const checkpoint = await this.#checkpoint(number);
      if (checkpoint === undefined || !(await this.#belongs(number, checkpoint))) continue;
      this.#reader = new JournalReader(checkpoint.state, checkpoint.chain);
      this.#last = number;
      this.#kept = number;
      break;
    }
    await this.#readFrom(this.#last === 0 ? -1 : this.#last);
    this.#isOpen = true;
  }

  /** A checkpoint is believed when the segment it was made after ends with the line it says. */
  async #belongs(number: number, { chain }: Checkpoint): Promise<boolean> {
    const reader = new JournalReader(new State());
    reader.add(new LineSplitter().add(await this.#bytesOf(this.#keyOf(number))));
    return reader.chain === chain;
  }

  async #readFrom(after: number): Promise<void> {
    const read = async (entry: Entry): Promise<Buffer> => await this.#bytesOf(entry);
    for await (const [{ key }, bytes] of inOrder(await this.#entries(after), this.#storage.ahead, read)) {
      this.#reader.add(new LineSplitter().add(bytes));
      this.#last = this.#numberOf(key) ?? 0;
    }
  }

  async #read(number: number): Promise<boolean> {
    const { status, bytes } = await this.#client.ask({ method: 'GET', key: this.#keyOf(number) });
    if (status !== 200) return false;
    this.#reader.add(new LineSplitter().add(bytes));
    this.#last = number;
    return true;
  }

  async #isBy(number: number, writer: string): Promise<boolean> {
    const { status, headers } = await this.#client.ask({ method: 'HEAD', key: this.#keyOf(number) });
    return status === 200 && headers[writerField] === writer;
  }

  /** The segments after one, in their order; the file of the first days counts as number 0. */
  async #entries(after: number): Promise<Entry[]> {
    const entries: Entry[] = [];
    const first = after < 0 ? await this.#storage.stat(`${this.#folder}/${firstJournalName}`) : undefined;
    if (first !== undefined) entries.push(first);
    const options = after > 0 ? { after: this.#keyOf(after) } : {};
    let next = after > 0 ? after + 1 : undefined;
    for await (const page of listObjects(this.#client, `${this.#folder}/${journalFolder}/`, options)) {
      for (const item of page) {
        const number = this.#numberOf(item.key);
        if (number === undefined) continue;
        // Nothing of ours lies behind a gap: whoever went on from there would be alone.
        if (number !== (next ?? number)) return entries;
        const entry = entryOf(item);
        if (entry !== undefined) entries.push(entry);
        next = number + 1;
      }
    }
    return entries;
  }

  #keyOf(number: number): string {
    return `${this.#folder}/${journalFolder}/${segmentName(number)}`;
  }

  #numberOf(key: string): number | undefined {
    return segmentNumber(key.slice(key.lastIndexOf('/') + 1));
  }

  /** A segment never changes: one that is in memory is not asked for again. */
  async #bytesOf(file: Entry | string, signal?: AbortSignal): Promise<Buffer> {
    const stored = await this.#storage.read(file, Number.POSITIVE_INFINITY, signal);
    return stored?.bytes ?? Buffer.alloc(0);
  }

  async #linesOf(file: Entry | string, signal?: AbortSignal): Promise<string[]> {
    const lines = (await this.#bytesOf(file, signal)).toString('utf8').split('\n');
    return lines.slice(0, -1);
  }

  /** Numbers of the segments that have a checkpoint, the latest first. */
  async #checkpoints(): Promise<number[]> {
    const numbers: number[] = [];
    for await (const page of listObjects(this.#client, `${this.#folder}/${stateFolder}/`)) {
      for (const { key } of page) {
        const number = checkpointNumber(key.slice(key.lastIndexOf('/') + 1));
        if (number !== undefined) numbers.push(number);
      }
    }
    return numbers.reverse();
  }

  async #checkpoint(number: number): Promise<Checkpoint | undefined> {
    const source = await this.#storage.stream(`${this.#folder}/${stateFolder}/${checkpointName(number)}`);
    return source && (await unpackCheckpoint(source.pieces));
  }

  /** Spares others the reading; nothing depends on it. Only who wrote the segment makes it, while nobody changes the state. */
  async #keepCheckpoint(number: number): Promise<void> {
    this.#kept = number;
    const body = await packCheckpoint({ state: this.#reader.state, chain: this.#reader.chain });
    const key = `${this.#folder}/${stateFolder}/${checkpointName(number)}`;
    await this.#client
      .ask({ method: 'PUT', key, headers: { 'content-type': 'application/gzip' }, body })
      .catch(passOver);
  }
}

function isEndOf(record: unknown, seq: number): record is { kind: 'abort' | 'commit' } {
  if (typeof record !== 'object' || record === null || !('kind' in record) || !('intent' in record)) return false;
  return record.intent === seq && (record.kind === 'commit' || record.kind === 'abort');
}
