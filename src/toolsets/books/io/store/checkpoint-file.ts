import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { isBug } from '../../../../bug.ts';
import { type Checkpoint, CheckpointReader, checkpointLines } from '../../model/checkpoint.ts';
import { LineSplitter } from './journal-reader.ts';

const batchCharacters = 1 << 16;
/** A checkpoint of ten million files; whatever unpacks to more is none. */
const maxUnpackedBytes = 2 ** 31;

/** A checkpoint as it is kept: lines of JSON, packed. */
export async function packCheckpoint(checkpoint: Checkpoint): Promise<Buffer> {
  const packed: Buffer[] = [];
  await pipeline(Readable.from(batchesOf(checkpointLines(checkpoint))), createGzip(), async pieces => {
    for await (const piece of pieces) packed.push(piece);
  });
  return Buffer.concat(packed);
}

/** undefined: it is damaged, and as good as none. */
export async function unpackCheckpoint(packed: AsyncIterable<Uint8Array>): Promise<Checkpoint | undefined> {
  const reader = new CheckpointReader();
  const splitter = new LineSplitter();
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
