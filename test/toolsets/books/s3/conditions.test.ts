import { describe, expect, test } from 'vitest';
import { sha256Of } from '../../../../src/toolsets/books/model/hash.ts';
import type { Question } from '../../../support/bucket/objects.ts';
import type { BucketOptions, Mishap } from '../../../support/bucket/server.ts';
import { book, changeText, faultsOf, placeOf, write } from './journal.ts';
import { openStore, type Store } from './support.ts';

/** A conditional request of the S3 client, with a test that fails if the store ignores the condition. */
interface Condition {
  isIts: (question: Question) => boolean;
  /** Returns the errors after a run that is correct only if the store tests the condition. */
  trial: (options: BucketOptions) => Promise<string[]>;
}

const isWrite = (folder: string, { method, key }: Question): boolean => method === 'PUT' && key.startsWith(folder);
const isLesson = (question: Question): boolean => isWrite(`books/${book}/content/`, question);
const isAsset = (question: Question): boolean => isWrite(`books/${book}/static/`, question);
const isSegment = (question: Question): boolean => isWrite(`.oj-books/${book}/journal/`, question);
const isDeletion = ({ headers }: Question): boolean => headers['x-amz-meta-oj-deleted'] !== undefined;

const conditions: Record<string, Condition> = {
  'a new journal segment': {
    isIts: isSegment,
    trial: async options => await race(options, isSegment, [], [1, 'a'], [2, 'b']),
  },
  'a new lesson': {
    isIts: question => isLesson(question) && 'if-none-match' in question.headers,
    trial: async options => await race(options, isLesson, [], [1, 'a'], [1, 'b']),
  },
  'the replacement of a lesson': {
    isIts: question => isLesson(question) && 'if-match' in question.headers && !isDeletion(question),
    trial: async options => await race(options, isLesson, ['old'], [1, 'a'], [1, 'b']),
  },
  'the deletion of a lesson': {
    isIts: question => isLesson(question) && 'if-match' in question.headers && isDeletion(question),
    trial: async options => await race(options, isLesson, ['old'], [1, 'a'], [1, undefined]),
  },
  'a new asset': {
    isIts: question => isAsset(question) && 'if-none-match' in question.headers,
    trial: async options => await uploadTwice(options, undefined),
  },
  'the replacement of an asset': {
    isIts: question => isAsset(question) && 'if-match' in question.headers,
    trial: async options => await uploadTwice(options, 'old'),
  },
  'the rest of an interrupted download': {
    isIts: ({ method, headers }) => method === 'GET' && 'range' in headers && 'if-match' in headers,
    trial: readMixed,
  },
  'a cached lesson': {
    isIts: ({ method, headers }) => method === 'GET' && 'if-none-match' in headers,
    trial: readTwice,
  },
  'the probe of the store': {
    isIts: ({ key }) => key.startsWith('.oj-books/probe/'),
    trial: async options => {
      const store = await openStore(options);
      return await write(await store.open(), 'a').then(
        () => [],
        (error: unknown) => [String(error)],
      );
    },
  },
};

describe('the conditional header (If-Match or If-None-Match)', () => {
  test.each(Object.entries(conditions))(
    'prevents a lost or mixed update in the request for %s, which occurs if the store ignores the header',
    async (_, { isIts, trial }) => {
      expect(await trial({})).toEqual([]);
      expect(await trial({ weakness: { ignores: isIts } })).not.toEqual([]);
    },
  );

  test('is sent by the S3 client only with the kinds of requests that these tests cover', async () => {
    const unknown: string[] = [];
    const mishap = (method: string, key: string, question: Question): undefined => {
      const isConditional = 'if-match' in question.headers || 'if-none-match' in question.headers;
      const isKnown = Object.values(conditions).some(({ isIts }) => isIts(question));
      if (isConditional && !isKnown) unknown.push(`${method} ${key}`);
    };
    for (const { trial } of Object.values(conditions)) await trial({ mishap });
    expect(unknown).toEqual([]);
  });
});

type Step = readonly [lesson: number, text: string | undefined];

/**
 * Lets two servers send the same conditional request at the same time, before one of them can see the change of the
 * other.
 */
