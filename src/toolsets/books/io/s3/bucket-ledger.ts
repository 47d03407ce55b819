import { setTimeout as sleep } from 'node:timers/promises';
import { passOver } from '../../../../bug.ts';
import { mimeTypeOf } from '../../model/asset.ts';
import { hashOf } from '../../model/hash.ts';
import { type Draft, type JournalRecord, type JournalState } from '../../model/journal.ts';
import { keyOf, type Place } from '../../model/key.ts';
import { endOf, externalChange, intentOf, noteDraft, placeOfRecord, tookMs } from '../../model/record.ts';
import { storageFailure } from '../../model/refusal.ts';
import { changeWaitMs, lastWaitMs, sayNotes } from '../store/ledgers.ts';
import { allLines, stateAt } from '../store/replay.ts';
import type { Change, Changed, Ledger, Note } from '../store/storage.ts';
import { Appender } from './appender.ts';
import { type BucketStorage, deletedField, versionOf } from './bucket-storage.ts';
import type { Client, Reply } from './client.ts';
import type { Promises } from './probe.ts';
import { SegmentObjects } from './segment-objects.ts';
import { Segments } from './segments.ts';
import { hashField, lookAt, recordField, type Sight, storyOf } from './sight.ts';

/** An object is not written later than this after its intent: by then others may have given it up. */
const intentMs = 10_000;
/** An intent without an end whose author is taken for dead. */
const abandonedMs = 15_000;

/** The journal of one book, and the one way its objects change: no locks, but conditions that the store checks. */
export class BucketLedger implements Ledger {
  readonly #client: Client;
  readonly #storage: BucketStorage;
  readonly #book: string;
  readonly #promises: () => Promise<Promises>;
  readonly #objects: SegmentObjects;
  readonly #segments: Segments;
  readonly #appender: Appender;
  /** Notes that are not in the journal yet, to be said elsewhere if they never will. */
  readonly #notes = new Set<Note>();

  constructor(client: Client, storage: BucketStorage, book: string, promises: () => Promise<Promises>) {
    this.#client = client;
    this.#storage = storage;
    this.#book = book;
    this.#promises = promises;
    this.#objects = new SegmentObjects(client, storage, book);
    this.#segments = new Segments(this.#objects);
    this.#appender = new Appender(this.#segments, book, () => client.now());
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

  /**
   * The order keeps every promise: the intent is in the journal before the object changes, the object changes only from
   * what was seen, and the answer comes after it. Whoever meets an intent without an end can tell by the object whether
   * it has happened.
   */
  async change<Decision>(change: Change<Decision>): Promise<Changed<Decision>> {
    const { place, bytes } = change;
    const promises = await this.#promises();
    if (promises.whyReadOnly !== undefined) throw readOnly(promises.whyReadOnly);
    // To read a journal for the first time may take long, and is no waiting for others.
    if (!this.#segments.isOpen) await this.#appender.refresh();
    const deadline = performance.now() + changeWaitMs;
    for (let attempt = 0; performance.now() < deadline; attempt++) {
      if (attempt > 0) await sleep(Math.random() * Math.min(20 * 2 ** attempt, 500));
      const sight = await this.#look(place);
      let decision: Decision;
      try {
        decision = change.decide(sight.hash);
      } catch (error) {
        void this.#tell(place, sight).catch(passOver); // the next to look will see it too
        throw error;
      }
      if (bytes === undefined && sight.hash === undefined) return { decision, previous: undefined, hash: undefined };
      const outcome = await this.#try(change, sight, promises, deadline);
      if (outcome === 'done') {
        return { decision, previous: sight.hash, hash: bytes && hashOf(bytes) };
      }
    }
    throw busy(keyOf(place));
  }

  async #try(
    { place, bytes, author }: Change<unknown>,
    sight: Sight,
    promises: Promises,
    deadline: number,
  ): Promise<'again' | 'done'> {
    const began = performance.now();
    const intent = intentOf(place, author, sight.hash, bytes && hashOf(bytes));
    const entered = await this.#appender.enter({
      about: keyOf(place),
      draft: state => {
        const story = performance.now() < deadline ? this.#story(state, place, sight) : undefined;
        return story && [...story, intent];
      },
    });
    const own = entered?.at(-1);
    if (own === undefined) return 'again';
    const { last: from } = this.#segments;
    const patienceMs = intentMs - (performance.now() - began);
    const reply = patienceMs < 0 ? undefined : await this.#put(place, bytes, own, sight, promises, patienceMs);
    const ms = (): number => tookMs(began, performance.now());
    if (reply?.status === 200) {
      this.#end(own, place, 'commit', { ms: ms(), tag: versionOf(reply) });
      if (own.new !== null) this.#storage.remember(keyOf(place), versionOf(reply), own.new);
      return 'done';
    }
    // A refusal may be about our own first try, whose answer got lost on the way.
    if (await this.#hasHappened(own, place, from)) return 'done';
    this.#end(own, place, 'abort', { ms: ms() });
    return 'again';
  }

