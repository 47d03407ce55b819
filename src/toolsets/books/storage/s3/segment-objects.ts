import { randomUUID } from 'node:crypto';
import type { Checkpoints } from '../../library/checkpoints.ts';
import { type JournalLine, JournalLineSplitter, type SegmentLines } from '../../library/journal-reader.ts';
import type { JournalStore } from '../../library/journal-tail.ts';
import { mapInParallelInOrder } from '../../library/map-in-order.ts';
import { metadataFolder } from '../../model/key.ts';
import { formatSegmentFileName, journalFolder, segmentNumberOf } from '../../model/segment.ts';
import type { StorageEntry } from '../file-storage.ts';
import type { BucketFileStorage } from './bucket-storage.ts';
import type { ObjectStoreClient } from './client.ts';

/**
 * The metadata header with the id of the process that wrote a segment. If the response to a write was lost, the id
 * shows whether the write succeeded.
 */
const writerField = 'x-amz-meta-oj-writer';
/** A checkpoint is saved after this number of segments. */
const checkpointEvery = 256;

/** Stores the journal of a book as objects, one for each segment. Each segment has a unique number and is written once. */
export function createSegmentObjects(
  client: ObjectStoreClient,
  storage: BucketFileStorage,
  book: string,
  checkpoints: Checkpoints,
): JournalStore {
  const folder = `${metadataFolder}/${book}/${journalFolder}`;
  const keyOf = (segment: number): string => `${folder}/${formatSegmentFileName(segment)}`;

  /** Lists the segments after a number. Those after a missing number are ignored, because they belong to no journal. */
  async function list(
    after: number,
    signal?: AbortSignal,
  ): Promise<{ number: number; entry: StorageEntry; size: number }[]> {
    const entries = (await storage.list(folder, signal, after > 0 ? keyOf(after) : undefined)) ?? [];
    const found = entries.flatMap(entry => {
      const number = segmentNumberOf(entry.key.slice(folder.length + 1));
      return number === undefined ? [] : [{ number, entry, size: entry.size }];
    });
    const first = after > 0 ? after + 1 : found[0]?.number;
    const gap = found.findIndex(({ number }, index) => number !== (first ?? 0) + index);
    return gap === -1 ? found : found.slice(0, gap);
  }

  /** Reads the lines of a segment. They may come from a cache, because a segment never changes. */
  async function read(file: StorageEntry | string, signal?: AbortSignal): Promise<Iterable<JournalLine>> {
    const stored = await storage.read(file, Number.POSITIVE_INFINITY, signal);
    return new JournalLineSplitter().add(stored?.bytes ?? Buffer.alloc(0));
  }

  async function* linesAfter(segment: number, signal?: AbortSignal): AsyncGenerator<SegmentLines> {
    const listed = await list(segment, signal);
    const look = async ({ entry }: { entry: StorageEntry }): Promise<Iterable<JournalLine>> =>
      await read(entry, signal);
    for await (const [{ number }, lines] of mapInParallelInOrder(listed, storage.prefetch, look, signal)) {
      yield { segment: number, lines };
    }
  }

  return {
    checkpoints,
    isCheckpointDue: ({ last, saved }) => last.segment - saved.segment >= checkpointEvery,
    // A segment in a bucket never changes.
    isAt: async () => true,
    segments: async signal => (await list(0, signal)).map(({ number, entry }) => ({ number, version: entry.version })),
    async *lines(segment) {
      yield { segment, lines: await read(keyOf(segment)) };
    },
    linesAfter,
    async *newLines(last) {
      // The next segment is requested first. It usually does not exist, so that no other request is needed.
      const segment = last.segment + 1;
      const { status, bytes } = await client.request({ method: 'GET', key: keyOf(segment) });
      if (status !== 200) return;
      yield { segment, lines: new JournalLineSplitter().add(bytes) };
      yield* linesAfter(segment);
    },
    /** Writes the next segment. Returns its number if this process wrote it, even if the response was lost. */
    append: async (body, last) => {
      const segment = last.segment + 1;
      const key = keyOf(segment);
      const writer = randomUUID();
      const headers = { 'if-none-match': '*', 'content-type': 'application/x-ndjson', [writerField]: writer };
      const { status } = await client.request({ method: 'PUT', key, headers, body });
      if (status === 200) return segment;
      const there = await client.request({ method: 'HEAD', key });
      return there.status === 200 && there.headers[writerField] === writer ? segment : undefined;
    },
  };
}
