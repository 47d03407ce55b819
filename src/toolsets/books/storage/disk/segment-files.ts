import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import { type Checkpoints, findLastLine } from '../../library/checkpoints.ts';
import {
  JournalLineSplitter,
  type LinePosition,
  type SegmentInfo,
  type SegmentLines,
} from '../../library/journal-reader.ts';
import { findOffsetAfterLine, type JournalStore, type JournalTail } from '../../library/journal-tail.ts';
import { sha256Of } from '../../model/hash.ts';
import { firstChainHash } from '../../model/journal.ts';
import { createStorageFailure } from '../../model/refusal.ts';
import { findSegmentNumbers, formatSegmentFileName, journalFolder } from '../../model/segment.ts';
import {
  createFileWithMode,
  type FileModes,
  fileChunkBytes,
  fileVersionOf,
  readRangeInChunks,
  statDescriptor,
} from './file.ts';
import type { OpenFolder } from './folder.ts';

/** The size in bytes at which a segment file is full. */
const segmentBytes = 1 << 20;
const syncData = promisify(fdatasync);
/** The number of checkpoints that are kept. Older ones would only speed up queries about the distant past. */
const keptCheckpoints = 2;

/**
 * Stores the journal of a book as segment files in its metadata folder. Only the holder of the book's lock may append.
 */
export class JournalSegmentFiles implements JournalStore {
  /** The metadata folder of the book, or undefined if the book has no journal. */
  readonly #metadata: OpenFolder | undefined;
  readonly checkpoints: Checkpoints;
  readonly #flags: number;
  /** The segment that was opened last, which is usually the one to append to. */
  #open: OpenSegment | undefined;

  constructor(metadata: OpenFolder | undefined, checkpoints: Checkpoints, flags: number = constants.O_RDONLY) {
    this.#metadata = metadata;
    this.checkpoints = checkpoints;
    this.#flags = flags;
  }

  close(): void {
    if (this.#open !== undefined) closeSync(this.#open.descriptor);
    this.#open = undefined;
  }

  async segments(): Promise<SegmentInfo[]> {
    return this.#numbers().map(number => ({ number, version: this.#versionOf(number) }));
  }

  async *linesAfter(segment: number): AsyncGenerator<SegmentLines> {
    for (const number of this.#numbers()) if (number > segment) yield* this.lines(number);
  }

  async *lines(segment: number): AsyncGenerator<SegmentLines> {
    const file = this.#use(segment);
    if (file !== undefined) yield* linesOf(file, 0);
  }

  async isAt({ segment, end, length }: LinePosition, hash: string): Promise<boolean> {
    const file = this.#use(segment);
    if (file === undefined) return false;
    if (end === 0) return ((await findLastLine(this, segment - 1))?.hash ?? firstChainHash) === hash;
    if (file.size < end) return false;
    if (length > fileChunkBytes) return true;
    const line = Buffer.alloc(length);
    readSync(file.descriptor, line, 0, length, end - length - 1);
    return sha256Of(line) === hash;
  }

  async *newLines(last: LinePosition): AsyncGenerator<SegmentLines> {
    for (let { segment } = last; ; segment++) {
      const file = this.#use(segment);
      if (file === undefined) return;
      // A segment is complete if it is full and the next segment exists.
      const isComplete = file.size >= segmentBytes && this.#numbers().includes(segment + 1);
      yield* linesOf(file, findOffsetAfterLine(segment, last));
      if (!isComplete) return;
    }
  }

  isCheckpointDue({ state, saved }: JournalTail): boolean {
    return (state.seq - saved.seq) * 2 >= state.files.size;
  }

  /**
   * Opens the segment for the next record. Removes an incomplete last line, and creates a new segment if the last one
   * is full.
   */
  async prepare(tail: JournalTail, modes: FileModes): Promise<void> {
    const { segment, end } = tail.last;
    const file = this.#use(segment);
    if (file !== undefined && file.size > end) ftruncateSync(file.descriptor, end);
    if (file !== undefined && end < segmentBytes) return;
    await this.#startSegment(segment + 1, modes);
    if (segment === 0) return;
    await tail.saveDueCheckpoint(this);
    await this.checkpoints.deleteOld(keptCheckpoints).catch(ignoreExpectedError);
  }

  async append(bytes: Buffer, last: LinePosition): Promise<number> {
    const { segment, descriptor } = this.#opened;
    const end = findOffsetAfterLine(segment, last);
    if (fstatSync(descriptor).size !== end) throw lostJournal();
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    } catch (error) {
      // The incomplete line is removed. If this also fails, the next process that opens the segment removes it.
      ftruncateSync(descriptor, end);
      throw error;
    }
    return segment;
  }

  async sync(): Promise<void> {
    await syncData(this.#opened.descriptor);
  }

  get #opened(): OpenSegment {
    if (this.#open === undefined) throw new Error('no journal segment is open for appending');
    return this.#open;
  }

  async #startSegment(segment: number, modes: FileModes): Promise<void> {
    if (this.#metadata === undefined) throw new Error('the book has no metadata folder');
    const made = await this.#metadata.make(journalFolder, modes.folder);
    await made.closeAfter(async folder => {
      this.close();
      const descriptor = createFileWithMode(folder.at(formatSegmentFileName(segment)), this.#flags, modes.file);
      this.#open = { segment, descriptor, size: 0 };
      await folder.sync();
    });
  }

  /** Returns the numbers of the existing segments in order. */
  #numbers(): number[] {
    return this.#inJournalFolder(folder => findSegmentNumbers(folder.entries().map(({ name }) => name))) ?? [];
  }

  #inJournalFolder<T>(work: (folder: OpenFolder) => T): T | undefined {
    const folder = this.#metadata?.child(journalFolder);
    try {
      return folder && work(folder);
    } finally {
      folder?.close();
    }
  }

  /** Opens a segment, or reuses it if it is already open. Returns undefined if the segment does not exist. */
  #use(segment: number): OpenSegment | undefined {
    if (this.#open?.segment === segment) return this.#open;
    this.close();
    // The number 0 is the position before the first segment, which has the number 1.
    if (segment === 0) return undefined;
    const descriptor = this.#inJournalFolder(folder => folder.openFile(formatSegmentFileName(segment), this.#flags));
    if (descriptor !== undefined) this.#open = { segment, descriptor, size: fstatSync(descriptor).size };
    return this.#open;
  }

  #versionOf(segment: number): string {
    const file = this.#use(segment);
    return file === undefined ? '' : fileVersionOf(statDescriptor(file.descriptor));
  }
}

interface OpenSegment {
  segment: number;
  descriptor: number;
  /** The size of the segment when it was opened. The next read includes lines that are appended later. */
  size: number;
}

async function* linesOf({ segment, descriptor, size }: OpenSegment, from: number): AsyncGenerator<SegmentLines> {
  // An empty segment is yielded too, because the caller needs its number.
  if (from === 0) yield { segment, lines: [] };
  const splitter = new JournalLineSplitter();
  for await (const piece of readRangeInChunks(descriptor, from, size)) {
    yield { segment, lines: splitter.add(piece) };
  }
}

function lostJournal(): Error {
  return createStorageFailure('BUSY', 'Another process has taken over the journal.', {
    suggestion: 'Read the file again and repeat the change.',
  });
}
