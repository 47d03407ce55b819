import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { isBug } from '../../../log/bug.ts';
import { JournalState } from '../model/journal.ts';
import { metadataFolder } from '../model/key.ts';
import {
  type Checkpoint,
  CheckpointReader,
  checkpointFolder,
  findCheckpointNumbers,
  formatCheckpointFileName,
  serializeCheckpoint,
} from '../model/segment.ts';
import type { FileStorage, InternalFiles } from '../storage/file-storage.ts';
import {
  type JournalLine,
  JournalLineSplitter,
  JournalReader,
  type LinePosition,
  type SegmentInfo,
  type SegmentLines,
} from './journal-reader.ts';

const batchCharacters = 1 << 16;
/** Limits the size of a checkpoint. It is the size for ten million files. */
const maxUnpackedBytes = 2 ** 31;

/** The checkpoints of one journal. Each one has the number of the segment after which it was saved. */
export type Checkpoints = ReturnType<typeof createCheckpoints>;

export function createCheckpoints(storage: FileStorage, files: InternalFiles, book: string) {
  const folder = `${metadataFolder}/${book}/${checkpointFolder}`;
  const keyOf = (segment: number): string => `${folder}/${formatCheckpointFileName(segment)}`;
  const names = async (): Promise<string[]> =>
    ((await storage.list(folder)) ?? []).map(({ key }) => key.slice(folder.length + 1));
  return {
    /** Returns the numbers of the segments that have a checkpoint, the latest first. */
    numbers: async (): Promise<number[]> => findCheckpointNumbers(await names()),
    /** Returns the checkpoint after a segment, or undefined if it is missing or damaged. */
    read: async (segment: number): Promise<Checkpoint | undefined> => {
      const source = await storage.stream(keyOf(segment));
      return source && (await decompressCheckpoint(source.pieces));
    },
    save: async (segment: number, checkpoint: Checkpoint): Promise<void> =>
      await files.write(keyOf(segment), await compressCheckpoint(checkpoint)),
    /** Deletes all checkpoints except the latest ones, and the temporary files of killed processes. */
    deleteOld: async (kept: number): Promise<void> => {
      const all = await names();
      const old = findCheckpointNumbers(all).slice(kept).map(formatCheckpointFileName);
      const unfinished = all.filter(name => /^\d{12}\.jsonl\.gz\.[^/]+\.tmp$/.test(name));
      for (const name of [...old, ...unfinished]) await files.delete(`${folder}/${name}`);
    },
  };
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
    await pipeline(Readable.from(copiesOf(packed)), createGunzip(), async pieces => {
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

/** Copies the chunks of a file, because they can share one buffer, and the decompressor reads ahead. */
async function* copiesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
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

/** Reads the segments of a journal. It is implemented for folders and for buckets. */
export interface JournalSegmentReader {
  readonly checkpoints: Checkpoints;
  /** Returns all segments, sorted by their numbers. */
  segments(signal?: AbortSignal): Promise<SegmentInfo[]>;
  /** Yields the lines of one segment, in batches. A missing segment has no lines. */
  lines(segment: number): AsyncIterable<SegmentLines>;
  /**
   * Yields the lines of all segments after the segment with this number, in batches. The number 0 yields all segments.
   */
  linesAfter(segment: number, signal?: AbortSignal): AsyncIterable<SegmentLines>;
}

/** Returns the hash and the position of the last line of a segment. */
export async function findLastLine(
  segments: JournalSegmentReader,
  segment: number,
): Promise<{ hash: string; place: LinePosition } | undefined> {
  let last: JournalLine | undefined;
  let end = 0;
  for await (const { lines } of segments.lines(segment)) {
    for (const line of lines) {
      last = line;
      end += line.length + 1;
    }
  }
  return last && { hash: last.hash(), place: { segment, end, length: last.length } };
}

/**
 * Returns the latest valid checkpoint and the line after which it was saved. A checkpoint is valid if this line is the
 * last one of its segment.
 */
export async function findLatestCheckpoint(
  segments: JournalSegmentReader,
): Promise<{ checkpoint: Checkpoint; last: LinePosition } | undefined> {
  for (const segment of await segments.checkpoints.numbers()) {
    const checkpoint = await segments.checkpoints.read(segment);
    const end = checkpoint && (await findLastLine(segments, segment));
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
  for (const segment of await segments.checkpoints.numbers()) {
    const checkpoint = await segments.checkpoints.read(segment);
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
