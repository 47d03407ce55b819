import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import type { Checkpoints } from '../../library/checkpoints.ts';
import { observeFileAfterRecovery, recordObservedFile } from '../../library/recovery.ts';
import { maxChangeWaitMs } from '../../library/transaction.ts';
import type { JournalRecordDraft, JournalState } from '../../model/journal.ts';
import type { FileLocation } from '../../model/key.ts';
import { type AuditNote, auditNoteRecordOf } from '../../model/record.ts';
import type { BookBackend, JournalWriteSession, ReplaceableFile } from '../book-backend.ts';
import type { BucketFileStorage } from './bucket-storage.ts';
import type { ObjectStoreClient } from './client.ts';
import { GroupCommit } from './group-commit.ts';
import { observeObject } from './object.ts';
import { requireWritableStore, type StoreCapabilities } from './probe.ts';
import { JournalSegmentObjects } from './segment-objects.ts';

/** At this age in milliseconds, an unfinished change counts as abandoned, because its process has died. */
const intentLeaseMs = 15_000;

interface BucketBookOptions {
  book: string;
  capabilities: () => Promise<StoreCapabilities>;
  checkpoints: Checkpoints;
}

/** Stores the journal and the files of one book in a bucket. Conditional writes replace the lock. */
export function createBucketBook(
  client: ObjectStoreClient,
  storage: BucketFileStorage,
  { book, capabilities, checkpoints }: BucketBookOptions,
): BookBackend {
  const segments = new JournalSegmentObjects(client, storage, book, checkpoints);
  const draftOf = (note: AuditNote, state: JournalState): JournalRecordDraft => {
    const place = { book, path: note.path, user: note.user };
    // A file without journal records is recorded by the next scan, because a copied library has no records.
    const known = state.file(place);
    const isNews = note.seen !== undefined && known !== undefined && known.hash !== note.seen;
    const record = async (session: JournalWriteSession): Promise<void> =>
      await recordObservedFile(session, place, await observeFileAfterRecovery(session, place));
    if (isNews) void write(record).catch(ignoreExpectedError);
    return auditNoteRecordOf(state, place, note);
  };
  // Every write requires that the store supports conditional writes. Without them, a process could overwrite a segment
  // of another process.
  const requireWritable = async (): Promise<void> => requireWritableStore(await capabilities());
  const commits = new GroupCommit(segments, book, () => client.now(), { requireWritable, draftOf });
  const write = async <T>(work: (session: JournalWriteSession) => Promise<T>): Promise<T> => {
    const known = await capabilities();
    requireWritableStore(known);
    // The first read of the journal does not count as waiting for other processes, because it can take long.
    if (!commits.tail.isOpen) await commits.refresh();
    const observe = async (place: FileLocation): Promise<ReplaceableFile> =>
      await observeObject({ client, storage, segments, commits }, place, known);
    return await work({ book, observe, ...createSession(client, commits) });
  };
  return {
    get isIdle() {
      return commits.isIdle;
    },
    peek: async () => {
      await commits.flushEnds();
      return await commits.refresh();
    },
    readSegments: async read => {
      await commits.flush();
      return await read(segments);
    },
    write,
    note: async note => commits.note(note),
    close: async () => await commits.notes.close(async () => await commits.flush()),
  };
}

/** Returns the operations of a write session that are the same for all files. */
function createSession(client: ObjectStoreClient, commits: GroupCommit): Omit<JournalWriteSession, 'book' | 'observe'> {
  let deadline = Number.POSITIVE_INFINITY;
  const isInTime = (): boolean => performance.now() < deadline;
  return {
    isExclusive: false,
    mayTry: async attempt => {
      if (attempt === 0) deadline = performance.now() + maxChangeWaitMs;
      else await sleep(Math.random() * Math.min(20 * 2 ** attempt, 500));
      return isInTime();
    },
    refresh: async () => await commits.refresh(),
    isAbandoned: ({ time }) => client.now() - Date.parse(time) > intentLeaseMs,
    append: async entry =>
      await commits.append({ ...entry, draft: state => (isInTime() ? entry.draft(state) : undefined) }),
    appendEnd: async end => commits.appendLater(end),
  };
}
