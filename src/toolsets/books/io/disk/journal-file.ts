import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { systemCode } from '../../../../system-error.ts';
import { type Draft, type JournalRecord, JournalState, sealRecord } from '../../model/journal.ts';
import { metadataFolder } from '../../model/key.ts';
import { storageFailure } from '../../model/refusal.ts';
import { firstJournalName, journalFolder, segmentName, segmentNumber, stateFolder } from '../../model/segment.ts';
import { hashOf, JournalReader, type Line, LineSplitter } from '../store/journal-reader.ts';
import { checkpointNumbers, keepCheckpoint, readCheckpoint } from './checkpoints.ts';
import { pieceBytes, readPieces, readSome } from './file.ts';
import { Folder } from './folder.ts';
import { backendName, type LibraryRoot } from './root.ts';

/** A segment that has grown to this is the last one no longer. */
const segmentBytes = 1 << 20;
/** What others add in this time is read in no time. */
const behindMs = 1000;
const forWriting = constants.O_RDWR | constants.O_APPEND;

/** Where the last finished line is that was read. */
interface Place {
  segment: number;
  start: number;
  length: number;
}

export interface OpenJournal {
  append(drafts: readonly Draft[], nowMs: number): JournalRecord[];
  sync(): Promise<void>;
  close(): void;
}

/** The journal of one book, in segments. Written under the book's lock; remembers how far it has read. */
export class JournalFile {
  readonly #libraryRoot: LibraryRoot;
  readonly #book: string;
  #reader = new JournalReader();
  #segment: number | undefined;
  #offset = 0;
  #last: Place | undefined;
  /** Records since the last checkpoint, about: a checkpoint costs as much as there are files. */
  #sinceCheckpoint = 0;
  #reading: Promise<unknown> = Promise.resolve();
  #isOpen = false;
  /** When everything had been read, on the clock that never jumps. */
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(libraryRoot: LibraryRoot, book: string) {
    this.#libraryRoot = libraryRoot;
    this.#book = book;
  }

  get state(): JournalState {
    return this.#reader.state;
  }

  /** Whether much may have been added since the journal was read. */
  get isBehind(): boolean {
    return performance.now() - this.#readMs > behindMs;
  }

