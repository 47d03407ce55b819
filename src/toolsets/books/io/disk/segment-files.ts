import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, readSync, renameSync, unlinkSync } from 'node:fs';
import type { Checkpoint } from '../../model/checkpoint.ts';
import { JournalState } from '../../model/journal.ts';
import {
  checkpointName,
  checkpointNumber,
  firstJournalName,
  journalFolder,
  segmentName,
  segmentNumber,
  stateFolder,
} from '../../model/segment.ts';
import {
  hashOf,
  JournalReader,
  type Line,
  LineSplitter,
  packCheckpoint,
  unpackCheckpoint,
} from '../store/journal-reader.ts';
import { isMissing } from '../system-error.ts';
import { pieceBytes, readPieces, statOf, writeNew } from './file.ts';
import type { Folder } from './folder.ts';

/** Where a finished line is. */
export interface LinePlace {
  segment: number;
  start: number;
  length: number;
}

/** The numbers of the segments that are there, in their order; the file of the first days is number 0. */
export function segmentNumbers(metadata: Folder): number[] {
  const first = metadata.look(firstJournalName) === undefined ? [] : [0];
  const folder = metadata.child(journalFolder);
  if (folder === undefined) return first;
  try {
    const numbers = folder.entries().map(({ name }) => segmentNumber(name));
    return [...first, ...numbers.filter(number => number !== undefined).sort((one, other) => one - other)];
  } finally {
    folder.close();
  }
}

/** undefined: there is none. The caller closes it. */
export function openSegment(metadata: Folder, number: number, flags: number = constants.O_RDONLY): number | undefined {
  if (number === 0) return metadata.openFile(firstJournalName, flags);
  const folder = metadata.child(journalFolder);
  try {
    return folder?.openFile(segmentName(number), flags);
  } finally {
    folder?.close();
  }
}

/** All lines of a segment, many at a time. */
async function* linesOf(metadata: Folder, segment: number): AsyncGenerator<Iterable<Line>> {
  const descriptor = openSegment(metadata, segment);
  if (descriptor === undefined) return;
  try {
    const splitter = new LineSplitter();
    for await (const piece of readPieces(descriptor, 0, fstatSync(descriptor).size)) yield splitter.add(piece);
  } finally {
    closeSync(descriptor);
  }
}

/** The last line of a segment that is complete. */
export function lastLine(metadata: Folder, segment: number): { place: LinePlace; hash: string } | undefined {
  const descriptor = openSegment(metadata, segment);
  if (descriptor === undefined) return undefined;
  try {
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, pieceBytes));
    readSync(descriptor, tail, 0, tail.length, size - tail.length);
    if (tail.at(-1) !== 0x0a) return undefined;
    const line = tail.subarray(tail.subarray(0, -1).lastIndexOf(0x0a) + 1, -1);
    return { place: { segment, start: size - 1 - line.length, length: line.length }, hash: hashOf(line) };
  } finally {
    closeSync(descriptor);
  }
}

/** Older ones only help to look far back. */
const keptCheckpoints = 2;

/** Numbers of the segments that have a checkpoint, the latest first. */
export function checkpointNumbers(metadata: Folder): number[] {
  const folder = metadata.child(stateFolder);
  if (folder === undefined) return [];
  try {
    const numbers = folder.entries().map(({ name }) => checkpointNumber(name));
    return numbers.filter(number => number !== undefined).sort((one, other) => other - one);
  } finally {
    folder.close();
  }
}

/** undefined: there is none, or it is damaged. */
export async function readCheckpoint(metadata: Folder, segment: number): Promise<Checkpoint | undefined> {
  const folder = metadata.child(stateFolder);
  if (folder === undefined) return undefined;
  try {
    const descriptor = folder.openFile(checkpointName(segment));
    if (descriptor === undefined) return undefined;
    try {
      return await unpackCheckpoint(readPieces(descriptor, 0, Number(statOf(descriptor).size)));
    } finally {
      closeSync(descriptor);
    }
  } finally {
    folder.close();
  }
}

/** Only under the lock: `workshop` is for files on their way to their place. */
export async function keepCheckpoint(
  states: Folder,
  workshop: Folder,
  segment: number,
  checkpoint: Checkpoint,
): Promise<void> {
  const piece = randomUUID();
  await writeNew(workshop.at(piece), await packCheckpoint(checkpoint), undefined);
  renameSync(workshop.at(piece), states.at(checkpointName(segment)));
  await states.sync();
  const numbers = states.entries().map(({ name }) => checkpointNumber(name));
  const old = numbers.filter(number => number !== undefined).sort((one, other) => other - one);
  for (const number of old.slice(keptCheckpoints)) {
    try {
      unlinkSync(states.at(checkpointName(number)));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** The state after the record of that number, from the latest checkpoint before it on. */
export async function stateAt(metadata: Folder | undefined, seq: number): Promise<JournalState> {
  if (metadata === undefined) return new JournalState();
  for (const number of checkpointNumbers(metadata)) {
    const checkpoint = await readCheckpoint(metadata, number);
    if (checkpoint === undefined || checkpoint.state.seq > seq) continue;
    return await replay(metadata, new JournalReader(checkpoint.state), number, seq);
  }
  return await replay(metadata, new JournalReader(), -1, seq);
}

async function replay(metadata: Folder, reader: JournalReader, after: number, seq: number): Promise<JournalState> {
  for (const number of segmentNumbers(metadata)) {
    if (number <= after || reader.state.seq >= seq) continue;
    for await (const lines of linesOf(metadata, number)) reader.add(lines, seq);
  }
  return reader.state;
}

/** All lines that are there, from the first on. */
export async function* allLines(metadata: Folder | undefined): AsyncGenerator<Iterable<string>> {
  if (metadata === undefined) return;
  for (const number of segmentNumbers(metadata)) {
    for await (const lines of linesOf(metadata, number)) yield Array.from(lines, ({ bytes }) => bytes.toString('utf8'));
  }
}
