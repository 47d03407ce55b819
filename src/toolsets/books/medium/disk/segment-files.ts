import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, readSync, renameSync, unlinkSync } from 'node:fs';
import {
  LineSplitter,
  packCheckpoint,
  type SegmentLines,
  type SegmentStore,
  unpackCheckpoint,
} from '../../library/journal-reader.ts';
import { hashOf } from '../../model/hash.ts';
import {
  type Checkpoint,
  checkpointName,
  checkpointNumbers,
  journalFolder,
  segmentName,
  segmentNumbers,
  stateFolder,
} from '../../model/segment.ts';
import { isMissing } from '../system-error.ts';
import { chunkBytes, readChunks, statOf, versionOf, writeNewFile } from './file.ts';
import type { Folder } from './folder.ts';

/** Older checkpoints are deleted, because they only speed up queries about the distant past. */
const keptCheckpoints = 2;

/** The position of a complete line. */
export interface LinePosition {
  segment: number;
  start: number;
  length: number;
}

interface LastLine {
  place: LinePosition;
  hash: string;
}

/** Returns the segments and checkpoints of a journal in the metadata folder of a book. */
export function openSegments(metadata: Folder): SegmentStore<LastLine> {
  return {
    checkpointNumbers: async () => checkpointNumbers(namesIn(metadata, stateFolder)),
    checkpoint: async segment => await readCheckpoint(metadata, segment),
    lastLine: async segment => lastLine(metadata, segment),
    segments: async () =>
      listSegmentNumbers(metadata).map(number => ({ number, version: versionOfSegment(metadata, number) })),
    linesAfter: segment => linesAfter(metadata, segment),
  };
}

/** Returns the numbers of the existing segments in order. */
export function listSegmentNumbers(metadata: Folder): number[] {
  return segmentNumbers(namesIn(metadata, journalFolder));
}

function namesIn(metadata: Folder, name: string): string[] {
  const folder = metadata.child(name);
  if (folder === undefined) return [];
  try {
    return folder.entries().map(entry => entry.name);
  } finally {
    folder.close();
  }
}

/** Opens a segment file. Returns undefined if it does not exist. The caller closes the descriptor. */
export function openSegment(metadata: Folder, number: number, flags: number = constants.O_RDONLY): number | undefined {
  const folder = metadata.child(journalFolder);
  try {
    return folder?.openFile(segmentName(number), flags);
  } finally {
    folder?.close();
  }
}

function versionOfSegment(metadata: Folder, segment: number): string {
  const descriptor = openSegment(metadata, segment);
  if (descriptor === undefined) return '';
  try {
    return versionOf(statOf(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

async function* linesAfter(metadata: Folder, segment: number): AsyncGenerator<SegmentLines> {
  for (const number of listSegmentNumbers(metadata)) if (number > segment) yield* linesOf(metadata, number);
}

async function* linesOf(metadata: Folder, segment: number): AsyncGenerator<SegmentLines> {
  const descriptor = openSegment(metadata, segment);
  if (descriptor === undefined) return;
  try {
    const splitter = new LineSplitter();
    for await (const piece of readChunks(descriptor, 0, fstatSync(descriptor).size))
      yield { segment, lines: splitter.add(piece) };
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the last complete line of a segment. */
function lastLine(metadata: Folder, segment: number): LastLine | undefined {
  const descriptor = openSegment(metadata, segment);
  if (descriptor === undefined) return undefined;
  try {
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, chunkBytes));
    readSync(descriptor, tail, 0, tail.length, size - tail.length);
    if (tail.at(-1) !== 0x0a) return undefined;
    const line = tail.subarray(tail.subarray(0, -1).lastIndexOf(0x0a) + 1, -1);
    return { place: { segment, start: size - 1 - line.length, length: line.length }, hash: hashOf(line) };
  } finally {
    closeSync(descriptor);
  }
}

async function readCheckpoint(metadata: Folder, segment: number): Promise<Checkpoint | undefined> {
  const folder = metadata.child(stateFolder);
  if (folder === undefined) return undefined;
  try {
    const descriptor = folder.openFile(checkpointName(segment));
    if (descriptor === undefined) return undefined;
    try {
      return await unpackCheckpoint(readChunks(descriptor, 0, Number(statOf(descriptor).size)));
    } finally {
      closeSync(descriptor);
    }
  } finally {
    folder.close();
  }
}

/** Saves a checkpoint through a temporary file. It requires the lock. */
export async function saveCheckpoint(
  states: Folder,
  tempDir: Folder,
  segment: number,
  checkpoint: Checkpoint,
  mode: number,
): Promise<void> {
  const piece = randomUUID();
  await writeNewFile(tempDir.at(piece), await packCheckpoint(checkpoint), mode);
  renameSync(tempDir.at(piece), states.at(checkpointName(segment)));
  await states.sync();
  for (const number of checkpointNumbers(states.entries().map(({ name }) => name)).slice(keptCheckpoints)) {
    try {
      unlinkSync(states.at(checkpointName(number)));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}
