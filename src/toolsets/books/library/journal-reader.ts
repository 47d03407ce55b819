import { createHash, type Hash } from 'node:crypto';
import { sha256Of } from '../model/hash.ts';
import { firstChainHash, JournalState, parseJournalRecord } from '../model/journal.ts';

const newline = 0x0a;
/** No journal record is longer than this limit. A longer line is only hashed. */
const maxLineBytes = 1 << 20;

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
