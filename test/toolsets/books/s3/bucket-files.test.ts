import { describe, expect, test } from 'vitest';
import type { FileStorage, StorageEntry } from '../../../../src/toolsets/books/storage/file-storage.ts';
import { sha256 } from '../support/library.ts';
import { openStore, type Store } from './support.ts';

const key = 'books/b/content/a.md';
/** The size of the cache for files in these tests, in bytes. A file of more than an eighth of it is not cached. */
const cacheBytes = 1 << 20;

async function openFiles(
  objects: Readonly<Record<string, string | Buffer>>,
): Promise<Store & { storage: FileStorage }> {
  const store = await openStore();
  for (const [name, bytes] of Object.entries(objects)) store.bucket.put(name, Buffer.from(bytes), 1_700_000_000_000);
  const { storage } = await store.open();
  store.bucket.requests.length = 0;
  return { ...store, storage };
}

/** Returns the requests of a call, and forgets them. */
async function requestsOf({ bucket }: Store, call: Promise<unknown>): Promise<string[]> {
  bucket.requests.length = 0;
  await call;
  return bucket.requests.splice(0);
}

async function entryOf(storage: FileStorage, name = key): Promise<StorageEntry> {
  const entry = (await storage.list('books/b'))?.find(item => item.key === name);
  if (entry === undefined) throw new Error('nothing is listed');
  return entry;
}

describe('the address of an object', () => {
  test.each([
    ['without a file name', { seconds: 60 }, [null, '60']],
    ['with a file name', { seconds: 60, name: 'a.zip' }, ['attachment; filename="a.zip"', '60']],
    ['for seven days', { seconds: 604_800 }, [null, '604800']],
    ['for more than seven days', { seconds: 604_801 }, [null, '604800']],
    ['for a list', { seconds: 60, isListed: false }, [null, '60']],
  ])('%s has these parameters', async (_, options, expected) => {
    const { storage } = await openFiles({});
    const { searchParams } = new URL((await storage.address(key, options)).url);
    expect([searchParams.get('response-content-disposition'), searchParams.get('X-Amz-Expires')]).toEqual(expected);
  });

  test('in a list of many objects has no signature', async () => {
    const { storage } = await openFiles({});
    expect(await storage.address(key, { seconds: 60, isListed: true })).toEqual({ url: `s3://library/${key}` });
  });

  test('is not created for an invalid key', async () => {
    const { storage } = await openFiles({});
    await expect(storage.address('../a.md', { seconds: 60 })).rejects.toMatchObject({
      report: { code: 'INVALID_PATH' },
    });
  });
});

describe('a file in a bucket', () => {
  test.each([
    [0, 0],
    [1, 0],
    [cacheBytes / 8, 0],
    [cacheBytes / 8 + 1, 1],
  ])('of %i bytes from a listing is requested %i times when it is read again', async (size, count) => {
    const store = await openFiles({ [key]: Buffer.alloc(size, 'a') });
    const entry = await entryOf(store.storage);
    const first = await store.storage.read(entry, cacheBytes);
    first?.bytes.fill('b');
    const again = store.storage.read(entry, cacheBytes);
    expect(await requestsOf(store, again)).toHaveLength(count);
    // The cache has its own copy, because a caller may change or transfer the bytes.
    expect((await again)?.bytes.equals(Buffer.alloc(size, 'a'))).toBe(true);
    expect(await again).toMatchObject({ hash: sha256(Buffer.alloc(size, 'a')), modified: new Date(1_700_000_000_000) });
  });

  test('is requested with the version in the cache if only its key is known', async () => {
    const store = await openFiles({ [key]: 'one' });
    const { storage, bucket } = store;
    const read = async () => (await storage.read(key, 10))?.bytes.toString();
    expect([await read(), await read()]).toEqual(['one', 'one']);
    bucket.put(key, Buffer.from('two'));
    expect([await read(), await read()]).toEqual(['two', 'two']);
    bucket.objects.delete(key);
    expect(await read()).toBeUndefined();
    bucket.put(key, Buffer.from('two'));
    expect([await read(), bucket.requests.length]).toEqual(['two', 6]);
  });

  test.each([
    [3, 'one'],
    [2, undefined],
  ])('of 3 bytes is read with a limit of %i bytes', async (maxBytes, expected) => {
    const { storage } = await openFiles({ [key]: 'one' });
    const read = storage.read(key, maxBytes).then(
      file => file?.bytes.toString(),
      () => undefined,
    );
    expect(await read).toBe(expected);
  });

  test('has the size, the version and the date of its object', async () => {
    const { storage } = await openFiles({ [key]: 'one' });
    const entry = await storage.stat(key);
    const modified = new Date(1_700_000_000_000);
    expect(entry).toEqual({
      key,
      kind: 'file',
      size: 3,
      version: entry?.tag,
      tag: expect.any(String),
      modified,
      arrived: modified,
    });
    expect(await entryOf(storage)).toMatchObject({ key, size: 3, version: entry?.version, modified });
    expect(await storage.stat(`${key}.gone`)).toBeUndefined();
  });

  test('is hashed once for each version', async () => {
    const store = await openFiles({ [key]: 'one' });
    const { storage, bucket } = store;
    const entry = await entryOf(storage);
    expect(await requestsOf(store, storage.hash(entry))).toEqual([`GET ${key}`]);
    expect(await requestsOf(store, storage.hash(entry))).toEqual([]);
    expect(await requestsOf(store, storage.hash(key))).toEqual([`HEAD ${key}`]);
    expect(await storage.hash(key)).toBe(sha256('one'));
    bucket.put(key, Buffer.from('two'));
    expect([await storage.hash(key), await storage.hash(`${key}.gone`)]).toEqual([sha256('two'), undefined]);
    // The object was deleted after it was listed.
    const gone = await entryOf(storage);
    bucket.objects.delete(key);
    expect(await storage.hash({ ...gone, version: 'other' })).toBeUndefined();
  });

  test('that marks a deletion is missing only if it is empty', async () => {
    const { storage, bucket } = await openFiles({ [key]: '', 'books/b/c.md': 'c' });
    for (const name of [key, 'books/b/c.md'])
      Object.assign(bucket.objects.get(name)?.headers ?? {}, { 'x-amz-meta-oj-deleted': '1' });
    const read = async (name: string) => (await storage.read(name, 10))?.bytes.toString();
    expect([await read(key), await read('books/b/c.md')]).toEqual([undefined, 'c']);
    expect([await storage.stat(key), (await storage.stat('books/b/c.md'))?.size]).toEqual([undefined, 1]);
    expect([await storage.stream(key), (await storage.stream('books/b/c.md'))?.size]).toEqual([undefined, 1]);
  });

  test.each([
    [3, true],
    [4, false],
  ])('is streamed completely although its download is interrupted %i times: %s', async (cuts, isComplete) => {
    const bytes = Buffer.alloc(500_000, 'abc');
    const { storage, bucket } = await openFiles({ [key]: bytes });
    bucket.cutBodiesAt = Array.from({ length: cuts }, () => 1000);
    const read = storage.read(key, bytes.length).then(
      file => file?.bytes.equals(bytes),
      () => false,
    );
    expect([await read, bucket.requests.length]).toEqual([isComplete, 4]);
  });
});

