import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreExpectedError } from '../../../log/bug.ts';
import type { JournalState } from '../model/journal.ts';
import type { JournalRecordChain } from '../model/record-chain.ts';
import { createStorageFailure } from '../model/refusal.ts';
import type { Checkpoint } from '../model/segment.ts';
import { findLatestCheckpoint, type JournalSegmentReader } from './checkpoints.ts';
import { JournalReader, type LinePosition, type SegmentLines } from './journal-reader.ts';

/** The delays between retries after temporary errors, in milliseconds. */
const pausesMs = [10, 20, 50, 100, 200, 500];

/** Returns the offset after the last line that was read, or 0 for a later segment. */
export function findOffsetAfterLine(segment: number, last: LinePosition): number {
  return segment === last.segment ? last.end : 0;
}

/** Reads and appends at the end of a journal. It is implemented for folders and for buckets. */
export interface JournalStore extends JournalSegmentReader {
  /**
   * Returns whether the journal still has the same line at this position. If a backup was restored, the line may be
   * different.
   */
  isAt(last: LinePosition, hash: string): Promise<boolean>;
  /** Yields the lines after the given line, in batches. The call is fast if there are no new lines. */
  newLines(last: LinePosition): AsyncIterable<SegmentLines>;
  /**
   * Appends lines directly after the given line. Returns the segment of the new lines, or undefined if another writer
   * may have appended first.
   */
  append(bytes: Buffer, last: LinePosition): Promise<number | undefined>;
  /** Returns whether a new checkpoint would save more time for reading than writing it costs. */
  isCheckpointDue(tail: JournalTail): boolean;
}

/** Returns the position before the first line of a segment. Segment numbers start at 1. */
const beforeFirst = (segment: number): LinePosition => ({ segment, end: 0, length: 0 });

/** The position up to which this process has read a journal, and the state of the journal at that position. */
export class JournalTail implements Checkpoint {
  #reader = new JournalReader();
  #last = beforeFirst(0);
  /**
   * The last segment and record for which this process knows a saved checkpoint. A writer can be killed before it saves
   * its checkpoint.
   */
  #saved = { segment: 0, seq: 0 };
  #isOpen = false;

  get state(): JournalState {
    return this.#reader.state;
  }

  get chain(): string {
    return this.#reader.chain;
  }

  get last(): LinePosition {
    return this.#last;
  }

  get saved(): { segment: number; seq: number } {
    return this.#saved;
  }

  /** True if the journal was read at least once. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Saves a checkpoint if one is due. An error is ignored, because a checkpoint only speeds up reading. */
  async saveDueCheckpoint(store: JournalStore): Promise<void> {
    if (!store.isCheckpointDue(this)) return;
    this.#countCheckpointAsSaved();
    await store.checkpoints.save(this.#last.segment, this).catch(ignoreExpectedError);
  }

  /** Records that no checkpoint is needed at the current position, because one is or will be saved. */
  #countCheckpointAsSaved(): void {
    this.#saved = { segment: this.#last.segment, seq: this.state.seq };
  }

  /** Reads the records that other processes have appended. */
  async refresh(store: JournalStore): Promise<void> {
    if (!this.#isOpen || !(await store.isAt(this.#last, this.chain))) {
      await this.#open(store);
      return;
    }
    const wasDue = store.isCheckpointDue(this);
    await this.#read(store.newLines(this.#last));
    // The checkpoint counts as saved, because the process that writes the segment saves it. If that process is killed,
    // the next process that opens the journal saves one.
    if (!wasDue && store.isCheckpointDue(this)) this.#countCheckpointAsSaved();
  }

  /**
   * Appends records. If another process appended first, the function writes nothing, reads the records of that process,
   * and returns false.
   */
  async append(store: JournalStore, records: JournalRecordChain): Promise<boolean> {
    const { bytes } = records;
    for (const pauseMs of pausesMs) {
      const segment = await store.append(bytes, this.#last);
      if (segment !== undefined) {
        this.#moveTo(segment, bytes.length, Buffer.byteLength(records.lines.at(-1) ?? ''));
        this.#reader.chain = records.chain;
        for (const record of records.records) this.state.apply(record);
        return true;
      }
      const before = this.#last.segment;
      await this.refresh(store);
      if (this.#last.segment > before) return false;
      await sleep(pauseMs * (0.5 + Math.random())); // two parallel writes were both rejected
    }
    throw createStorageFailure('BUSY', 'The object store does not accept the next journal segment.', {
      suggestion: 'Try again in a moment.',
    });
  }

  /** Discards the state, so that the next call reads the journal from its latest checkpoint. */
  reset(): void {
    this.#reader = new JournalReader();
    this.#last = beforeFirst(0);
    this.#saved = { segment: 0, seq: 0 };
    this.#isOpen = false;
  }

  /** Moves the position behind lines of this size. The last line has this length. */
  #moveTo(segment: number, size: number, length: number): void {
    this.#last = { segment, end: findOffsetAfterLine(segment, this.#last) + size, length };
  }

  /** Starts reading after the latest valid checkpoint, or at the first segment. */
  async #open(store: JournalStore): Promise<void> {
    this.reset();
    const found = await findLatestCheckpoint(store);
    if (found !== undefined) {
      this.#reader = new JournalReader(found.checkpoint.state, found.checkpoint.chain);
      this.#last = found.last;
      this.#countCheckpointAsSaved();
    }
    await this.#read(store.linesAfter(this.#last.segment));
    this.#isOpen = true;
  }

  async #read(batches: AsyncIterable<SegmentLines>): Promise<void> {
    for await (const { segment, lines } of batches) {
      if (segment > this.#last.segment) this.#last = beforeFirst(segment);
      try {
        const { size, length } = this.#reader.add(lines);
        if (size > 0) this.#moveTo(segment, size, length);
      } catch (error) {
        // The state is discarded, because some lines of the batch may already be applied.
        this.reset();
        throw error;
      }
    }
  }
}
