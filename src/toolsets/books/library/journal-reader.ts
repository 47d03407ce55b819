import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { isBug } from '../../../log/bug.ts';
import { sha256Of } from '../model/hash.ts';
import { firstChainHash, JournalState, parseJournalRecord } from '../model/journal.ts';
import { type Checkpoint, CheckpointReader, serializeCheckpoint } from '../model/segment.ts';

const newline = 0x0a;
/** No journal record is longer than this limit. A longer line is only hashed. */
const maxLineBytes = 1 << 20;
const batchCharacters = 1 << 16;
/** Limits the size of a checkpoint. It is the size for ten million files. */
const maxUnpackedBytes = 2 ** 31;

export interface JournalLine {
  /**
   * The bytes of the line. They are empty if the line is too long for a record. The next lines reuse the same buffer.
   */
  bytes: Buffer;
  /** The length of the line without its line feed. */
  length: number;
  hash: () => string;
}

/** Splits chunks of a journal into complete lines. */
export class JournalLineSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #long: Hash | undefined;
  #longBytes = 0;

  *add(piece: Buffer): Generator<JournalLine> {
    let from = 0;
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, from)) {
      yield this.#take(piece.subarray(from, at));
      from = at + 1;
    }
    this.#keep(piece.subarray(from));
  }

  #take(end: Buffer): JournalLine {
    const long = this.#long?.update(end);
    if (long !== undefined) {
      const length = this.#longBytes + end.length;
      this.#long = undefined;
      const hash = long.digest('hex');
      return { bytes: Buffer.alloc(0), length, hash: () => hash };
    }
    const bytes = this.#rest.length === 0 ? end : Buffer.concat([this.#rest, end]);
    this.#rest = Buffer.alloc(0);
    return { bytes, length: bytes.length, hash: () => sha256Of(bytes) };
  }

  #keep(tail: Buffer): void {
    this.#longBytes += tail.length;
    if (this.#long !== undefined) this.#long.update(tail);
    else if (this.#rest.length + tail.length <= maxLineBytes) this.#rest = Buffer.concat([this.#rest, tail]);
    else {
      this.#long = createHash('sha256').update(this.#rest).update(tail);
      this.#longBytes = this.#rest.length + tail.length;
      this.#rest = Buffer.alloc(0);
    }
  }
}

/** Replays a journal line by line and computes its state. */
export class JournalReader {
  readonly state: JournalState;
  /** The hash of the last line, which the next record contains in its field `chain`. */
  chain: string;

  constructor(state = new JournalState(), chain = firstChainHash) {
    this.state = state;
    this.chain = chain;
  }

  /**
   * Replays lines up to the record with the number `upTo`. Returns the size of all lines, and the length of the last one
   * without its line feed.
   */
  add(lines: Iterable<JournalLine>, upTo = Number.POSITIVE_INFINITY): { size: number; length: number } {
    let last: JournalLine | undefined;
    let size = 0;
    for (const line of lines) {
      size += line.length + 1;
      // Most lines of a journal are audit notes, which do not change the state. Only the last note of a batch is
      // applied, because it has the highest record number.
      if (last !== undefined && !isNote(last.bytes)) this.#apply(last.bytes, upTo);
      last = line;
    }
    if (last === undefined) return { size, length: 0 };
    this.#apply(last.bytes, upTo);
    this.chain = last.hash();
    return { size, length: last.length };
  }

  #apply(bytes: Buffer, upTo: number): void {
    const record = bytes.length === 0 ? undefined : parseJournalRecord(bytes.toString('utf8'));
    if (record !== undefined && record.seq <= upTo) this.state.apply(record);
  }
}

/** A line that starts with these bytes is an audit note, because the record type is the first field. */
const noteStart = Buffer.from('{"kind":"note"');

function isNote(line: Buffer): boolean {
  return line.subarray(0, noteStart.length).equals(noteStart);
}

