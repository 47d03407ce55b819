import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { JournalReader, LineSplitter, latestCheckpoint } from '../../library/journal-reader.ts';
import { type JournalRecord, type JournalState, readRecord } from '../../model/journal.ts';
import { storageFailure } from '../../model/refusal.ts';
import type { SegmentObjects } from './segment-objects.ts';

/** The delays between retries of temporary errors. */
const pausesMs = [10, 20, 50, 100, 200, 500];

/** The number of segments between two checkpoints. */
const checkpointEvery = 256;

/** The position up to which the journal of a book was read, and the state at this position. */
export class Segments {
  readonly #objects: SegmentObjects;
  #reader = new JournalReader();
  /** The number of the last segment that was read. It is 0 before the first one. */
  #last = 0;
  /** The number of the last segment with a known checkpoint. A writer can be killed before it saves one. */
  #kept = 0;
  #isOpen = false;

  constructor(objects: SegmentObjects) {
    this.#objects = objects;
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

  /** Reads new segments of other processes. */
  async refresh(): Promise<void> {
    if (!this.#isOpen) {
      await this.#open();
      return;
    }
    const wasDue = this.#isDue;
    // Usually there is no new segment, and one request is sufficient.
    const lines = await this.#objects.newLines(this.#last + 1);
    if (lines !== undefined) {
      this.#reader.add(lines);
      this.#last++;
      await this.#readFrom(this.#last);
    }
    // The writer of a segment saves its checkpoint. If it was killed before, the next process that opens the journal
    // saves one.
    if (this.#isDue && !wasDue) this.#kept = this.#last;
  }

  get #isDue(): boolean {
    return this.#last - this.#kept >= checkpointEvery;
  }

  /** Writes the next segment. Returns false if another process wrote it first, and that segment is then read. */
  async write(body: Buffer): Promise<boolean> {
    const number = this.#last + 1;
    const writer = randomUUID();
    for (const pauseMs of pausesMs) {
      if (await this.#objects.write(number, body, writer)) {
        this.#reader.add(new LineSplitter().add(body));
        this.#last = number;
        if (this.#isDue) await this.#keepCheckpoint();
        return true;
      }
      await this.refresh();
      if (this.#last >= number) return false;
      await sleep(pauseMs * (0.5 + Math.random())); // two parallel writes were both rejected
    }
    throw storageFailure('BUSY', 'The object store does not accept the next journal segment.', {
      suggestion: 'Try again in a moment.',
    });
  }

  /** Searches the end record of an intent, from a segment number. */
  async endOf(seq: number, from: number): Promise<JournalRecord['kind'] | undefined> {
    for (let number = from; number <= this.#last; number++) {
      for (const { bytes } of await this.#objects.lines(number)) {
        const { intent, kind } = readRecord(bytes.toString('utf8')) ?? {};
        if (intent === seq && (kind === 'commit' || kind === 'abort')) return kind;
      }
    }
    return undefined;
  }

  async #open(): Promise<void> {
    const found = await latestCheckpoint(this.#objects);
    this.#reader = new JournalReader(found?.checkpoint.state, found?.checkpoint.chain);
    this.#last = found?.segment ?? 0;
    this.#kept = this.#last;
    await this.#readFrom(this.#last);
    this.#isOpen = true;
  }

  async #readFrom(after: number): Promise<void> {
    for await (const { segment, lines } of this.#objects.linesAfter(after)) {
      this.#reader.add(lines);
      this.#last = segment;
    }
  }

  /** Saves a checkpoint. Only the writer of the segment does this. */
  async #keepCheckpoint(): Promise<void> {
    this.#kept = this.#last;
    await this.#objects.keepCheckpoint(this.#last, this.#reader);
  }
}