  async #put(
    place: Place,
    bytes: Uint8Array | undefined,
    { seq, new: hash }: JournalRecord,
    { tag }: Sight,
    { wantsBareTags }: Promises,
    patienceMs: number,
  ): Promise<Reply> {
    const match = wantsBareTags ? tag?.replaceAll('"', '') : tag;
    const headers = {
      ...(match === undefined ? { 'if-none-match': '*' } : { 'if-match': match }),
      'content-type': mimeTypeOf(place.path),
      [recordField]: String(seq),
      ...(hash === null ? { [deletedField]: '1' } : { [hashField]: hash }),
    };
    return await this.#client.ask({
      method: 'PUT',
      key: keyOf(place),
      headers,
      body: bytes ?? new Uint8Array(),
      patienceMs,
    });
  }

  /** Whether a change was made although nobody has said so. Who changed the file after it has entered its end. */
  async #hasHappened(own: JournalRecord, place: Place, from: number): Promise<boolean> {
    await this.#appender.refresh();
    const sight = await this.#look(place);
    if (sight.made?.seq === own.seq) {
      this.#end(own, place, 'commit', { ...(sight.tag !== undefined && { tag: sight.tag }) });
      return true;
    }
    return (await this.#segments.endOf(own.seq, from)) === 'commit';
  }

  /** Enters the end of our own intent, unless somebody else has done it. */
  #end(own: JournalRecord, place: Place, kind: 'abort' | 'commit', facts: Partial<Draft>): void {
    const draft = (state: JournalState): Draft[] => {
      if (!state.open.has(own.seq)) return [];
      const isNext = (state.file(place)?.hash ?? null) === own.prev;
      // Somebody has found the new bytes, and taken them for a stranger's.
      return [kind === 'commit' && !isNext ? endOf(own, 'abort', { status: 'overtaken' }) : endOf(own, kind, facts)];
    };
    this.#appender.end({ about: keyOf(place), intent: own.seq, draft });
  }

  async #look(place: Place): Promise<Sight> {
    const refresh = async (): Promise<JournalState> => await this.#appender.refresh();
    const known = async (): Promise<JournalState> => (this.#segments.isOpen ? this.#segments.state : await refresh());
    return await lookAt(this.#client, this.#storage, { known, refresh }, place);
  }

  /** What has to be said of a file before anything new; undefined when more has been entered since it was looked at. */
  #story(state: JournalState, place: Place, sight: Sight): Draft[] | undefined {
    if (storyOf(state, place) !== sight.story) return undefined;
    const { made, open, hash, tag } = sight;
    const facts = tag === undefined ? {} : { tag };
    const drafts: Draft[] = made === undefined ? [] : [endOf(made, 'commit', facts)];
    for (const intent of open)
      if (this.#isAbandoned(intent)) drafts.push(endOf(intent, 'abort', { status: 'unknown' }));
    const stranger =
      made === undefined ? externalChange(state, place, hash, sight.modifiedMs || this.#client.now()) : undefined;
    if (stranger !== undefined) drafts.push({ ...stranger, ...facts });
    return drafts;
  }

  #isAbandoned({ time }: JournalRecord): boolean {
    return this.#client.now() - Date.parse(time) > abandonedMs;
  }

  /** Open intents whose change has happened, or whose author is gone, get their ends. */
  async #settled(): Promise<JournalState> {
    const state = await this.#appender.refresh();
    const places = new Map(
      [...state.open.values()].map(intent => placeOfRecord(this.#book, intent)).map(place => [keyOf(place), place]),
    );
    for (const place of places.values()) await this.#settle(place);
    return state;
  }

  async #settle(place: Place): Promise<void> {
    const sight = await this.#look(place);
    if (sight.made === undefined && !sight.open.some(intent => this.#isAbandoned(intent))) return;
    await this.#tell(place, sight);
  }

  /** Enters what was seen of a file and is not in the journal yet. */
  async #tell(place: Place, sight: Sight): Promise<void> {
    await this.#appender.enter({ about: keyOf(place), draft: state => this.#story(state, place, sight) });
  }

  /** A version was read that the journal does not know. */
  async #notice(place: Place): Promise<void> {
    const sight = await this.#look(place);
    await this.#tell(place, sight);
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

function busy(what: string): Error {
  return storageFailure('BUSY', `${what} is being changed by others.`, { suggestion: 'Try again in a moment.' });
}

export function readOnly(reason: string): Error {
  return storageFailure('UNAVAILABLE', `The library can only be read: ${reason}.`, {
    suggestion: 'The user needs an object store that keeps conditional writes, and credentials that may write.',
  });
}
