import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { compressCheckpoint } from '../../../../src/toolsets/books/library/checkpoints.ts';
import { sha256Of } from '../../../../src/toolsets/books/model/hash.ts';
import { formatCheckpointFileName, formatSegmentFileName } from '../../../../src/toolsets/books/model/segment.ts';
import type { Mishap } from '../../../support/bucket/server.ts';
import { author, book, changeText, faultsOf, linesOf, placeOf, recordsOf, write } from './journal.ts';
import { openStore, type Store } from './support.ts';

/**
 * Repeats a change while it returns BUSY, because other writers on a busy machine can delay a change for longer than it
 * waits.
 */
async function insist<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!String(error).includes('is being changed by another program')) throw error;
    }
  }
}

/**
 * Lets several servers change a few lessons at the same time. Returns the successful changes. The clock of the servers
 * is slow, so that a busy machine causes no timeouts.
 */
async function contend({ open }: Store, servers: number, changes: number): Promise<string[]> {
  const now = performance.now.bind(performance);
  const start = now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => start + (now() - start) / 50);
  onTestFinished(() => clock.mockRestore());
  const acknowledged: string[] = [];
  const work = async (server: number): Promise<void> => {
    const backend = await open();
    for (let count = 0; count < changes; count++) {
      const number = (server + count) % 3;
      const text = count % 4 === 3 ? undefined : `${server} ${count}`;
      const { previous, hash } = await insist(async () => await write(backend, text, number));
      if (previous !== hash) {
        acknowledged.push(changeText({ path: placeOf(number).path, prev: previous ?? null, new: hash ?? null }));
      }
    }
  };
  await Promise.all(Array.from({ length: servers }, async (_, server) => await work(server)));
  return acknowledged;
}

