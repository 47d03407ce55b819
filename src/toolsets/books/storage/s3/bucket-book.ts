import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import type { Checkpoints, JournalSegmentReader } from '../../library/checkpoints.ts';
import { observeFileAfterRecovery, recordObservedFile } from '../../library/recovery.ts';
import { maxChangeWaitMs } from '../../library/transaction.ts';
import type { JournalRecordDraft, JournalState } from '../../model/journal.ts';
import { type AuditNote, auditNoteRecordOf } from '../../model/record.ts';
import type { BookBackend, JournalWriteSession } from '../book-backend.ts';
import type { BucketFileStorage } from './bucket-storage.ts';
import type { ObjectStoreClient } from './client.ts';
import { GroupCommit } from './group-commit.ts';
import { type BookObjects, observeObject } from './object.ts';
import { requireWritableStore, type StoreCapabilities } from './probe.ts';
import { JournalSegmentObjects } from './segment-objects.ts';

/** At this age in milliseconds, an unfinished change counts as abandoned, because its process has died. */
const intentLeaseMs = 15_000;

/** Stores the journal and the files of one book in a bucket. Conditional writes replace the lock. */
export class BucketBookBackend implements BookBackend {
  readonly #book: string;
  readonly #client: ObjectStoreClient;
  readonly #capabilities: () => Promise<StoreCapabilities>;
  readonly #segments: JournalSegmentObjects;
  readonly #commits: GroupCommit;
  readonly #objects: BookObjects;

  constructor(
    client: ObjectStoreClient,
    storage: BucketFileStorage,
    book: string,
    { capabilities, checkpoints }: { capabilities: () => Promise<StoreCapabilities>; checkpoints: Checkpoints },
  ) {
    this.#book = book;
    this.#client = client;
    this.#capabilities = capabilities;
    this.#segments = new JournalSegmentObjects(client, storage, book, checkpoints);
    this.#commits = new GroupCommit(this.#segments, book, () => client.now(), {
      // Every write requires that the store supports conditional writes. Without them, a process could overwrite a
      // segment of another process.
      requireWritable: async () => requireWritableStore(await capabilities()),
      draftOf: (note, state) => this.#draftOf(note, state),
    });
    this.#objects = { client, storage, segments: this.#segments, commits: this.#commits };
  }

  get isIdle(): boolean {
    return this.#commits.isIdle;
  }

  async peek(): Promise<JournalState> {
    await this.#commits.flushEnds();
    return await this.#commits.refresh();
  }

  async readSegments<T>(read: (segments: JournalSegmentReader) => Promise<T>): Promise<T> {
    await this.#commits.flush();
    return await read(this.#segments);
  }

  async write<T>(work: (session: JournalWriteSession) => Promise<T>): Promise<T> {
    const capabilities = await this.#capabilities();
    requireWritableStore(capabilities);
    // The first read of the journal does not count as waiting for other processes, because it can take long.
    if (!this.#commits.tail.isOpen) await this.#commits.refresh();
    return await work(this.#session(capabilities));
  }

  async note(note: AuditNote): Promise<void> {
    this.#commits.note(note);
  }

  async close(): Promise<void> {
    await this.#commits.notes.close(async () => await this.#commits.flush());
  }

  #draftOf(note: AuditNote, state: JournalState): JournalRecordDraft {
    const place = { book: this.#book, path: note.path, user: note.user };
    // A file without journal records is recorded by the next scan, because a copied library has no records.
    const known = state.file(place);
    const isNews = note.seen !== undefined && known !== undefined && known.hash !== note.seen;
    const record = async (session: JournalWriteSession): Promise<void> =>
      await recordObservedFile(session, place, await observeFileAfterRecovery(session, place));
    if (isNews) void this.write(record).catch(ignoreExpectedError);
    return auditNoteRecordOf(state, place, note);
  }

  #session(capabilities: StoreCapabilities): JournalWriteSession {
    let deadline = Number.POSITIVE_INFINITY;
    const isInTime = (): boolean => performance.now() < deadline;
    return {
      book: this.#book,
      isExclusive: false,
      mayTry: async attempt => {
        if (attempt === 0) deadline = performance.now() + maxChangeWaitMs;
        else await sleep(Math.random() * Math.min(20 * 2 ** attempt, 500));
        return isInTime();
      },
      refresh: async () => await this.#commits.refresh(),
      isAbandoned: ({ time }) => this.#client.now() - Date.parse(time) > intentLeaseMs,
      append: async entry =>
        await this.#commits.append({ ...entry, draft: state => (isInTime() ? entry.draft(state) : undefined) }),
      appendEnd: async end => this.#commits.appendLater(end),
      observe: async place => await observeObject(this.#objects, place, capabilities),
    };
  }
}
