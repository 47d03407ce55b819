import { describe, expect, test } from 'vitest';
import { sha256Of } from '../../../../src/toolsets/books/model/hash.ts';
import { firstChainHash, type JournalRecordDraft, JournalState } from '../../../../src/toolsets/books/model/journal.ts';
import { intentRecordOf, outcomeRecordOf } from '../../../../src/toolsets/books/model/record.ts';
import { JournalRecordChain } from '../../../../src/toolsets/books/model/record-chain.ts';
import type { StorageBackend } from '../../../../src/toolsets/books/storage/storage-backend.ts';
import { author, book, faultsOf, placeOf, recordsOf, write } from './journal.ts';
import { openStore, type Store } from './support.ts';

const [from, to] = [placeOf(1), placeOf(2)];
const [fromKey, toKey] = [from, to].map(({ path }) => `books/${book}/${path}`);
const text = 'lesson';
const hash = sha256Of(text);

/**
 * Creates a store in which a writer died long ago, after it had appended the two intent records of a move. If `created`
 * is given, the new object exists with this content.
 */
async function storeWithDeadMove(
  created: string | undefined,
  later: readonly JournalRecordDraft[] = [],
): Promise<Store> {
  const store = await openStore();
  const chain = new JournalRecordChain(
    { state: new JournalState(), chain: firstChainHash },
    book,
    's3',
    Date.now() - 60_000,
  );
  const [first] = chain.add([intentRecordOf(from, author, { to: hash })]);
  if (first === undefined) throw new Error('no record was made');
  chain.add([outcomeRecordOf(first, 'commit')]);
  const [creation] = chain.add([
    intentRecordOf(to, author, { to: hash }, { path: from.path, hash: null }),
    intentRecordOf(from, author, { from: hash }, { path: to.path, hash }),
  ]);
  chain.add(later);
  store.bucket.put(`.oj-books/${book}/journal/000000000001.jsonl`, chain.bytes);
  store.bucket.put(fromKey ?? '', Buffer.from(text));
  if (created === undefined) return store;
  store.bucket.put(toKey ?? '', Buffer.from(created));
  Object.assign(store.bucket.objects.get(toKey ?? '')?.headers ?? {}, { 'x-amz-meta-oj-rec': String(creation?.seq) });
  return store;
}

function textAt({ bucket }: Store, key: string | undefined): string | undefined {
  const object = bucket.objects.get(key ?? '');
  return object?.headers['x-amz-meta-oj-deleted'] === undefined ? object?.bytes.toString() : undefined;
}

const endsOf = async (server: StorageBackend): Promise<string[]> =>
  (await recordsOf(server)).filter(({ intent }) => intent !== undefined).map(({ kind }) => kind);

describe('a move whose writer died', () => {
  test('is completed by the next delta_build when the new object exists', async () => {
    const store = await storeWithDeadMove(text);
    const server = await store.open();
    await server.journal(book).append(async () => []);
    expect([textAt(store, fromKey), textAt(store, toKey)]).toEqual([undefined, text]);
    expect(await endsOf(server)).toEqual(['commit', 'commit', 'commit']);
    expect(await faultsOf(store, [])).toEqual([]);
  });

  test('is completed by the next change of the lesson at its former path', async () => {
    const store = await storeWithDeadMove(text);
    expect((await write(await store.open(), 'a new lesson')).previous).toBeUndefined();
    expect([textAt(store, fromKey), textAt(store, toKey)]).toEqual(['a new lesson', text]);
    expect(await faultsOf(store, [])).toEqual([]);
  });

  test('is undone when the new object does not exist', async () => {
    const store = await storeWithDeadMove(undefined);
    const server = await store.open();
    await server.journal(book).append(async () => []);
    expect([textAt(store, fromKey), textAt(store, toKey)]).toEqual([text, undefined]);
    expect(await endsOf(server)).toEqual(['commit', 'abort', 'abort']);
    expect(await faultsOf(store, [])).toEqual([]);
  });

  test('leaves both lessons if the new one was changed since', async () => {
    const store = await storeWithDeadMove('edited by another program');
    await (await store.open()).journal(book).append(async () => []);
    expect(textAt(store, fromKey)).toBe(text);
    expect(await faultsOf(store, [])).toEqual([]);
  });

  test('does not delete the former lesson if it was written again with the same bytes', async () => {
    const edits = [
      [hash, sha256Of('edited')],
      [sha256Of('edited'), hash],
    ].map(([prev = '', next = '']) => ({ ...author, path: from.path, user: '__base__', prev, new: next }));
    const later = edits.map(edit => ({ ...edit, kind: 'external' as const, status: 'success' }));
    const store = await storeWithDeadMove(text, later);
    await (await store.open()).journal(book).append(async () => []);
    expect([textAt(store, fromKey), textAt(store, toKey)]).toEqual([text, text]);
    expect(await faultsOf(store, [])).toEqual([]);
  });
});

test('a move is undone when another program replaces the lesson before its deletion', async () => {
  const store: Store = await openStore({
    mishap: (method, key) => {
      if (method === 'PUT' && key === toKey) store.bucket.put(fromKey ?? '', Buffer.from('edited'));
      return undefined;
    },
  });
  const server = await store.open();
  await write(server, text);
  const decide = (current: string | undefined, moved?: string): void => {
    if (current !== undefined || moved !== hash) throw new Error(`conflict with ${moved}`);
  };
  const moved = server.journal(book).change({ place: to, from, bytes: Buffer.from(text), author, decide });
  await expect(moved).rejects.toThrow(`conflict with ${sha256Of('edited')}`);
  expect([textAt(store, fromKey), textAt(store, toKey)]).toEqual(['edited', undefined]);
  expect(await faultsOf(store, [])).toEqual([]);
});
