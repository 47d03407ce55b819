import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { JournalReader, LineSplitter, latestCheckpoint } from '../../library/journal-reader.ts';
import { type JournalRecord, type JournalState, readRecord } from '../../model/journal.ts';
import { storageFailure } from '../../model/refusal.ts';
import type { SegmentObjects } from './segment-objects.ts';

/** After refusals that nobody else is the reason of. */
const pausesMs = [10, 20, 50, 100, 200, 500];

/** So many segments are read one by one by whoever comes late. */
const checkpointEvery = 256;

/** How far the journal of a book has been read, and where it goes on. */
export class Segments {
  readonly #objects: SegmentObjects;
  #reader = new JournalReader();
  /** The last segment that was read; 0 before the first. */
  #last = 0;
  /** The last segment that has a checkpoint, as far as is known: its writer may have been killed before it had made it. */
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

  /** Reads what others have written. */
  async refresh(): Promise<void> {
    if (!this.#isOpen) {
      await this.#open();
      return;
    }
    const wasDue = this.#isDue;
    // Most of the time there is nothing new, and one question is the answer.
    const lines = await this.#objects.newLines(this.#last + 1);
    if (lines !== undefined) {
      this.#reader.add(lines);
      this.#last++;
      await this.#readFrom(this.#last);
    }
    // Who has written the segment has made its checkpoint; if not, the next to open the journal finds out.
    if (this.#isDue && !wasDue) this.#kept = this.#last;
  }

  get #isDue(): boolean {
    return this.#last - this.#kept >= checkpointEvery;
  }

  /** The next segment. False: somebody else has written it, and it has been read now. */
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
      await sleep(pauseMs * (0.5 + Math.random())); // two were too close together, and both were refused
    }
    throw storageFailure('BUSY', 'The object store does not take the next piece of the journal.', {
      suggestion: 'Try again in a moment.',
    });
  }

  /** The end of an intent, looked for from a segment on. */
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
    await this.#readFrom(this.#last === 0 ? -1 : this.#last);
    this.#isOpen = true;
  }

  async #readFrom(after: number): Promise<void> {
    for await (const { segment, lines } of this.#objects.linesAfter(after)) {
      this.#reader.add(lines);
      this.#last = segment;
    }
  }

  /** Only who wrote the segment makes it, while nobody changes the state. */
  async #keepCheckpoint(): Promise<void> {
    this.#kept = this.#last;
    await this.#objects.keepCheckpoint(this.#last, this.#reader);
  }
}
