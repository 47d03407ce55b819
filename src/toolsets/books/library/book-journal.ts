import { EventLoopYielder } from '../../../async/yielder.ts';
import { type JournalRecord, type JournalRecordDraft, JournalState, parseJournalRecord } from '../model/journal.ts';
import { metadataFolder, storageKeyOf } from '../model/key.ts';
import type { AuditNote } from '../model/record.ts';
import { createStorageFailure, errorCodeOfAuditRecord } from '../model/refusal.ts';
import { type BookBackend, ioTimeSliceMs } from '../storage/book-backend.ts';
import { withStorageFailures } from '../storage/system-error.ts';
import { type JournalSegmentReader, replayJournalUpTo } from './checkpoints.ts';
import { recoverUnfinishedChanges, replaceExternalChangesWithCommits } from './recovery.ts';
import { type FileChangePlan, type FileChangeResult, runFileChange } from './transaction.ts';

/**
 * The journal (write-ahead log) of one book on any storage backend. This class and transaction.ts contain all rules for
 * its records.
 */
export class BookJournal {
  readonly #book: string;
  readonly #backend: BookBackend;
  /** The path of the journal for error messages. */
  readonly #path: string;

  constructor(book: string, backend: BookBackend) {
    this.#book = book;
    this.#backend = backend;
    this.#path = `${metadataFolder}/${book}`;
  }

  /** True if no record is waiting to be written and no call uses the journal. */
  get isIdle(): boolean {
    return this.#backend.isIdle;
  }

  /** Returns the state of the journal from memory, which can be slightly outdated. It writes nothing. */
  async peek(): Promise<JournalState> {
    return await withStorageFailures(this.#readingFailed, this.#path, async () => await this.#backend.peek());
  }

  /** Returns the state of the journal from memory, or an empty state if the journal cannot be opened. */
  async peekOrEmpty(): Promise<JournalState> {
    try {
      return await this.peek();
    } catch (error) {
      if (errorCodeOfAuditRecord(error) === 'INTERNAL') throw error;
      return new JournalState();
    }
  }

  /** Returns the state of the journal directly after the record with this number. */
  async stateAt(seq: number): Promise<JournalState> {
    return await this.readSegments(async segments => await replayJournalUpTo(segments, seq));
  }

  /** Calls a function with the segments of the journal after all waiting records were appended. */
  async readSegments<Result>(read: (segments: JournalSegmentReader) => Promise<Result>): Promise<Result> {
    const work = async (): Promise<Result> => await this.#backend.readSegments(read);
    return await withStorageFailures(this.#readingFailed, this.#path, work);
  }

  /** Returns the records of completed changes whose lines contain a text and for which `isWanted` returns true. */
  async changes(
    needle: string,
    isWanted: (record: JournalRecord) => boolean,
    signal: AbortSignal,
  ): Promise<JournalRecord[]> {
    const yielder = new EventLoopYielder(ioTimeSliceMs, signal);
    const found: JournalRecord[] = [];
    await this.readSegments(async segments => {
      for await (const { lines } of segments.linesAfter(0, signal)) {
        await yielder.yieldIfDue();
        for (const { bytes } of lines) {
          const record = bytes.includes(needle) ? parseJournalRecord(bytes.toString('utf8')) : undefined;
          const isChange = record?.kind === 'commit' || record?.kind === 'external';
          if (isChange && isWanted(record)) found.push(record);
        }
      }
    });
    return found;
  }

  /**
   * Appends the records that the function `draft` returns for the current state. If another writer appends first, the
   * function is called again with the new state. Throws the error BUSY if the journal stays locked.
   */
  async append(draft: (state: JournalState) => Promise<JournalRecordDraft[]>): Promise<JournalState> {
    const write = async (): Promise<JournalState | undefined> =>
      await this.#backend.write(async session => {
        // The time limit does not apply to the recovery, because it does not wait for other processes.
        let state = await recoverUnfinishedChanges(session);
        for (let attempt = 0; await session.mayTry(attempt); attempt++) {
          if (attempt > 0) state = await session.refresh();
          const { seq } = state;
          const drafts = replaceExternalChangesWithCommits(await draft(state), state);
          const entry = { isExclusive: true, draft: (now: JournalState) => (now.seq === seq ? drafts : undefined) };
          if ((await session.append(entry)) !== undefined) return state;
        }
        return undefined;
      });
    const state = await withStorageFailures(`Writing the journal of ${this.#book} failed`, this.#path, write);
    return state ?? busy(`The journal of ${this.#book}`);
  }

  /** Changes a file in a transaction. Every change of a file uses this method. */
  async change<Decision>(change: FileChangePlan<Decision>): Promise<FileChangeResult<Decision>> {
    const key = storageKeyOf(change.place);
    const result = await withStorageFailures(
      `${change.bytes === undefined ? 'Deleting' : 'Writing'} ${key} failed`,
      key,
      async () => await this.#backend.write(async session => await runFileChange(session, change)),
    );
    return result ?? busy(key);
  }

  /**
   * Appends an audit note for an operation that changed nothing. The function never fails and never waits long, so that
   * read operations are not delayed.
   */
  async note(note: AuditNote): Promise<void> {
    await this.#backend.note(note);
  }

  /** Writes the audit notes that are still waiting. */
  async close(): Promise<void> {
    await this.#backend.close();
  }

  get #readingFailed(): string {
    return `Reading the journal of ${this.#book} failed`;
  }
}

/** Throws the error BUSY for a file or journal that other processes change too often. */
function busy(changed: string): never {
  throw createStorageFailure('BUSY', `${changed} is being changed by another program.`, {
    path: changed,
    suggestion: 'Try again in a moment.',
  });
}
