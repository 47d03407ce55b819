import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { Mutex } from '../../../../async/concurrency.ts';
import { systemCode } from '../../../../errors/system-error.ts';
import type { Draft, JournalRecord, JournalState } from '../../model/journal.ts';
import { metadataFolder } from '../../model/key.ts';
import { RecordChain } from '../../model/record-chain.ts';
import { storageFailure } from '../../model/refusal.ts';
import { journalFolder, segmentName, stateFolder } from '../../model/segment.ts';
import { createFile } from './file.ts';
import { Folder } from './folder.ts';
import { JournalTail } from './journal-tail.ts';
import { backendName, type LibraryRoot } from './root.ts';
import { saveCheckpoint } from './segment-files.ts';

const forWriting = constants.O_RDWR | constants.O_APPEND;

export interface OpenJournal {
  append(drafts: readonly Draft[], nowMs: number): JournalRecord[];
  sync(): Promise<void>;
  close(): void;
}

/**
 * The journal of one book, in segment files. It is written under the lock of the book and caches the position up to
 * which it was read.
 */
export class JournalFile {
  readonly #libraryRoot: LibraryRoot;
  readonly #book: string;
  readonly #tail = new JournalTail();
  readonly #queue = new Mutex();
  #isOpen = false;

  constructor(libraryRoot: LibraryRoot, book: string) {
    this.#libraryRoot = libraryRoot;
    this.#book = book;
  }

  get state(): JournalState {
    return this.#tail.state;
  }

  /** Returns whether other processes may have appended many records since the journal was read. */
  get isBehind(): boolean {
    return this.#tail.isBehind;
  }

  /** Reads the journal without the lock and without a change. */
  async peek(metadata: Folder | undefined): Promise<JournalState> {
    await this.#queue.run(async () => {
      // The state is complete while this process holds the lock.
      if (this.#isOpen) return;
      const descriptor = await this.#tail.catchUp(metadata, constants.O_RDONLY);
      if (descriptor !== undefined) closeSync(descriptor);
    });
    return this.state;
  }

  /** Reads the records of other processes and truncates an incomplete last line. It requires the lock. */
  async open(metadata: Folder, tempDir: Folder): Promise<OpenJournal> {
    return await this.#queue.run(async () => {
      let descriptor = await this.#tail.catchUp(metadata, forWriting);
      try {
        if (descriptor !== undefined && fstatSync(descriptor).size > this.#tail.offset)
          ftruncateSync(descriptor, this.#tail.offset);
        if (descriptor === undefined || this.#tail.isFull) {
          if (descriptor !== undefined) closeSync(descriptor);
          descriptor = undefined;
          descriptor = await this.#begin(tempDir);
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

  /** Starts the next segment file. Saves a checkpoint of the former ones if this saves enough reading. */
  async #begin(tempDir: Folder): Promise<number> {
    const before = this.#tail.segment;
    const number = (before ?? 0) + 1;
    const { modes } = this.#libraryRoot;
    const folder = await Folder.make(this.#libraryRoot, [metadataFolder, this.#book, journalFolder], modes.folder);
    let descriptor: number;
    try {
      descriptor = createFile(folder.at(segmentName(number)), forWriting, modes.file);
      await folder.sync();
    } finally {
      folder.close();
    }
    this.#tail.onSegmentStarted(number);
    try {
      if (before !== undefined && this.#tail.isCheckpointDue) await this.#checkpoint(tempDir, before);
    } catch (error) {
      // A missing checkpoint only costs time, because the next segment saves another one.
      if (systemCode(error) === undefined) throw error;
    }
    return descriptor;
  }

  async #checkpoint(tempDir: Folder, segment: number): Promise<void> {
    const { state, chain } = this.#tail;
    const { modes } = this.#libraryRoot;
    const states = await Folder.make(this.#libraryRoot, [metadataFolder, this.#book, stateFolder], modes.folder);
    try {
      await saveCheckpoint(states, tempDir, segment, { state, chain }, modes.file);
      this.#tail.onCheckpointSaved();
    } finally {
      states.close();
    }
  }

  #append(descriptor: number, drafts: readonly Draft[], nowMs: number): JournalRecord[] {
    if (drafts.length === 0) return [];
    const tail = this.#tail;
    if (fstatSync(descriptor).size !== tail.offset) {
      // This process lost the lock, so that its state of the journal is outdated.
      tail.reset();
      throw storageFailure('BUSY', `Another process has taken over the journal of ${this.#book}.`, {
        suggestion: 'Read the file again and repeat the change.',
      });
    }
    const seal = new RecordChain(tail, this.#book, backendName, nowMs);
    seal.add(drafts);
    const { bytes } = seal;
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    } catch (error) {
      // An incomplete line is removed. If this fails too, the next open truncates it.
      ftruncateSync(descriptor, tail.offset);
      throw error;
    }
    tail.onAppended(seal, bytes.length);
    return seal.records;
  }
}

async function syncData(descriptor: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    fdatasync(descriptor, error => (error === null || error === undefined ? resolve() : reject(error)));
  });
}