describe('changes of a library in a bucket', () => {
  test('are made and recorded exactly once while many servers write', async () => {
    const store = await openStore();
    expect(await faultsOf(store, await contend(store, 5, 12))).toEqual([]);
  });

  test('are made and recorded exactly once despite lost responses, rejections and delays', async () => {
    let count = 0;
    const mishap = (method: string, key: string): Mishap | undefined => {
      if (key.includes('/probe/')) return undefined;
      count++;
      if (method === 'PUT' && count % 5 === 0) return { kind: 'drop' };
      if (count % 7 === 0) return { kind: 'refuse', status: 503, code: 'SlowDown' };
      if (method === 'PUT' && count % 11 === 0)
        return { kind: 'refuse', status: 409, code: 'ConditionalRequestConflict' };
      return count % 13 === 0 ? { kind: 'delay', ms: 20 } : undefined;
    };
    const store = await openStore({ mishap });
    expect(await faultsOf(store, await contend(store, 3, 8))).toEqual([]);
  });

  test.each(['drop', 'kill'] as const)(
    'are completed by the next writer if their writer has ended (fault "%s")',
    async how => {
      let isBroken = false;
      let isWritten = false;
      let now = Date.now();
      const store = await openStore({
        now: () => now,
        clock: () => now,
        mishap: (method, key) => {
          if (!isBroken || key.startsWith('.oj-books') || (method === 'HEAD' && !isWritten)) return undefined;
          isWritten = true;
          return how === 'drop' && method === 'PUT' ? { kind: 'drop' } : { kind: 'refuse', status: 503, code: 'Down' };
        },
      });
      const first = await store.open();
      await write(first, 'one');
      isBroken = true;
      await expect(write(first, 'two')).rejects.toThrow(/^(?:Cannot reach|The object store is busy)/);
      isBroken = false;
      now += 20_000;
      const second = await store.open();
      const { previous } = await write(second, 'three');
      expect(previous).toBe(sha256Of(how === 'drop' ? 'two' : 'one'));
      expect(await faultsOf(store, [])).toEqual([]);
    },
  );

  test('are recorded before other changes of the book if the response to their write was lost', async () => {
    let isBroken = false;
    let isWritten = false;
    const store = await openStore({
      mishap: (method, key) => {
        if (!isBroken || key.startsWith('.oj-books') || (method === 'HEAD' && !isWritten)) return undefined;
        isWritten = true;
        return method === 'PUT' ? { kind: 'drop' } : { kind: 'refuse', status: 503, code: 'Down' };
      },
    });
    const first = await store.open();
    await write(first, 'one');
    isBroken = true;
    await expect(write(first, 'two')).rejects.toThrow(/^(?:Cannot reach|The object store is busy)/);
    isBroken = false;
    const second = await store.open();
    await second.journal(book).append(async () => [noted(1)]);
    const kinds = (await recordsOf(second)).map(({ kind }) => kind);
    expect(kinds).toEqual(['intent', 'commit', 'intent', 'commit', noted(1).kind]);
  });

  test('are recorded differently from changes by other programs', async () => {
    const store = await openStore();
    const backend = await store.open();
    await write(backend, 'one');
    store.bucket.objects.set(`books/${book}/${placeOf(1).path}`, {
      bytes: Buffer.from('strange'),
      etag: '"strange"',
      modifiedMs: 0,
      headers: {},
    });
    expect((await write(backend, 'two')).previous).toBe(sha256Of('strange'));
    const kinds = (await recordsOf(backend)).map(({ kind }) => kind);
    expect(kinds).toEqual(['intent', 'commit', 'external', 'intent', 'commit']);
    expect(await faultsOf(store, [])).toEqual([]);
  });

  test('leave an empty object when they delete a file, and no tool treats it as a file', async () => {
    const store = await openStore();
    const backend = await store.open();
    await write(backend, 'one');
    expect((await write(backend, undefined)).previous).toBe(sha256Of('one'));
    const key = `books/${book}/${placeOf(1).path}`;
    const other = (await store.open()).storage;
    expect([await other.stat(key), await other.read(key, 10), await other.hash(key)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect((await write(backend, undefined)).previous).toBeUndefined();
    expect((await write(backend, 'again')).previous).toBeUndefined();
    expect(await faultsOf(store, [])).toEqual([]);
  });

  test('are not recorded as changes by other programs while the commit record of a deletion is missing', async () => {
    const store = await openStore();
    const backend = await store.open();
    await write(backend, 'one');
    await write(backend, undefined);
    const [entry] = (await backend.storage.list(`books/${book}`)) ?? [];
    if (entry === undefined) throw new Error('the empty body is not listed');
    expect(await backend.storage.hash(entry)).toBeUndefined();
  });

  test('are not made if the function that decides about the change rejects the current content', async () => {
    const store = await openStore();
    const backend = await store.open();
    await write(backend, 'one');
    const decide = (): never => {
      throw new Error('no');
    };
    const change = backend.journal(book).change({ place: placeOf(1), bytes: Buffer.from('two'), author, decide });
    await expect(change).rejects.toThrow('no');
    expect(store.bucket.objects.get(`books/${book}/${placeOf(1).path}`)?.bytes.toString()).toBe('one');
  });
});

describe('the journal in a bucket', () => {
  test('contains all audit notes although more than a thousand wait while a segment is written', async () => {
    const add = (from: number, to: number): void => {
      for (let count = from; count < to; count++) {
        void backend.journal(book).note({ agent: 'tester', operation: `note ${count}`, ...nothingRead });
      }
    };
    let isFirst = true;
    const store = await openStore({
      mishap: (method, key) => {
        if (method !== 'PUT' || !key.includes('/journal/') || !isFirst) return undefined;
        isFirst = false;
        add(1000, 1010);
        return { kind: 'delay', ms: 50 };
      },
    });
    const backend = await store.open();
    add(0, 1000);
    const operations = (await recordsOf(backend)).map(({ operation }) => operation);
    expect(operations).toEqual(Array.from({ length: 1010 }, (_, count) => `note ${count}`));
  });

  test('is read from its last checkpoint', async () => {
    const store = await openStore();
    const backend = await store.open();
    for (let count = 0; count < 260; count++) await backend.journal(book).append(async () => [noted(count)]);
    expect([...store.bucket.objects.keys()].filter(key => key.includes('/state/'))).toEqual([
      `.oj-books/${book}/state/000000000256.jsonl.gz`,
    ]);
    const other = await store.open();
    store.bucket.requests.length = 0;
    expect((await other.journal(book).peek()).seq).toBe(260);
    expect(store.bucket.requests.filter(request => request.includes('.jsonl')).length).toBeLessThan(10);
  });

  test('gets its checkpoint with the next change if the checkpoint could not be written', async () => {
    const isState = (key: string): boolean => key.includes('/state/');
    const store = await openStore({
      mishap: (method, key) =>
        method === 'PUT' && isState(key) && isRefused
          ? { kind: 'refuse', status: 403, code: 'AccessDenied' }
          : undefined,
    });
    let isRefused = true;
    const backend = await store.open();
    for (let count = 0; count < 260; count++) await backend.journal(book).append(async () => [noted(count)]);
    expect([...store.bucket.objects.keys()].filter(isState)).toEqual([]);
    isRefused = false;
    const other = await store.open();
    await other.journal(book).peek();
    await other.journal(book).append(async () => [noted(260)]);
    expect([...store.bucket.objects.keys()].filter(isState)).toEqual([
      `.oj-books/${book}/state/${formatCheckpointFileName(261)}`,
    ]);
    await other.journal(book).append(async () => [noted(261)]);
    expect([...store.bucket.objects.keys()].filter(isState)).toHaveLength(1);
    expect((await (await store.open()).journal(book).peek()).seq).toBe(262);
  });

  test('can be read even if reading takes longer than the time limit of a write', async () => {
    const now = performance.now.bind(performance);
    let laterMs = 0;
    const store = await openStore({
      mishap: (method, key) => {
        if (method === 'GET' && key.includes('/journal/')) laterMs += 10_000;
        return undefined;
      },
    });
    const first = await store.open();
    await write(first, 'one');
    // The first server is closed, because the second one would otherwise read again after a late record of the first
    // one.
    await first.close();
    const other = await store.open();
    await other.storage.foldersIn('books');
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
    onTestFinished(() => clock.mockRestore());
    laterMs = 0;
    expect((await write(other, 'two', 2)).hash).toBe(sha256Of('two'));
  });

  test('is read completely if its checkpoint is damaged', async () => {
    const store = await openStore();
    const backend = await store.open();
    for (let count = 0; count < 257; count++) await backend.journal(book).append(async () => [noted(count)]);
    for (const [key, object] of store.bucket.objects)
      if (key.includes('/state/')) object.bytes = object.bytes.subarray(0, 20);
    const other = await store.open();
    expect((await other.journal(book).peek()).seq).toBe(257);
  });

  test('is read completely if its checkpoint belongs to another journal', async () => {
    const [store, other] = [await openStore(), await openStore()];
    const own = await store.open();
    await write(own, 'one');
    await own.journal(book).peek(); // the commit record is the second segment
    const stranger = await other.open();
    await write(stranger, 'strange');
    const state = await stranger.journal(book).peek();
    const packed = await compressCheckpoint({ state, chain: sha256Of('another line') });
    store.bucket.put(`.oj-books/${book}/state/${formatCheckpointFileName(2)}`, packed);
    expect((await (await store.open()).journal(book).peek()).file(placeOf(1))?.hash).toBe(sha256Of('one'));
  });

  test('is continued after the library was copied from a folder', async () => {
    const source = await openStore();
    const backend = await source.open();
    await write(backend, 'one');
    const lines = await linesOf(backend);
    const store = await openStore();
    const old = Buffer.from(lines.map(line => `${line}\n`).join(''));
    store.bucket.put(`.oj-books/${book}/journal/${formatSegmentFileName(1)}`, old);
    const object = source.bucket.objects.get(`books/${book}/${placeOf(1).path}`);
    if (object !== undefined) store.bucket.objects.set(`books/${book}/${placeOf(1).path}`, object);
    expect((await write(await store.open(), 'two')).previous).toBe(sha256Of('one'));
    expect(store.bucket.objects.has(`.oj-books/${book}/journal/${formatSegmentFileName(2)}`)).toBe(true);
    expect(await faultsOf(store, [])).toEqual([]);
  });
});

const nothingRead = { path: '', user: undefined, status: 'success', ms: 1 };

function noted(count: number) {
  const nothing = { path: '', user: '__base__', prev: null, new: null };
  return { kind: 'note' as const, agent: 'tester', operation: `note ${count}`, ...nothing, status: 'success' };
}
