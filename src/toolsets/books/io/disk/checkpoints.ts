import { randomUUID } from 'node:crypto';
import { closeSync, renameSync, unlinkSync } from 'node:fs';
import type { Checkpoint } from '../../model/checkpoint.ts';
import { checkpointName, checkpointNumber, stateFolder } from '../../model/segment.ts';
import { packCheckpoint, unpackCheckpoint } from '../store/checkpoint-file.ts';
import { isMissing } from '../system-error.ts';
import { readPieces, statOf, writeNew } from './file.ts';
import type { Folder } from './folder.ts';

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
