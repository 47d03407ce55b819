import type { JournalState, RecordDraft } from '../model/journal.ts';
import { metadataFolder, storageKeyOf } from '../model/key.ts';
import type { JournalNote } from '../model/record.ts';
import { createStorageFailure } from '../model/refusal.ts';
import type { BookBackend, OpenSegments } from '../storage/book-backend.ts';
import { toStorageFailure, withStorageFailures } from '../storage/system-error.ts';
import { type JournalSegmentReader, replayJournalUpTo, yieldAllLines } from './journal-reader.ts';
import { recoverUnfinishedChanges, replaceByCommitRecords } from './recovery.ts';
import { type ChangePlan, type ChangeResult, runChange } from './transaction.ts';

/** The journal of one book on any storage backend. All rules for its records are here and in the transaction. */
export class BookJournal {
  readonly #book: string;
  readonly #backend: BookBackend;
  /** The path of the journal, for error messages. */
  readonly #path: string;

  constructor(book: string, backend: BookBackend) {
    this.#book = book;
    this.#backend = backend;
    this.#path = `${metadataFolder}/${book}`;
  }

  /** True if no record is pending and no call uses the log. */
  get isIdle(): boolean {
    return this.#backend.isIdle;
  }

  /** Returns the cached state, which can be slightly outdated. It changes nothing. */
  async peek(): Promise<JournalState> {
    return await withStorageFailures(this.#readingFailed, this.#path, async () => await this.#backend.peek());
  }

  /** Returns the state after the record with this number. */
  async stateAt(seq: number): Promise<JournalState> {
    return await this.readSegments(async segments => await replayJournalUpTo(segments, seq));
  }

  /** Passes the segments of the journal to a callback, after all pending records are appended. */
  async readSegments<Result>(read: (segments: JournalSegmentReader) => Promise<Result>): Promise<Result> {
    return await withStorageFailures(this.#readingFailed, this.#path, async () => {
      const open = await this.#backend.openSegments();
      try {
        return await read(open.segments);
      } finally {
        open.close();
      }
    });
  }

  /** Yields all lines from the first one, in batches. */
  async *lines(signal?: AbortSignal): AsyncGenerator<Iterable<string>> {
    let open: OpenSegments | undefined;
    try {
      open = await this.#backend.openSegments();
      yield* yieldAllLines(open.segments, signal);
    } catch (error) {
      throw toStorageFailure(error, this.#readingFailed, this.#path);
    } finally {
      open?.close();
    }
  }

  /**
   * Appends the records that `draft` returns for a state, directly after this state. If another writer appends first,
   * `draft` is called again with the new state. Throws BUSY if the journal stays locked.
   */
  async append(draft: (state: JournalState) => Promise<RecordDraft[]>): Promise<JournalState> {
    const write = async (): Promise<JournalState | undefined> =>
      await this.#backend.write(async session => {
        for (let attempt = 0; await session.mayTry(attempt); attempt++) {
          const state = await recoverUnfinishedChanges(session);
          const { seq } = state;
          const drafts = replaceByCommitRecords(await draft(state), state);
          const entry = { isExclusive: true, draft: (now: JournalState) => (now.seq === seq ? drafts : undefined) };
          if ((await session.append(entry)) !== undefined) return state;
        }
        return undefined;
      });
    const state = await withStorageFailures(`Writing the journal of ${this.#book} failed`, this.#path, write);
    return state ?? busy(`The journal of ${this.#book}`);
  }

  /** Changes a file. All changes use this method. */
  async change<Decision>(change: ChangePlan<Decision>): Promise<ChangeResult<Decision>> {
    const key = storageKeyOf(change.place);
    const result = await withStorageFailures(
      `${change.bytes === undefined ? 'Deleting' : 'Writing'} ${key} failed`,
      key,
      async () => await this.#backend.write(async session => await runChange(session, change)),
    );
    return result ?? busy(key);
  }

  /** Records an operation without a change. It never fails and never waits long, so that it does not block reads. */
  async note(note: JournalNote): Promise<void> {
    await this.#backend.note(note);
  }

  /** Flushes pending notes. */
  async close(): Promise<void> {
    await this.#backend.close();
  }

  get #readingFailed(): string {
    return `Reading the journal of ${this.#book} failed`;
  }
}

/** Throws the error for a file or journal that other processes change too often. */
function busy(changed: string): never {
  throw createStorageFailure('BUSY', `${changed} is being changed by another program.`, {
    path: changed,
    suggestion: 'Try again in a moment.',
  });
}
