import { describe, expect, test } from 'vitest';
import { sha256Of } from '../../../../src/toolsets/books/model/hash.ts';
import { firstChainHash, JournalState } from '../../../../src/toolsets/books/model/journal.ts';
import { intentRecordOf, outcomeRecordOf } from '../../../../src/toolsets/books/model/record.ts';
import { JournalRecordChain } from '../../../../src/toolsets/books/model/record-chain.ts';
import { author, book, faultsOf, placeOf, write } from './journal.ts';
import { openStore, type Store } from './support.ts';

const place = placeOf(1);
const key = `books/${book}/${place.path}`;

/**
 * Creates a store in which a writer died after it had written an object and before it wrote its commit record. Then
 * another tool replaced the content and kept the metadata.
 */
async function storeWithDeadWriter(text: string | undefined, bytes: string): Promise<Store> {
  const store = await openStore();
  const { path } = place;
  const [first, second] = [sha256Of('first'), text === undefined ? undefined : sha256Of(text)];
  const chain = new JournalRecordChain(
    { state: new JournalState(), chain: firstChainHash },
    book,
    's3',
    Date.now() - 60_000,
  );
  const [created] = chain.add([intentRecordOf(place, author, { to: first })]);
  if (created === undefined) throw new Error('no record was made');
  chain.add([outcomeRecordOf(created, 'commit')]);
  const [pending] = chain.add([intentRecordOf(place, author, { from: first, to: second })]);
  store.bucket.put(`.oj-books/${book}/journal/000000000001.jsonl`, chain.bytes);
  store.bucket.put(`books/${book}/${path}`, Buffer.from(bytes));
  const metadata = {
    'x-amz-meta-oj-rec': String(pending?.seq),
    ...(second === undefined ? { 'x-amz-meta-oj-deleted': '1' } : { 'x-amz-meta-sha256': second }),
  };
  Object.assign(store.bucket.objects.get(key)?.headers ?? {}, metadata);
  return store;
}

describe('an object with the metadata of an unfinished change but with other bytes', () => {
  test('does not count as the result of that change, and a write with an old expected hash is rejected', async () => {
    const store = await storeWithDeadWriter('second', 'forged');
    const other = await store.open();
    const stale = other.journal(book).change({
      place,
      bytes: Buffer.from('third'),
      author,
      decide: current => {
        if (current !== sha256Of('second')) throw new Error(`conflict with ${current}`);
      },
    });
    await expect(stale).rejects.toThrow(`conflict with ${sha256Of('forged')}`);
    expect(store.bucket.objects.get(key)?.bytes.toString()).toBe('forged');
    expect((await write(other, 'fourth')).previous).toBe(sha256Of('forged'));
    expect(await faultsOf(store, [])).toEqual([]);
  });

  test('is read as a file although its metadata says that it represents a deleted file', async () => {
    const store = await storeWithDeadWriter(undefined, 'forged');
    const other = await store.open();
    expect((await other.storage.read(key, 100))?.bytes.toString()).toBe('forged');
    expect((await write(other, 'fourth')).previous).toBe(sha256Of('forged'));
    expect(await faultsOf(store, [])).toEqual([]);
  });
});

test('the next writer commits the unfinished change of a dead writer if the object has the bytes of the change', async () => {
  const store = await storeWithDeadWriter('second', 'second');
  const other = await store.open();
  expect((await write(other, 'third')).previous).toBe(sha256Of('second'));
  expect(await faultsOf(store, [])).toEqual([]);
});

test('the next writer commits the unfinished deletion of a dead writer if the object is empty', async () => {
  const store = await storeWithDeadWriter(undefined, '');
  const other = await store.open();
  expect((await write(other, 'third')).previous).toBeUndefined();
  expect(await faultsOf(store, [])).toEqual([]);
});