async function race(
  options: BucketOptions,
  isHeld: (question: Question) => boolean,
  before: readonly string[],
  first: Step,
  second: Step,
): Promise<string[]> {
  const meeting = new Meeting(isHeld);
  const store = await openStore({ ...options, mishap: (...request) => meeting.mishap(request[2]) });
  const [one, two] = [await store.open(), await store.open()];
  const acknowledged: string[] = [];
  const act = async (server: typeof one, [number, text]: Step): Promise<void> => {
    const { previous, hash } = await write(server, text, number);
    acknowledged.push(changeText({ path: placeOf(number).path, prev: previous ?? null, new: hash ?? null }));
  };
  for (const text of before) await act(one, [first[0], text]);
  await one.journal(book).append(async () => []);
  await two.journal(book).append(async () => []); // both servers have probed the store and read the journal
  meeting.begin();
  const acts = [act(one, first)];
  await meeting.firstHasCome;
  acts.push(act(two, second));
  await Promise.all(acts);
  return await faultsOf(store, acknowledged);
}

/** Lets the first of two callers wait for the second one. Then both callers continue in the order of their calls. */
class Meeting {
  readonly #isHeld: (question: Question) => boolean;
  #left = 0;
  #comeFirst = (): void => {};
  #comeSecond = (): void => {};
  readonly firstHasCome = new Promise<void>(resolve => {
    this.#comeFirst = resolve;
  });
  readonly #secondHasCome = new Promise<void>(resolve => {
    this.#comeSecond = resolve;
  });

  constructor(isHeld: (question: Question) => boolean) {
    this.#isHeld = isHeld;
  }

  begin(): void {
    this.#left = 2;
  }

  mishap(question: Question): Mishap | undefined {
    if (this.#left === 0 || !this.#isHeld(question)) return undefined;
    this.#left--;
    if (this.#left === 1) this.#comeFirst();
    else this.#comeSecond();
    return { kind: 'hold', until: this.#secondHasCome };
  }
}

async function uploadTwice(options: BucketOptions, before: string | undefined): Promise<string[]> {
  const { bucket, open } = await openStore(options);
  const place = { book, path: 'static/videos/a.mp4', user: undefined };
  if (before !== undefined) bucket.put(`books/${book}/${place.path}`, Buffer.from(before));
  const backend = await open();
  const upload = { place, size: 5, mimeType: 'video/mp4', seconds: 60 };
  const send = async (body: string): Promise<number> => {
    const offer = offers.shift();
    if (offer === undefined) throw new Error('nothing is offered');
    const answer = await fetch(offer.url, { method: 'PUT', body, headers: { ...offer.headers } });
    await answer.text();
    return answer.status;
  };
  const { signal } = new AbortController();
  const offers = [await backend.offer?.(upload, signal), await backend.offer?.(upload, signal)];
  await send('first');
  return (await send('again')) === 200 ? ['the second has overwritten the first'] : [];
}

/** Interrupts a download and replaces the object before the client requests the rest. */
async function readMixed(options: BucketOptions): Promise<string[]> {
  const [old, young] = [Buffer.alloc(3 << 20, 'o'), Buffer.alloc(3 << 20, 'y')];
  const key = `books/${book}/${placeOf(1).path}`;
  const store: Store = await openStore({
    ...options,
    mishap: (method, name, question) => {
      if ('range' in question.headers) store.bucket.put(key, young);
      return options.mishap?.(method, name, question);
    },
  });
  store.bucket.put(key, old);
  store.bucket.cutBodiesAt = [1 << 20];
  const { storage } = await store.open();
  const read = await storage.read(key, old.length).catch(() => undefined);
  return read === undefined || [sha256Of(old), sha256Of(young)].includes(read.hash) ? [] : ['two versions are mixed'];
}

/**
 * Reads an object twice. The store must not send an unchanged object again: it would interrupt the body, and the read
 * would fail.
 */
async function readTwice(options: BucketOptions): Promise<string[]> {
  const { bucket, open } = await openStore(options);
  const key = `books/${book}/${placeOf(1).path}`;
  bucket.put(key, Buffer.from('text'));
  const { storage } = await open();
  await storage.read(key, 10);
  bucket.cutBodiesAt = [1];
  await storage.read(key, 10);
  return bucket.cutBodiesAt.length === 1 ? [] : ['it was sent again'];
}
