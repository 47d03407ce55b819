import { closeSync, fstatSync, readSync } from 'node:fs';
import { JournalReader, type Line, LineSplitter, latestCheckpoint } from '../../library/journal-reader.ts';
import { hashOf } from '../../model/hash.ts';
import type { JournalState } from '../../model/journal.ts';
import type { RecordChain } from '../../model/record-chain.ts';
import { chunkBytes, readChunk } from './file.ts';
import type { Folder } from './folder.ts';
import { type LinePosition, listSegmentNumbers, openSegment, openSegments } from './segment-files.ts';

/** A segment file is full when it has this size. */
const segmentBytes = 1 << 20;
/** Other processes append few enough records within this time to read them at once. */
const behindMs = 1000;

/** The position up to which a journal was read, the state at this position, and the offset for the next record. */
export class JournalTail {
  #reader = new JournalReader();
  #segment: number | undefined;
  #offset = 0;
  #last: LinePosition | undefined;
  /**
   * The approximate number of records since the last checkpoint. The cost of a checkpoint grows with the number of
   * files.
   */
  #sinceCheckpoint = 0;
  /** The time of the last complete read, on the monotonic clock. */
  #readMs = Number.NEGATIVE_INFINITY;

  get state(): JournalState {
    return this.#reader.state;
  }

  get chain(): string {
    return this.#reader.chain;
  }

  /** The number of the last segment. It is undefined before the first one. */
  get segment(): number | undefined {
    return this.#segment;
  }

  /** The offset after the last complete line. */
  get offset(): number {
    return this.#offset;
  }

  /** Returns whether other processes may have appended many records since the last read. */
  get isBehind(): boolean {
    return performance.now() - this.#readMs > behindMs;
  }

  /** Returns whether the next record starts a new segment. */
  get isFull(): boolean {
    return this.#segment === undefined || this.#offset >= segmentBytes;
  }

  /** Returns whether a checkpoint saves more reading than it costs. */
  get isCheckpointDue(): boolean {
    return this.#last !== undefined && this.#sinceCheckpoint * 2 >= this.state.files.size;
  }

  /** Called after a checkpoint of the state was saved. */
  onCheckpointSaved(): void {
    this.#sinceCheckpoint = 0;
  }

  /** Called after a new segment file was created. */
  onSegmentStarted(segment: number): void {
    this.#segment = segment;
    this.#offset = 0;
  }

  /** Called after lines were appended to the segment file. */
  onAppended({ records, lines, chain }: RecordChain, bytes: number): void {
    if (this.#segment === undefined) return;
    const length = Buffer.byteLength(lines.at(-1) ?? '');
    this.#offset += bytes;
    this.#last = { segment: this.#segment, start: this.#offset - 1 - length, length };
    this.#reader.chain = chain;
    this.#sinceCheckpoint += records.length;
    for (const record of records) this.state.apply(record);
  }

  /**
   * Reads new records and returns the descriptor of the last segment, which the caller closes. Returns undefined if
   * there is no segment.
   */
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
      const numbers = this.#last === undefined ? listSegmentNumbers(metadata) : undefined;
      while (descriptor !== undefined && this.#segment !== undefined) {
        await this.#readOn(descriptor, this.#segment);
        const current: number = this.#segment;
        const following =
          numbers === undefined ? current + 1 : (numbers.find(number => number > current) ?? current + 1);
        // Only a full segment has a successor. In a copy of a bucket, segments are short, but only the last one is
        // appended to.
        const isLast = this.#readMs > 0 && this.#offset < segmentBytes;
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
      // A part of the last chunk may already be applied, so that the next call reads from the start.
      this.reset();
      throw error;
    }
  }

  /** Starts after the latest valid checkpoint of this journal, or at the first segment. */
  async #start(metadata: Folder): Promise<void> {
    const found = await latestCheckpoint(openSegments(metadata));
    if (found === undefined) {
      this.#segment = listSegmentNumbers(metadata)[0];
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
      const piece = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
      const isRest = piece.length < chunkBytes;
      const count = isRest
        ? readSync(descriptor, piece, 0, piece.length, position)
        : await readChunk(descriptor, piece, 0, position);
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

  /** Returns whether the last line is still at its offset. A restored backup would have another line there. */
  #endsAsKnown(metadata: Folder, current: number): boolean {
    if (this.#last === undefined) return true;
    const { segment, start, length } = this.#last;
    const descriptor = segment === this.#segment ? current : openSegment(metadata, segment);
    if (descriptor === undefined) return false;
    try {
      if (fstatSync(descriptor).size < start + length + 1) return false;
      if (length > chunkBytes) return true;
      const line = Buffer.alloc(length);
      readSync(descriptor, line, 0, length, start);
      return hashOf(line) === this.#reader.chain;
    } finally {
      if (descriptor !== current) closeSync(descriptor);
    }
  }
}
