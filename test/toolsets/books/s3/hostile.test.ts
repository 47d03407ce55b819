import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Reply } from '../../../support/bucket/objects.ts';
import type { Mishap } from '../../../support/bucket/server.ts';
import { book, faultsOf, placeOf, write } from './journal.ts';
import { openStore } from './support.ts';

const key = `books/${book}/${placeOf(1).path}`;
const refused = (status: number, code: string): Mishap => ({ kind: 'refuse', status, code });
const said = (reply: Reply): Mishap => ({ kind: 'answer', reply });

describe('a clock of the S3 client that is one hour wrong', () => {
  test('is corrected although the first error response of the store has no body', async () => {
    const { bucket, open } = await openStore({ clock: () => Date.now() - 3_600_000 });
    const { storage } = await open();
    expect(await storage.stat(key)).toBeUndefined();
    expect(bucket.requests).toHaveLength(2);
  });

  test('is reported if the correction does not help', async () => {
    const { open } = await openStore({ mishap: () => refused(403, 'RequestTimeTooSkewed') });
    await expect((await open()).storage.foldersIn('books')).rejects.toMatchObject({
      message: expect.stringContaining('The clocks of this machine and of the object store are too far apart'),
      report: { suggestion: 'The user can set the clock of this machine.' },
    });
  });
});

describe('credentials that expire while the server runs', () => {
  const ended = (_: string, __: string, { headers }: { headers: Record<string, string> }): Mishap | undefined =>
    headers['x-amz-security-token'] === 'old' ? refused(400, 'ExpiredToken') : undefined;

  test.each(['stat', 'books'] as const)('are read again, and the method "%s" then succeeds', async what => {
    const { bucket, env, open } = await openStore({ mishap: ended });
    env['AWS_SESSION_TOKEN'] = 'old';
    const { storage } = await open();
    await expect(what === 'stat' ? storage.stat(key) : storage.foldersIn('books')).rejects.toThrow(/400/);
    bucket.customer.sessionToken = 'new';
    env['AWS_SESSION_TOKEN'] = 'new';
    expect(await (what === 'stat' ? storage.stat(key) : storage.foldersIn('books'))).toEqual(
      what === 'stat' ? undefined : [],
    );
  });

  test('are reported if no new credentials are available', async () => {
    const { env, open } = await openStore({ mishap: ended });
    env['AWS_SESSION_TOKEN'] = 'old';
    await expect((await open()).storage.foldersIn('books')).rejects.toMatchObject({
      message: 'The credentials for the object store have expired (400 ExpiredToken).',
      report: { suggestion: expect.stringContaining('start the server with new ones') },
    });
  });
});

describe('a bucket that is deleted while the server runs', () => {
  test('is reported by every operation without endless retries', async () => {
    let isGone = false;
    const store = await openStore({ mishap: () => (isGone ? refused(404, 'NoSuchBucket') : undefined) });
    const backend = await store.open();
    await write(backend, 'one');
    isGone = true;
    store.bucket.requests.length = 0;
    await expect(write(backend, 'two')).rejects.toThrow('does not exist (404 NoSuchBucket)');
    await expect(backend.storage.read(key, 10)).rejects.toThrow('404 NoSuchBucket');
    await expect(backend.storage.foldersIn('books')).rejects.toThrow('404 NoSuchBucket');
    await expect(backend.journal(book).peek()).rejects.toThrow('404 NoSuchBucket');
    expect(store.bucket.requests.length).toBeLessThan(20);
    isGone = false;
    expect((await write(backend, 'three')).previous).toBeDefined();
    expect(await faultsOf(store, [])).toEqual([]);
  });
});

test('a write ends with BUSY after a limited number of requests if the store rejects each journal segment', async () => {
  const isSegment = (method: string, name: string): boolean => method === 'PUT' && name.includes('/journal/');
  const { bucket, open } = await openStore({
    mishap: (method, name) => (isSegment(method, name) ? refused(409, 'ConditionalRequestConflict') : undefined),
  });
  await expect(write(await open(), 'one')).rejects.toMatchObject({ report: { code: 'BUSY' } });
  expect(bucket.requests.length).toBeLessThan(60);
});

test('a write is not retried after its time limit, because another process may have completed or undone it', async () => {
  const real = performance.now.bind(performance);
  let laterMs = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => real() + laterMs);
  onTestFinished(() => now.mockRestore());
  const store = await openStore({
    mishap: (method, name) => {
      if (method !== 'PUT' || name !== key) return undefined;
      laterMs += 11_000;
      return refused(503, 'SlowDown');
    },
  });
  await expect(write(await store.open(), 'one')).rejects.toThrow('busy or reports an error (503 SlowDown)');
  expect(store.bucket.requests.filter(request => request === `PUT ${key}`)).toHaveLength(1);
});

