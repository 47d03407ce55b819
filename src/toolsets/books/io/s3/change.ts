import { setTimeout as sleep } from 'node:timers/promises';
import { passOver } from '../../../../log/bug.ts';
import { mimeTypeOf } from '../../model/asset.ts';
import { hashOf } from '../../model/hash.ts';
import type { Draft, JournalRecord, JournalState } from '../../model/journal.ts';
import { keyOf, type Place } from '../../model/key.ts';
import { endOf, intentOf, tookMs } from '../../model/record.ts';
import { storageFailure } from '../../model/refusal.ts';
import { type Change, type Changed, changeWaitMs } from '../store/ledger.ts';
import type { Appender } from './appender.ts';
import { type BucketStorage, deletedField, versionOf } from './bucket-storage.ts';
import type { Client, Reply } from './client.ts';
import { type Promises, requireWritable } from './probe.ts';
import type { Segments } from './segments.ts';
import { hashField, type Observer, recordField, type Sight } from './sight.ts';

/** An object is not written later than this after its intent: by then others may have given it up. */
const intentMs = 10_000;

/** What a change of one book works with. */
interface Book {
  client: Client;
  storage: BucketStorage;
  segments: Segments;
  appender: Appender;
  observer: Observer;
}

/** The one way an object changes. */
export class ObjectChanges {
  readonly #client: Client;
  readonly #storage: BucketStorage;
  readonly #segments: Segments;
  readonly #appender: Appender;
  readonly #observer: Observer;

  constructor({ client, storage, segments, appender, observer }: Book) {
    this.#client = client;
    this.#storage = storage;
    this.#segments = segments;
    this.#appender = appender;
    this.#observer = observer;
  }

  /**
   * The order keeps every promise: the intent is in the journal before the object changes, the object changes only from
   * what was seen, and the answer comes after it. Whoever meets an intent without an end can tell by the object whether
   * it has happened.
   */
  async change<Decision>(change: Change<Decision>, promises: Promises): Promise<Changed<Decision>> {
    const { place, bytes } = change;
    requireWritable(promises);
    // To read a journal for the first time may take long, and is no waiting for others.
    if (!this.#segments.isOpen) await this.#appender.refresh();
    const deadline = performance.now() + changeWaitMs;
    for (let attempt = 0; performance.now() < deadline; attempt++) {
      if (attempt > 0) await sleep(Math.random() * Math.min(20 * 2 ** attempt, 500));
      const sight = await this.#observer.look(place);
      let decision: Decision;
      try {
        decision = change.decide(sight.hash);
      } catch (error) {
        void this.#observer.tell(place, sight).catch(passOver); // the next to look will see it too
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
        const story = performance.now() < deadline ? this.#observer.story(state, place, sight) : undefined;
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
    const sight = await this.#observer.look(place);
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
}

export function busy(what: string): Error {
  return storageFailure('BUSY', `${what} is being changed by others.`, { suggestion: 'Try again in a moment.' });
}
