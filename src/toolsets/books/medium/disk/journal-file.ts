import { constants } from 'node:fs';
import { Mutex } from '../../../../async/concurrency.ts';
import { LogTail } from '../../library/log-tail.ts';
import type { Draft, JournalRecord, JournalState } from '../../model/journal.ts';
import { RecordChain } from '../../model/record-chain.ts';
import type { FileModes } from './file.ts';
import type { Folder } from './folder.ts';
import { backendName } from './root.ts';
import { SegmentFiles } from './segment-files.ts';

const forWriting = constants.O_RDWR | constants.O_APPEND;
/** Other processes append few enough records within this time to read them at once. */
const behindMs = 1000;

export interface OpenJournal {
  append(drafts: readonly Draft[], nowMs: number): Promise<readonly JournalRecord[]>;
  sync(): Promise<void>;
  close(): void;
}

/**
 * The journal of one book, in segment files. It is written under the lock of the book and caches the position up to
 * which it was read.
 */
export class JournalFile {
  readonly #book: string;
  readonly #modes: FileModes;
  readonly #tail = new LogTail();
  readonly #queue = new Mutex();
  #isOpen = false;
  /** The time of the last complete read, on the monotonic clock. */
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(book: string, modes: FileModes) {
    this.#book = book;
    this.#modes = modes;
  }

  get state(): JournalState {
    return this.#tail.state;
  }

  /** Returns whether other processes may have appended many records since the journal was read. */
  get isBehind(): boolean {
    return performance.now() - this.#readMs > behindMs;
  }

  /** Reads the journal without the lock and without a change. */
  async peek(metadata: Folder | undefined): Promise<JournalState> {
    await this.#queue.run(async () => {
      // The state is complete while this process holds the lock.
      if (this.#isOpen) return;
      const files = new SegmentFiles(metadata);
      try {
        await this.#refresh(files);
      } finally {
        files.close();
      }
    });
    return this.state;
  }

  /** Reads the records of other processes and truncates an incomplete last line. It requires the lock. */
  async open(metadata: Folder, tempDir: Folder): Promise<OpenJournal> {
    return await this.#queue.run(async () => {
      const files = new SegmentFiles(metadata, forWriting);
      try {
        await this.#refresh(files);
        await files.prepare(this.#tail, tempDir, this.#modes);
      } catch (error) {
        files.close();
        throw error;
      }
      this.#isOpen = true;
      return {
        append: async (drafts, nowMs) => await this.#append(files, drafts, nowMs),
        sync: async () => await files.sync(),
        close: () => {
          this.#isOpen = false;
          files.close();
        },
      };
    });
  }

  async #refresh(files: SegmentFiles): Promise<void> {
    await this.#tail.refresh(files);
    this.#readMs = performance.now();
  }

  async #append(files: SegmentFiles, drafts: readonly Draft[], nowMs: number): Promise<readonly JournalRecord[]> {
    if (drafts.length === 0) return [];
    const chain = new RecordChain(this.#tail, this.#book, backendName, nowMs);
    chain.add(drafts);
    await this.#tail.append(files, chain);
    return chain.records;
  }
}
