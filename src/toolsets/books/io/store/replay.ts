import type { Checkpoint } from '../../model/checkpoint.ts';
import { JournalState } from '../../model/journal.ts';
import { JournalReader, type Line } from './journal-reader.ts';

/** Where the segments of a journal and its checkpoints are kept: all that differs between folders and buckets. */
export interface SegmentStore<End extends { hash: string } = { hash: string }> {
  /** Numbers of the segments that have a checkpoint, the latest first. */
  checkpointNumbers(): Promise<number[]>;
  /** undefined: there is none, or it is damaged. */
  checkpoint(segment: number): Promise<Checkpoint | undefined>;
  /** The last line of a segment that is complete. */
  lastLine(segment: number): Promise<End | undefined>;
  /** The lines of all segments after one, in their order, many at a time; after -1 from the first on. */
  linesAfter(segment: number, signal?: AbortSignal): AsyncIterable<Iterable<Line>>;
}

interface Start<End> {
  segment: number;
  checkpoint: Checkpoint;
  end: End;
}

/** Where reading begins: a checkpoint is believed when the segment it was made after ends with the line it says. */
export async function latestCheckpoint<End extends { hash: string }>(
  segments: SegmentStore<End>,
): Promise<Start<End> | undefined> {
  for (const segment of await segments.checkpointNumbers()) {
    const checkpoint = await segments.checkpoint(segment);
    const end = checkpoint && (await segments.lastLine(segment));
    if (checkpoint !== undefined && end?.hash === checkpoint.chain) return { segment, checkpoint, end };
  }
  return undefined;
}

/** The state after the record of that number, from the latest checkpoint before it on. */
export async function stateAt(segments: SegmentStore, seq: number): Promise<JournalState> {
  for (const segment of await segments.checkpointNumbers()) {
    const checkpoint = await segments.checkpoint(segment);
    if (checkpoint === undefined || checkpoint.state.seq > seq) continue;
    return await replay(segments, segment, checkpoint.state, seq);
  }
  return await replay(segments, -1, new JournalState(), seq);
}

async function replay(segments: SegmentStore, after: number, state: JournalState, seq: number): Promise<JournalState> {
  const reader = new JournalReader(state);
  if (state.seq >= seq) return state;
  for await (const lines of segments.linesAfter(after)) {
    reader.add(lines, seq);
    if (state.seq >= seq) break;
  }
  return state;
}

/** All lines that are there, from the first on. */
export async function* allLines(segments: SegmentStore, signal?: AbortSignal): AsyncGenerator<Iterable<string>> {
  for await (const lines of segments.linesAfter(-1, signal)) {
    yield Array.from(lines, ({ bytes }) => bytes.toString('utf8'));
  }
}
