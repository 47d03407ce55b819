import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import {
  type Change,
  type ChangeResult,
  changeWaitMs,
  closeTimeoutMs,
  type OpenLog,
  reportNotes,
} from '../../library/book-log.ts';
import { allLines, type SegmentStore, stateAt } from '../../library/journal-reader.ts';
import { busyFailure } from '../../library/transaction.ts';
import type { Draft, JournalState } from '../../model/journal.ts';
import { keyOf, type Place } from '../../model/key.ts';
import { endRecordOf, type Note, noteDraft, placeOfRecord } from '../../model/record.ts';
import type { BucketStorage } from './bucket-storage.ts';
import { ObjectChanges } from './change.ts';
import type { Client } from './client.ts';
import { GroupCommit } from './group-commit.ts';
import { Observer } from './observer.ts';
import { requireWritable, type StoreCapabilities } from './probe.ts';
import { SegmentObjects } from './segment-objects.ts';

/** The journal of one book in a bucket. Conditional writes protect it instead of locks. */
export class BucketLog implements OpenLog {
  readonly #book: string;
  readonly #capabilities: () => Promise<StoreCapabilities>;
  readonly #objects: SegmentObjects;
  readonly #commits: GroupCommit;
  readonly #observer: Observer;
  readonly #changes: ObjectChanges;
  /** The pending notes. They are written to stderr if the journal cannot be written. */
  readonly #notes = new Set<Note>();

  constructor(client: Client, storage: BucketStorage, book: string, capabilities: () => Promise<StoreCapabilities>) {
    this.#book = book;
    this.#capabilities = capabilities;
    this.#objects = new SegmentObjects(client, storage, book);
    this.#commits = new GroupCommit(this.#objects, book, () => client.now(), {
      // Without conditional writes, two processes could overwrite each other's segments.
      requireWritable: async () => requireWritable(await capabilities()),
      onNotesDropped: () => this.#reportNotes(),
    });
    this.#observer = new Observer(client, storage, this.#commits);
    this.#changes = new ObjectChanges({
      client,
      storage,
      objects: this.#objects,
      commits: this.#commits,
      observer: this.#observer,
    });
  }

  get isIdle(): boolean {
    return this.#notes.size === 0 && this.#commits.isIdle;
  }

  async peek(): Promise<JournalState> {
    await this.#commits.flushEnds();
    return await this.#commits.refresh();
  }

  async stateAt(seq: number): Promise<JournalState> {
    return await stateAt(this.#objects, seq);
  }

  async readSegments<Result>(read: (segments: SegmentStore) => Promise<Result>): Promise<Result> {
    await this.#commits.flush();
    return await read(this.#objects);
  }

  async *lines(signal?: AbortSignal): AsyncGenerator<Iterable<string>> {
    await this.#commits.flush();
    yield* allLines(this.#objects, signal);
  }

  async append(draft: (state: JournalState) => Promise<Draft[]>): Promise<JournalState> {
    requireWritable(await this.#capabilities());
    for (const deadline = performance.now() + changeWaitMs; performance.now() < deadline; ) {
      const state = await this.#recoveredState();
      const { seq } = state;
      const drafts = matchIntents(await draft(state), state);
      const entered = await this.#commits.append({
        isExclusive: true,
        draft: now => (now.seq === seq ? drafts : undefined),
      });
      if (entered !== undefined) return state;
    }
    throw busyFailure(`The journal of ${this.#book}`);
  }

  async note(note: Note): Promise<void> {
    this.#notes.add(note);
    const place = { book: this.#book, path: note.path, user: note.user };
    this.#commits.note(state => {
      this.#notes.delete(note);
      // Files without a record are left to the next survey, because a copied library has no records at all.
      const known = state.file(place);
      const isNews = note.seen !== undefined && known !== undefined && known.hash !== note.seen;
      if (isNews) void this.#recordRead(place).catch(ignoreExpectedError);
      return noteDraft(state, place, note);
    });
  }

  /** Flushes pending notes. Notes that cannot be stored are written to stderr. */
  async close(): Promise<void> {
    const patience = new AbortController();
    const flushed = this.#commits.flush().catch(ignoreExpectedError);
    await Promise.race([
      flushed,
      sleep(closeTimeoutMs, undefined, { signal: patience.signal }).catch(ignoreExpectedError),
    ]);
    patience.abort();
    this.#reportNotes();
  }

  #reportNotes(): void {
    reportNotes(this.#book, this.#notes);
    this.#notes.clear();
  }

  async change<Decision>(change: Change<Decision>): Promise<ChangeResult<Decision>> {
    return await this.#changes.change(change, await this.#capabilities());
  }

  /** Returns the state after the recovery of open intents. */
  async #recoveredState(): Promise<JournalState> {
    const state = await this.#commits.refresh();
    const places = new Map(
      [...state.open.values()].map(intent => placeOfRecord(this.#book, intent)).map(place => [keyOf(place), place]),
    );
    for (const place of places.values()) await this.#observer.recoverIntents(place);
    return state;
  }

  /** Records a version that was read and is unknown to the journal. */
  async #recordRead(place: Place): Promise<void> {
    await this.#observer.recordObservation(place, await this.#observer.observe(place));
  }
}

/** Replaces external changes of a survey by end records if they belong to open intents. */
function matchIntents(drafts: readonly Draft[], state: JournalState): Draft[] {
  return drafts.map(draft => {
    if (draft.kind !== 'external') return draft;
    const { path, user } = draft;
    const its = [...state.open.values()].find(
      intent => intent.path === path && intent.user === user && intent.new === draft.new && intent.prev === draft.prev,
    );
    return its === undefined ? draft : endRecordOf(its, 'commit', draft.tag === undefined ? {} : { tag: draft.tag });
  });
}