test('the object store backend ignores objects that other programs have created inside a library', async () => {
  const store = await openStore();
  const early = await store.open();
  await write(early, 'one');
  await write(early, 'one', 2);
  for (const name of [
    `.oj-books/${book}/journal/000000000099.jsonl`,
    `.oj-books/${book}/journal/notes.txt`,
    `.oj-books/${book}/journal/000000000007.jsonl.bak`,
    `.oj-books/${book}/state/000000000001.jsonl.gz`,
    `.oj-books/${book}/state/999999999999.jsonl.gz`,
    `.oj-books/probe/left-over`,
    `books/${book}`,
    `books/${book}/`,
    `books/${book}//x.md`,
    `books/${book}/../x.md`,
    'books/',
    'archives/mine.zip',
  ]) {
    store.bucket.put(name, Buffer.from('{"not":"a record"}\n'));
  }
  const late = await store.open();
  const { previous } = await write(late, 'two');
  await write(early, 'three');
  await write(late, 'four');
  expect(previous).toBeDefined();
  expect(await faultsOf(store, [])).toEqual([]);
  expect(await late.storage.foldersIn('books')).toContain(book);
});

test('the object store backend rejects a key above the length limit without a request', async () => {
  const { bucket, open } = await openStore();
  const prefix = `${'p'.repeat(800)}/`;
  const { storage } = await open(prefix);
  const name = (bytes: number): string => `books/${'x'.repeat(bytes - prefix.length - 'books/'.length)}`;
  expect(await storage.stat(name(1024))).toBeUndefined();
  await expect(storage.stat(name(1025))).rejects.toMatchObject({
    report: { code: 'INVALID_PATH', message: expect.stringContaining('1025 bytes') },
  });
  await expect(storage.stat(name(1023).replace(/xx$/, 'éé'))).rejects.toThrow('1025 bytes');
  expect(bucket.requests).toHaveLength(1);
});

const begin = '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';
const row = '<Contents><Key>books/a-book/a.md</Key><ETag>"1"</ETag><Size>1</Size></Contents>';

test.each<[string, string]>([
  ['an empty body', ''],
  ['an HTML page', '<!DOCTYPE html><html><body>Sign in</body></html>'],
  ['random characters', '\u0000\u0001<<<>>>&&&'],
  ['a listing that is truncated within an element', `${begin}${row}<Contents><Key>books/a-b`],
  ['a listing that is truncated after an element', `${begin}${row}`],
  [
    'an incomplete listing without a continuation token',
    `${begin}<IsTruncated>true</IsTruncated>${row}</ListBucketResult>`,
  ],
  [
    'a listing whose continuation token never changes',
    `${begin}<IsTruncated>true</IsTruncated>${row}<NextContinuationToken>t</NextContinuationToken></ListBucketResult>`,
  ],
  ['an XML error document', '<Error><Code>InternalError</Code></Error>'],
])('the object store backend rejects %s as a listing', async (_, body) => {
  const { bucket, open } = await openStore({ mishap: () => said({ status: 200, body }) });
  const { storage } = await open();
  await expect(storage.list(`books/${book}`)).rejects.toMatchObject({
    message: expect.stringContaining('a listing that cannot be parsed'),
    report: { suggestion: expect.stringContaining('--books-s3-endpoint') },
  });
  expect(bucket.requests.length).toBeLessThan(3);
});

test('a listing of a bucket is rejected if a page is longer than any valid listing', async () => {
  const body = Buffer.alloc(17 << 20, ' ');
  const { open } = await openStore({ mishap: () => said({ status: 200, body }) });
  await expect((await open()).storage.foldersIn('books')).rejects.toThrow(
    'the response is longer than any valid response of an object store',
  );
});

test('the XML parser of listings does not expand entities of a document type', async () => {
  const bomb =
    '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>';
  const body = `${bomb}${begin}<Contents><Key>books/a-book/&c;.md</Key><ETag>"1"</ETag><Size>1</Size></Contents></ListBucketResult>`;
  const { open } = await openStore({ mishap: () => said({ status: 200, body }) });
  expect((await (await open()).storage.list(`books/${book}`))?.map(entry => entry.key)).toEqual([
    'books/a-book/&c;.md',
  ]);
});

test.each(['', '<EncodingType>url</EncodingType>'])(
  'keys are not URL-decoded if the store does not URL-encode its listings (with the element "%s")',
  async claim => {
    const body = `${begin}${claim}<Contents><Key>books/a-book/1+50%.md</Key><ETag>"1"</ETag><Size>1</Size></Contents></ListBucketResult>`;
    const { open } = await openStore({ mishap: () => said({ status: 200, body }) });
    expect((await (await open()).storage.list(`books/${book}`))?.map(entry => entry.key)).toEqual([
      'books/a-book/1+50%.md',
    ]);
  },
);

describe('an HTML page in place of a response of the object store', () => {
  const page = said({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' });

  test.each(['stat', 'read'] as const)('is not treated as an object by the method "%s"', async what => {
    const { open } = await openStore({ mishap: () => page });
    const { storage } = await open();
    await expect(what === 'stat' ? storage.stat(key) : storage.read(key, 100)).rejects.toThrow(
      'the response has no etag',
    );
  });

  test('does not confirm a change, and the change is rejected', async () => {
    let isPortal = false;
    const store = await openStore({ mishap: method => (isPortal && method === 'PUT' ? page : undefined) });
    const backend = await store.open();
    await write(backend, 'one');
    isPortal = true;
    await expect(write(backend, 'two')).rejects.toThrow('the response has no etag');
    isPortal = false;
    expect((await write(backend, 'three')).previous).toBeDefined();
    expect(await faultsOf(store, [])).toEqual([]);
  });
});
