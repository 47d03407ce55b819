import { closeSync, fstatSync, readSync } from 'node:fs';
import { JournalReader, type Line, LineSplitter, latestCheckpoint } from '../../library/journal-reader.ts';
import { hashOf } from '../../model/hash.ts';
import type { JournalState } from '../../model/journal.ts';
import type { RecordChain } from '../../model/record-chain.ts';
import { pieceBytes, readSome } from './file.ts';
import type { Folder } from './folder.ts';
import { type LinePlace, numbersOf, openSegment, segmentsIn } from './segment-files.ts';

/** A segment that has grown to this is the last one no longer. */
const segmentBytes = 1 << 20;
/** What others add in this time is read in no time. */
const behindMs = 1000;

/** How far a journal has been read, what it has said, and where it goes on. */
export class JournalTail {
  #reader = new JournalReader();
  #segment: number | undefined;
  #offset = 0;
  #last: LinePlace | undefined;
  /** Records since the last checkpoint, about: a checkpoint costs as much as there are files. */
  #sinceCheckpoint = 0;
  /** When everything had been read, on the clock that never jumps. */
  #readMs = Number.NEGATIVE_INFINITY;

  get state(): JournalState {
    return this.#reader.state;
  }

  get chain(): string {
    return this.#reader.chain;
  }

  /** The one that is written to; undefined before the first. */
  get segment(): number | undefined {
    return this.#segment;
  }

  /** Where the last finished line in it ends. */
  get offset(): number {
    return this.#offset;
  }

  /** Whether much may have been added since it was read. */
  get isBehind(): boolean {
    return performance.now() - this.#readMs > behindMs;
  }

  /** Whether the next record belongs into a new segment. The file of the first days is not written to any more. */
  get isFull(): boolean {
    return this.#segment === undefined || this.#segment === 0 || this.#offset >= segmentBytes;
  }

  /** Whether a checkpoint spares more reading than it costs. */
  get isCheckpointDue(): boolean {
    return this.#last !== undefined && this.#sinceCheckpoint * 2 >= this.state.files.size;
  }

  /** What is known is kept as a checkpoint. */
  onCheckpointSaved(): void {
    this.#sinceCheckpoint = 0;
  }

  /** A new segment has been begun. */
  onSegmentStarted(segment: number): void {
    this.#segment = segment;
    this.#offset = 0;
  }

  /** These lines have been written, so many bytes of them. */
  onAppended({ records, lines, chain }: RecordChain, bytes: number): void {
    if (this.#segment === undefined) return;
    const length = Buffer.byteLength(lines.at(-1) ?? '');
    this.#offset += bytes;
    this.#last = { segment: this.#segment, start: this.#offset - 1 - length, length };
    this.#reader.chain = chain;
    this.#sinceCheckpoint += records.length;
    for (const record of records) this.state.apply(record);
  }

  /** Leaves the last segment open; undefined when there is none. The caller closes it. */
  async catchUp(metadata: Folder | undefined, flags: number): Promise<number | undefined> {
    let descriptor =
      metadata === undefined || this.#segment === undefined ? undefined : openSegment(metadata, this.#segment, flags);
    try {
      if (metadata === undefined || descriptor === undefined || !this.#endsAsKnown(metadata, descriptor)) {
        if (descriptor !== undefined) closeSync(descriptor);
        descriptor = undefined;
        this.reset();
        if (metadata === undefined) return undefined;
        await this.#start(metadata);
        if (this.#segment === undefined) return undefined;
        descriptor = openSegment(metadata, this.#segment, flags);
      }
      const numbers = this.#last === undefined ? numbersOf(metadata) : undefined;
      while (descriptor !== undefined && this.#segment !== undefined) {
        await this.#readOn(descriptor, this.#segment);
        const current: number = this.#segment;
        const following =
          numbers === undefined ? current + 1 : (numbers.find(number => number > current) ?? current + 1);
        // Only a full segment gets a successor; in a copy of a bucket they are short, but nobody adds to one in the middle.
        const isLast = this.#readMs > 0 && this.#offset < segmentBytes && current > 0;
        const next = isLast ? undefined : openSegment(metadata, following, flags);
        if (next === undefined) break;
        closeSync(descriptor);
        descriptor = next;
        this.#segment = following;
        this.#offset = 0;
      }
      this.#readMs = performance.now();
      return descriptor;
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor);
      // A part of the last piece may have been applied: the next call starts again.
      this.reset();
      throw error;
    }
  }

  /** Where reading begins: after the latest checkpoint that belongs to this journal, or at the first segment. */
  async #start(metadata: Folder): Promise<void> {
    const found = await latestCheckpoint(segmentsIn(metadata));
    if (found === undefined) {
      this.#segment = numbersOf(metadata)[0];
      return;
    }
    const { segment, checkpoint, end } = found;
    this.#reader = new JournalReader(checkpoint.state, checkpoint.chain);
    this.#segment = segment;
    this.#offset = end.place.start + end.place.length + 1;
    this.#last = end.place;
  }

  async #readOn(descriptor: number, segment: number): Promise<void> {
    const splitter = new LineSplitter();
    const { size } = fstatSync(descriptor);
    for (let position = this.#offset; position < size; ) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - position));
      const isRest = piece.length < pieceBytes;
      const count = isRest
        ? readSync(descriptor, piece, 0, piece.length, position)
        : await readSome(descriptor, piece, 0, position);
      if (count === 0) return;
      position += count;
      let lines = 0;
      const last = this.#reader.add(
        (function* counted(): Generator<Line> {
          for (const line of splitter.add(piece.subarray(0, count))) {
            lines += line.length + 1;
            yield line;
          }
        })(),
      );
      if (last === undefined) continue;
      this.#offset += lines;
      this.#last = { segment, start: this.#offset - 1 - last.length, length: last.length };
      this.#sinceCheckpoint += Math.ceil(lines / 400);
    }
  }

  reset(): void {
    this.#reader = new JournalReader();
    this.#segment = undefined;
    this.#offset = 0;
    this.#last = undefined;
    this.#sinceCheckpoint = 0;
    this.#readMs = Number.NEGATIVE_INFINITY;
  }

  /** Whether the line read last is still in its place: somebody may have put back an older copy. */
  #endsAsKnown(metadata: Folder, current: number): boolean {
    if (this.#last === undefined) return true;
    const { segment, start, length } = this.#last;
    const descriptor = segment === this.#segment ? current : openSegment(metadata, segment);
    if (descriptor === undefined) return false;
    try {
      if (fstatSync(descriptor).size < start + length + 1) return false;
      if (length > pieceBytes) return true;
      const line = Buffer.alloc(length);
      readSync(descriptor, line, 0, length, start);
      return hashOf(line) === this.#reader.chain;
    } finally {
      if (descriptor !== current) closeSync(descriptor);
    }
  }
}