  /** Reads what is there, without the lock and without changing anything. */
  async peek(metadata: Folder | undefined): Promise<JournalState> {
    await this.#alone(async () => {
      // Who has the lock knows everything.
      if (this.#isOpen) return;
      const descriptor = await this.#catchUp(metadata, constants.O_RDONLY);
      if (descriptor !== undefined) closeSync(descriptor);
    });
    return this.state;
  }

  /** Reads what others have added, and cuts off a line that was never finished. Only under the lock. */
  async open(metadata: Folder, workshop: Folder): Promise<OpenJournal> {
    return await this.#alone(async () => {
      let descriptor = await this.#catchUp(metadata, forWriting);
      try {
        if (descriptor !== undefined && fstatSync(descriptor).size > this.#offset)
          ftruncateSync(descriptor, this.#offset);
        if (descriptor === undefined || this.#segment === 0 || this.#offset >= segmentBytes) {
          if (descriptor !== undefined) closeSync(descriptor);
          descriptor = undefined;
          descriptor = await this.#begin(workshop);
        }
      } catch (error) {
        if (descriptor !== undefined) closeSync(descriptor);
        throw error;
      }
      const file = descriptor;
      this.#isOpen = true;
      return {
        append: (drafts, now) => this.#append(file, drafts, now),
        sync: async () => await syncData(file),
        close: () => {
          this.#isOpen = false;
          closeSync(file);
        },
      };
    });
  }

  /** The state after the record of that number, from the latest checkpoint before it on. */
  async stateAt(metadata: Folder | undefined, seq: number): Promise<JournalState> {
    if (metadata === undefined) return new JournalState();
    for (const number of checkpointNumbers(metadata)) {
      const checkpoint = await readCheckpoint(metadata, number);
      if (checkpoint === undefined || checkpoint.state.seq > seq) continue;
      return await this.#replay(metadata, new JournalReader(checkpoint.state), number, seq);
    }
    return await this.#replay(metadata, new JournalReader(), -1, seq);
  }

  async #replay(metadata: Folder, reader: JournalReader, after: number, seq: number): Promise<JournalState> {
    for (const number of this.#numbers(metadata)) {
      if (number <= after || reader.state.seq >= seq) continue;
      for await (const lines of this.#linesOf(metadata, number)) reader.add(lines, seq);
    }
    return reader.state;
  }

  /** All lines that are there, from the first on. */
  async *lines(metadata: Folder | undefined): AsyncGenerator<Iterable<string>> {
    if (metadata === undefined) return;
    for (const number of this.#numbers(metadata)) {
      for await (const lines of this.#linesOf(metadata, number)) yield textOf(lines);
    }
  }

  async *#linesOf(metadata: Folder, segment: number): AsyncGenerator<Iterable<Line>> {
    const descriptor = this.#openSegment(metadata, segment, constants.O_RDONLY);
    if (descriptor === undefined) return;
    try {
      const splitter = new LineSplitter();
      for await (const piece of readPieces(descriptor, 0, fstatSync(descriptor).size)) yield splitter.add(piece);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Leaves the last segment open; undefined when there is none. The caller closes it. */
  async #catchUp(metadata: Folder | undefined, flags: number): Promise<number | undefined> {
    let descriptor =
      metadata === undefined || this.#segment === undefined
        ? undefined
        : this.#openSegment(metadata, this.#segment, flags);
    try {
      if (metadata === undefined || descriptor === undefined || !this.#endsAsKnown(metadata, descriptor)) {
        if (descriptor !== undefined) closeSync(descriptor);
        descriptor = undefined;
        this.#forget();
        if (metadata === undefined) return undefined;
        await this.#start(metadata);
        if (this.#segment === undefined) return undefined;
        descriptor = this.#openSegment(metadata, this.#segment, flags);
      }
      const numbers = this.#last === undefined ? this.#numbers(metadata) : undefined;
      while (descriptor !== undefined && this.#segment !== undefined) {
        await this.#readOn(descriptor, this.#segment);
        const current: number = this.#segment;
        const following =
          numbers === undefined ? current + 1 : (numbers.find(number => number > current) ?? current + 1);
        // Only a full segment gets a successor; in a copy of a bucket they are short, but nobody adds to one in the middle.
        const isLast = this.#readMs > 0 && this.#offset < segmentBytes && current > 0;
        const next = isLast ? undefined : this.#openSegment(metadata, following, flags);
        if (next === undefined) break;
        closeSync(descriptor);
        descriptor = next;
        this.#segment = following;
        this.#offset = 0;
      }
      this.#readMs = performance.now();
      return descriptor;
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor);
      throw error;
    }
  }

  /** Where reading begins: after the latest checkpoint that belongs to this journal, or at the first segment. */
  async #start(metadata: Folder): Promise<void> {
    for (const number of checkpointNumbers(metadata)) {
      const checkpoint = await readCheckpoint(metadata, number);
      const end = checkpoint && this.#endOf(metadata, number);
      if (checkpoint === undefined || end === undefined || end.hash !== checkpoint.chain) continue;
      this.#reader = new JournalReader(checkpoint.state, checkpoint.chain);
      this.#segment = number;
      this.#offset = end.place.start + end.place.length + 1;
      this.#last = end.place;
      return;
    }
    this.#segment = this.#numbers(metadata)[0];
  }

  /** The last line of a segment that is complete. */
  #endOf(metadata: Folder, segment: number): { place: Place; hash: string } | undefined {
    const descriptor = this.#openSegment(metadata, segment, constants.O_RDONLY);
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

  async #readOn(descriptor: number, segment: number): Promise<void> {
    const splitter = new LineSplitter();
    const { size } = fstatSync(descriptor);
    for (let position = this.#offset; position < size; ) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - position));
      const isRest = piece.length < pieceBytes;
      const count = isRest
        ? readSync(descriptor, piece, 0, piece.length, position)
        : await readSome(descriptor, piece, 0, position);
      if (count === 0) return;
      position += count;
      let lines = 0;
      const last = this.#reader.add(
        (function* counted(): Generator<Line> {
          for (const line of splitter.add(piece.subarray(0, count))) {
            lines += line.length + 1;
            yield line;
          }
        })(),
      );
      if (last === undefined) continue;
      this.#offset += lines;
      this.#last = { segment, start: this.#offset - 1 - last.length, length: last.length };
      this.#sinceCheckpoint += Math.ceil(lines / 400);
    }
  }

  #forget(): void {
    this.#reader = new JournalReader();
    this.#segment = undefined;
    this.#offset = 0;
    this.#last = undefined;
    this.#sinceCheckpoint = 0;
    this.#readMs = Number.NEGATIVE_INFINITY;
  }

  /** Whether the line read last is still in its place: somebody may have put back an older copy. */
  #endsAsKnown(metadata: Folder, current: number): boolean {
    if (this.#last === undefined) return true;
    const { segment, start, length } = this.#last;
    const descriptor = segment === this.#segment ? current : this.#openSegment(metadata, segment, constants.O_RDONLY);
    if (descriptor === undefined) return false;
    try {
      if (fstatSync(descriptor).size < start + length + 1) return false;
      if (length > pieceBytes) return true;
      const line = Buffer.alloc(length);
      readSync(descriptor, line, 0, length, start);
      return hashOf(line) === this.#reader.chain;
    } finally {
      if (descriptor !== current) closeSync(descriptor);
    }
  }

  /** The next segment; what the ones before it say is kept as a checkpoint, when that spares enough reading. */
  async #begin(workshop: Folder): Promise<number> {
    const before = this.#segment;
    const number = (before ?? 0) + 1;
    const folder = await Folder.make(this.#libraryRoot, [metadataFolder, this.#book, journalFolder]);
    let descriptor: number;
    try {
      const flags = forWriting | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
      descriptor = openSync(folder.at(segmentName(number)), flags, 0o666);
      await folder.sync();
    } finally {
      folder.close();
    }
    this.#segment = number;
    this.#offset = 0;
    try {
      if (before !== undefined && this.#last !== undefined) await this.#checkpoint(workshop, before);
    } catch (error) {
      // It only spares time: the next segment brings the next one.
      if (systemCode(error) === undefined) throw error;
    }
    return descriptor;
  }

  async #checkpoint(workshop: Folder, segment: number): Promise<void> {
    const { state, chain } = this.#reader;
    if (this.#sinceCheckpoint * 2 < state.files.size) return;
    const states = await Folder.make(this.#libraryRoot, [metadataFolder, this.#book, stateFolder]);
    try {
      await keepCheckpoint(states, workshop, segment, { state, chain });
      this.#sinceCheckpoint = 0;
    } finally {
      states.close();
    }
  }

  #append(descriptor: number, drafts: readonly Draft[], nowMs: number): JournalRecord[] {
    if (drafts.length === 0 || this.#segment === undefined) return [];
    if (fstatSync(descriptor).size !== this.#offset) {
      // Only one who has lost the lock gets here: what was known of the journal is out of date.
      this.#forget();
      throw storageFailure('BUSY', `Another process has taken over the journal of ${this.#book}.`, {
        suggestion: 'Read the file again and repeat the change.',
      });
    }
    let { chain } = this.#reader;
    let { seq } = this.state;
    let ms = this.state.nextTime(nowMs);
    const records: JournalRecord[] = [];
    const lines: Buffer[] = [];
    for (const draft of drafts) {
      seq++;
      const place = { seq, ms, book: this.#book, backend: backendName, chain };
      const { record, line } = sealRecord(draft, place);
      records.push(record);
      lines.push(Buffer.from(`${line}\n`, 'utf8'));
      chain = hashOf(line);
      ms++;
    }
    const bytes = Buffer.concat(lines);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    } catch (error) {
      // Half a line must not stay in front of the next one; if this fails too, the next to open it cuts it off.
      ftruncateSync(descriptor, this.#offset);
      throw error;
    }
    this.#offset += bytes.length;
    const length = (lines.at(-1)?.length ?? 1) - 1;
    this.#last = { segment: this.#segment, start: this.#offset - 1 - length, length };
    this.#reader.chain = chain;
    this.#sinceCheckpoint += records.length;
    for (const record of records) this.state.apply(record);
    return records;
  }

  #numbers(metadata: Folder): number[] {
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

  #openSegment(metadata: Folder, number: number, flags: number): number | undefined {
    if (number === 0) return metadata.openFile(firstJournalName, flags);
    const folder = metadata.child(journalFolder);
    try {
      return folder?.openFile(segmentName(number), flags);
    } finally {
      folder?.close();
    }
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#reading.then(work);
    this.#reading = result.catch(() => {});
    return await result;
  }
}

function* textOf(lines: Iterable<Line>): Generator<string> {
  for (const { bytes } of lines) yield bytes.toString('utf8');
}

async function syncData(descriptor: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    fdatasync(descriptor, error => (error === null || error === undefined ? resolve() : reject(error)));
  });
}
