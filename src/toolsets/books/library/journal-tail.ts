import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalState } from '../model/journal.ts';
import type { RecordChain } from '../model/record-chain.ts';
import { createStorageFailure } from '../model/refusal.ts';
import type { Checkpoint } from '../model/segment.ts';
import {
  findLatestCheckpoint,
  type JournalLine,
  JournalReader,
  type JournalSegmentReader,
  type LinePosition,
  type SegmentLines,
} from './journal-reader.ts';

/** The delays between retries of temporary errors. */
const pausesMs = [10, 20, 50, 100, 200, 500];

/** Returns the offset after the last line if it is in this segment, and 0 for a later segment. */
export function offsetAfterLine(segment: number, last: LinePosition): number {
  return segment === last.segment ? last.start + last.length + 1 : 0;
}

/** The end of a journal that is read and appended to. It is implemented for folders and buckets. */
export interface JournalStore extends JournalSegmentReader {
  /** Returns whether a line is still at its position. A restored backup would have another line there. */
  isAt(last: LinePosition, hash: string): Promise<boolean>;
  /** Yields the lines after this line, in batches. It is cheap if there are none. */
  newLines(last: LinePosition): AsyncIterable<SegmentLines>;
  /** Appends lines after this line. Returns their segment, or undefined if another writer may have been first. */
  append(bytes: Buffer, last: LinePosition): Promise<number | undefined>;
  /** Returns whether a checkpoint saves more reading than it costs. */
  isCheckpointDue(tail: JournalTail): boolean;
}

/** Returns the position before the first line of a segment. No segment has the number 0. */
const beforeFirst = (segment: number): LinePosition => ({ segment, start: -1, length: 0 });

/** The position up to which a journal was read, and the state at this position. */
export class JournalTail implements Checkpoint {
  #reader = new JournalReader();
  #last = beforeFirst(0);
  /** The last segment and record with a known checkpoint. A writer can be killed before it saves one. */
  #saved = { segment: 0, seq: 0 };
  #isOpen = false;

  get state(): JournalState {
    return this.#reader.state;
  }

  get chain(): string {
    return this.#reader.chain;
  }

  /** The last line that was read. */
  get last(): LinePosition {
    return this.#last;
  }

  get saved(): { segment: number; seq: number } {
    return this.#saved;
  }

  /** True if the journal was already read. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Called after a checkpoint of the state was saved. */
  onCheckpointSaved(): void {
    this.#saved = { segment: this.#last.segment, seq: this.state.seq };
  }

  /** Reads new records of other processes. */
  async refresh(store: JournalStore): Promise<void> {
    if (!this.#isOpen || !(await store.isAt(this.#last, this.chain))) {
      await this.#open(store);
      return;
    }
    const wasDue = store.isCheckpointDue(this);
    await this.#read(store.newLines(this.#last));
    // The writer of a segment saves its checkpoint. If it was killed before, the next process that opens the journal
    // saves one.
    if (!wasDue && store.isCheckpointDue(this)) this.onCheckpointSaved();
  }

  /**
   * Appends records. Returns false without a change if another process appended first, and reads the records of that
   * process.
   */
  async append(store: JournalStore, records: RecordChain): Promise<boolean> {
    const { bytes } = records;
    for (const pauseMs of pausesMs) {
      const segment = await store.append(bytes, this.#last);
      if (segment !== undefined) {
        this.#onAppended(records, segment, bytes.length);
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

  /** Resets the state, so that the next call reads the journal from its latest checkpoint. */
  reset(): void {
    this.#reader = new JournalReader();
    this.#last = beforeFirst(0);
    this.#saved = { segment: 0, seq: 0 };
    this.#isOpen = false;
  }

  #onAppended({ records, lines, chain }: RecordChain, segment: number, bytes: number): void {
    const length = Buffer.byteLength(lines.at(-1) ?? '');
    this.#last = { segment, start: offsetAfterLine(segment, this.#last) + bytes - length - 1, length };
    this.#reader.chain = chain;
    for (const record of records) this.state.apply(record);
  }

  /** Starts after the latest valid checkpoint of this journal, or at the first segment. */
  async #open(store: JournalStore): Promise<void> {
    this.reset();
    const found = await findLatestCheckpoint(store);
    if (found !== undefined) {
      this.#reader = new JournalReader(found.checkpoint.state, found.checkpoint.chain);
      this.#last = found.last;
      this.onCheckpointSaved();
    }
    await this.#read(store.linesAfter(this.#last.segment));
    this.#isOpen = true;
  }

  async #read(batches: AsyncIterable<SegmentLines>): Promise<void> {
    for await (const { segment, lines } of batches) {
      if (segment > this.#last.segment) this.#last = beforeFirst(segment);
      try {
        let bytes = 0;
        const last = this.#reader.add(counted(lines, length => (bytes += length + 1)));
        if (last === undefined) continue;
        const { length } = last;
        this.#last = { segment, start: offsetAfterLine(segment, this.#last) + bytes - length - 1, length };
      } catch (error) {
        // A part of the batch may already be applied, so that the state is reset.
        this.reset();
        throw error;
      }
    }
  }
}

function* counted(lines: Iterable<JournalLine>, onLine: (length: number) => void): Generator<JournalLine> {
  for (const line of lines) {
    onLine(line.length);
    yield line;
  }
}
