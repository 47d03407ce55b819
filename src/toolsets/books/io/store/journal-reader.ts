import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { isBug } from '../../../../bug.ts';
import { type Checkpoint, CheckpointReader, checkpointLines } from '../../model/checkpoint.ts';
import { hashOf } from '../../model/hash.ts';
import { chainStart, JournalState, readRecord } from '../../model/journal.ts';

const newline = 0x0a;
/** Far more than any record has: what is longer is no record, and only its hash counts. */
const maxLineBytes = 1 << 20;
const batchCharacters = 1 << 16;
/** A checkpoint of ten million files; whatever unpacks to more is none. */
const maxUnpackedBytes = 2 ** 31;

export interface Line {
  /** Empty for a line that is too long to be a record. Its memory is used again for the next ones. */
  bytes: Buffer;
  /** Without its end. */
  length: number;
  hash: () => string;
}

/** Finished lines of what comes in pieces. */
export class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #long: Hash | undefined;
  #longBytes = 0;

  *add(piece: Buffer): Generator<Line> {
    let from = 0;
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, from)) {
      yield this.#take(piece.subarray(from, at));
      from = at + 1;
    }
    this.#keep(piece.subarray(from));
  }

  #take(end: Buffer): Line {
    const long = this.#long?.update(end);
    if (long !== undefined) {
      const length = this.#longBytes + end.length;
      this.#long = undefined;
      const hash = long.digest('hex');
      return { bytes: Buffer.alloc(0), length, hash: () => hash };
    }
    const bytes = this.#rest.length === 0 ? end : Buffer.concat([this.#rest, end]);
    this.#rest = Buffer.alloc(0);
    return { bytes, length: bytes.length, hash: () => hashOf(bytes) };
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

/** Takes a journal in, line by line, and knows what it says. */
export class JournalReader {
  readonly state: JournalState;
  /** What the next record has as its chain. */
  chain: string;

  constructor(state = new JournalState(), chain = chainStart) {
    this.state = state;
    this.chain = chain;
  }

  /** Reads a piece that ends somewhere; the last finished line, if there was one. `seq` ends it early. */
  add(lines: Iterable<Line>, upTo = Number.POSITIVE_INFINITY): Line | undefined {
    let last: Line | undefined;
    for (const line of lines) {
      // Most lines are notes, and of all of them together only the last one says something new.
      if (last !== undefined && !isNote(last.bytes)) this.#apply(last.bytes, upTo);
      last = line;
    }
    if (last === undefined) return undefined;
    this.#apply(last.bytes, upTo);
    this.chain = last.hash();
    return last;
  }

  #apply(bytes: Buffer, upTo: number): void {
    const record = bytes.length === 0 ? undefined : readRecord(bytes.toString('utf8'));
    if (record !== undefined && record.seq <= upTo) this.state.apply(record);
  }
}

/** Every line begins with its kind. */
const noteStart = Buffer.from('{"kind":"note"');

function isNote(line: Buffer): boolean {
  return line.subarray(0, noteStart.length).equals(noteStart);
}

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