/** Serializes and compresses a checkpoint of the journal. */
export async function compressCheckpoint(checkpoint: Checkpoint): Promise<Buffer> {
  const packed: Buffer[] = [];
  await pipeline(Readable.from(batchesOf(serializeCheckpoint(checkpoint))), createGzip(), async pieces => {
    for await (const piece of pieces) packed.push(piece);
  });
  return Buffer.concat(packed);
}

/** Decompresses and parses a checkpoint. Returns undefined if it is damaged. */
export async function decompressCheckpoint(packed: AsyncIterable<Uint8Array>): Promise<Checkpoint | undefined> {
  const reader = new CheckpointReader();
  const splitter = new JournalLineSplitter();
  let bytes = 0;
  try {
    await pipeline(Readable.from(packed), createGunzip(), async pieces => {
      for await (const piece of pieces) {
        bytes += piece.length;
        if (bytes > maxUnpackedBytes) throw new Error('too long');
        for (const line of splitter.add(piece)) reader.add(line.bytes.toString('utf8'));
      }
    });
  } catch (error) {
    if (isBug(error)) throw error;
    return undefined;
  }
  return reader.finish();
}

function* batchesOf(lines: Iterable<string>): Generator<Buffer> {
  let batch = '';
  for (const line of lines) {
    batch += `${line}\n`;
    if (batch.length < batchCharacters) continue;
    yield Buffer.from(batch, 'utf8');
    batch = '';
  }
  yield Buffer.from(batch, 'utf8');
}

export interface SegmentInfo {
  number: number;
  /** A string that changes when the content of the segment changes. */
  version: string;
}

export interface SegmentLines {
  segment: number;
  lines: Iterable<JournalLine>;
}

/** The position of a complete line. Before the first line of a segment, both numbers are 0. */
export interface LinePosition {
  segment: number;
  /** The offset after the line feed. */
  end: number;
  /** The length of the line without its line feed. */
  length: number;
}

export interface LastJournalLine {
  hash: string;
  place: LinePosition;
}

/** Reads the segments and checkpoints of a journal. It is implemented for folders and for buckets. */
export interface JournalSegmentReader {
  /** Returns the numbers of the segments that have a checkpoint, the latest first. */
  checkpointNumbers(): Promise<number[]>;
  /** Returns the checkpoint after a segment, or undefined if it is missing or damaged. */
  checkpoint(segment: number): Promise<Checkpoint | undefined>;
  /** Returns the last complete line of a segment. */
  lastLine(segment: number): Promise<LastJournalLine | undefined>;
  /** Returns all segments, sorted by their numbers. */
  segments(signal?: AbortSignal): Promise<SegmentInfo[]>;
  /**
   * Yields the lines of all segments after the segment with this number, in batches. The number 0 yields all segments.
   */
  linesAfter(segment: number, signal?: AbortSignal): AsyncIterable<SegmentLines>;
}

/**
 * Returns the latest valid checkpoint and the line after which it was saved. A checkpoint is valid if this line is the
 * last one of its segment.
 */
export async function findLatestCheckpoint(
  segments: JournalSegmentReader,
): Promise<{ checkpoint: Checkpoint; last: LinePosition } | undefined> {
  for (const segment of await segments.checkpointNumbers()) {
    const checkpoint = await segments.checkpoint(segment);
    const end = checkpoint && (await segments.lastLine(segment));
    if (checkpoint !== undefined && end?.hash === checkpoint.chain) return { checkpoint, last: end.place };
  }
  return undefined;
}

/**
 * Computes the state of a journal directly after the record with this number, starting from the latest checkpoint
 * before the record.
 */
export async function replayJournalUpTo(segments: JournalSegmentReader, seq: number): Promise<JournalState> {
  let after = 0;
  let state = new JournalState();
  for (const segment of await segments.checkpointNumbers()) {
    const checkpoint = await segments.checkpoint(segment);
    if (checkpoint === undefined || checkpoint.state.seq > seq) continue;
    after = segment;
    state = checkpoint.state;
    break;
  }
  if (state.seq >= seq) return state;
  const reader = new JournalReader(state);
  for await (const { lines } of segments.linesAfter(after)) {
    reader.add(lines, seq);
    if (state.seq >= seq) break;
  }
  return state;
}