test('a listing requests one object to find a book, and folders or the keys after a cursor on request', async () => {
  const queries: string[] = [];
  const { open } = await openStore({
    mishap: (_, __, { query }) => {
      queries.push([...query].map(([name, value]) => `${name}=${value}`).join(' '));
      return undefined;
    },
  });
  const { storage } = await open('lib/');
  await storage.hasBook('b');
  await storage.foldersIn('books');
  await storage.list('books/b', undefined, 'books/b/a');
  await storage.list('books/b');
  const common = 'encoding-type=url list-type=2';
  expect(queries.map(query => query.split(' ').sort().join(' '))).toEqual([
    `${common} max-keys=1 prefix=lib/books/b/`,
    `delimiter=/ ${common} prefix=lib/books/`,
    `${common} prefix=lib/books/b/ start-after=lib/books/b/a`,
    `${common} prefix=lib/books/b/`,
  ]);
});

describe('a book in a bucket', () => {
  test.each<[string, (storage: FileStorage) => Promise<unknown>]>([
    ['its existence was tested', async storage => await storage.hasBook('b')],
    ['it was listed', async storage => await storage.list('books/b')],
    ['a folder of it was listed', async storage => await storage.list('books/b/content')],
    ['a file of it was found', async storage => await storage.stat(key)],
    ['a file of it was read', async storage => await storage.read(key, 10)],
    ['a file of it was streamed', async storage => await storage.stream(key).then(async file => await file?.close())],
  ])('exists without a request after %s, if the result may be old', async (_, see) => {
    const store = await openFiles({ [key]: 'one' });
    const { storage } = store;
    const hasBook = async (withinMs?: number) => await requestsOf(store, storage.hasBook('b', withinMs));
    await see(storage);
    expect([await storage.hasBook('b', Infinity), await storage.hasBook('b')]).toEqual([true, true]);
    expect([await hasBook(Infinity), await hasBook(60_000), await hasBook(0), await hasBook()]).toEqual([
      [],
      [],
      ['GET ?books/b/'],
      ['GET ?books/b/'],
    ]);
    expect(await requestsOf(store, storage.hasBook('c', Infinity))).toHaveLength(1);
  });

  test('is not known to exist after a test that found nothing', async () => {
    const store = await openFiles({});
    const { storage, bucket } = store;
    expect([await storage.hasBook('b'), await storage.list('books/b'), await storage.stat(key)]).toEqual([
      false,
      undefined,
      undefined,
    ]);
    bucket.put(key, Buffer.from('x'));
    expect([await storage.hasBook('b', Infinity), bucket.requests.length]).toEqual([true, 4]);
  });

  test('is listed after a key, and an empty rest does not mean that it is missing', async () => {
    const { storage } = await openFiles({ [key]: 'a', 'books/b/content/b.md': 'b' });
    const list = async (after?: string) => (await storage.list('books/b', undefined, after))?.map(item => item.key);
    expect([await list(), await list(''), await list(key), await list('books/b/z')]).toEqual([
      [key, 'books/b/content/b.md'],
      [key, 'books/b/content/b.md'],
      ['books/b/content/b.md'],
      [],
    ]);
    expect(await storage.list('books/c', undefined, '')).toBeUndefined();
  });
});

test('the unreadable files of a bucket are those that are listed as unreadable', async () => {
  const { storage } = await openFiles({ [key]: 'a', 'books/b//x': 'x' });
  const entries = (await storage.list('books/b')) ?? [];
  expect((await storage.readErrors(entries)).map(error => error !== undefined)).toEqual([true, false]);
  expect([storage.isRemote, storage.backend]).toEqual([true, 's3']);
});
