import { setTimeout as sleep } from 'node:timers/promises';
import { passOver } from '../../../../log/bug.ts';
import type { Draft, JournalState } from '../../model/journal.ts';
import { keyOf, type Place } from '../../model/key.ts';
import { endOf, type Note, noteDraft, placeOfRecord } from '../../model/record.ts';
import { allLines, stateAt } from '../store/journal-reader.ts';
import { type Change, type Changed, changeWaitMs, type Ledger, lastWaitMs, sayNotes } from '../store/ledger.ts';
import { Appender } from './appender.ts';
import type { BucketStorage } from './bucket-storage.ts';
import { busy, ObjectChanges } from './change.ts';
import type { Client } from './client.ts';
import type { Promises } from './probe.ts';
import { SegmentObjects } from './segment-objects.ts';
import { Segments } from './segments.ts';
import { Observer } from './sight.ts';

/** The journal of one book: no locks, but conditions that the store checks. */
export class BucketLedger implements Ledger {
  readonly #book: string;
  readonly #promises: () => Promise<Promises>;
  readonly #objects: SegmentObjects;
  readonly #appender: Appender;
  readonly #observer: Observer;
  readonly #changes: ObjectChanges;
  /** Notes that are not in the journal yet, to be said elsewhere if they never will. */
  readonly #notes = new Set<Note>();

  constructor(client: Client, storage: BucketStorage, book: string, promises: () => Promise<Promises>) {
    this.#book = book;
    this.#promises = promises;
    this.#objects = new SegmentObjects(client, storage, book);
    const segments = new Segments(this.#objects);
    this.#appender = new Appender(segments, book, () => client.now());
    this.#observer = new Observer(client, storage, segments, this.#appender);
    this.#changes = new ObjectChanges({
      client,
      storage,
      segments,
      appender: this.#appender,
      observer: this.#observer,
    });
  }

  async peek(): Promise<JournalState> {
    await this.#appender.flushEnds();
    return await this.#appender.refresh();
  }

  async stateAt(seq: number): Promise<JournalState> {
    return await stateAt(this.#objects, seq);
  }

  async *lines(signal?: AbortSignal): AsyncGenerator<Iterable<string>> {
    await this.#appender.flush();
    yield* allLines(this.#objects, signal);
  }

  async enter(draft: (state: JournalState) => Promise<Draft[]>): Promise<JournalState> {
    await this.#promises();
    for (const deadline = performance.now() + changeWaitMs; performance.now() < deadline; ) {
      const state = await this.#settled();
      const { seq } = state;
      const drafts = named(await draft(state), state);
      const entered = await this.#appender.enter({
        isAlone: true,
        draft: now => (now.seq === seq ? drafts : undefined),
      });
      if (entered !== undefined) return state;
    }
    throw busy(`The journal of ${this.#book}`);
  }

  async note(note: Note): Promise<void> {
    this.#notes.add(note);
    const place = { book: this.#book, path: note.path, user: note.user };
    this.#appender.note(state => {
      this.#notes.delete(note);
      // What the journal has never heard of is for the next survey: a library that was put here is all like that.
      const known = state.file(place);
      const isNews = note.seen !== undefined && known !== undefined && known.hash !== note.seen;
      if (isNews) void this.#notice(place).catch(passOver);
      return noteDraft(state, place, note);
    });
  }

  /** The last chance of notes that wait: what cannot be kept is at least said. */
  async close(): Promise<void> {
    const patience = new AbortController();
    const flushed = this.#appender.flush().catch(passOver);
    await Promise.race([flushed, sleep(lastWaitMs, undefined, { signal: patience.signal }).catch(passOver)]);
    patience.abort();
    sayNotes(this.#book, this.#notes);
  }

  async change<Decision>(change: Change<Decision>): Promise<Changed<Decision>> {
    return await this.#changes.change(change, await this.#promises());
  }

  /** What is known when open intents have got their ends. */
  async #settled(): Promise<JournalState> {
    const state = await this.#appender.refresh();
    const places = new Map(
      [...state.open.values()].map(intent => placeOfRecord(this.#book, intent)).map(place => [keyOf(place), place]),
    );
    for (const place of places.values()) await this.#observer.settle(place);
    return state;
  }

  /** A version was read that the journal does not know. */
  async #notice(place: Place): Promise<void> {
    await this.#observer.tell(place, await this.#observer.look(place));
  }
}

/** A change that a survey has found may be one of ours, whose end is still to come. */
function named(drafts: readonly Draft[], state: JournalState): Draft[] {
  return drafts.map(draft => {
    if (draft.kind !== 'external') return draft;
    const { path, user } = draft;
    const its = [...state.open.values()].find(
      intent => intent.path === path && intent.user === user && intent.new === draft.new && intent.prev === draft.prev,
    );
    return its === undefined ? draft : endOf(its, 'commit', draft.tag === undefined ? {} : { tag: draft.tag });
  });
}
