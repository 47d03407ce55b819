import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Mishap } from '../../../support/bucket/server.ts';
import { openStore } from './support.ts';

const key = 'books/b/content/01-A/01-B/01-c.md';

describe('the S3 client', () => {
  test.each([
    'plain.md',
    'a b+c&d=e.md',
    "it's (50%) *new*!.md",
    '日本語 é.md',
    'semi;colon,comma@at:$~.md',
    '%2F%41.md',
    '..md',
  ])('signs requests, reads, lists and presigns correctly for the object name %j', async name => {
    const { bucket, open } = await openStore();
    const { storage } = await open('some prefix/');
    bucket.objects.set(`some prefix/books/b/content/${name}`, {
      bytes: Buffer.from('x'),
      etag: '"1"',
      modifiedMs: 0,
      headers: {},
    });
    expect((await storage.read(`books/b/content/${name}`, 10))?.bytes.toString()).toBe('x');
    expect((await storage.list('books/b'))?.map(entry => entry.key)).toEqual([`books/b/content/${name}`]);
    const { url } = await storage.address(`books/b/content/${name}`, { seconds: 60, name: 'a b.md' });
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, 'attachment; filename="a b.md"']);
    await answer.arrayBuffer();
  });

  test('sends the session token of temporary credentials in headers and presigned URLs', async () => {
    const { bucket, env, open } = await openStore({
      customer: { accessKeyId: 'ASIA', secretAccessKey: 'secret', sessionToken: 'to/ke+n==', region: 'eu-central-1' },
    });
    env['AWS_SESSION_TOKEN'] = 'to/ke+n==';
    bucket.objects.set(key, { bytes: Buffer.from('x'), etag: '"1"', modifiedMs: 0, headers: {} });
    const { storage } = await open();
    expect((await storage.read(key, 10))?.bytes.toString()).toBe('x');
    const answer = await fetch((await storage.address(key, { seconds: 60 })).url);
    expect([answer.status, await answer.text()]).toEqual([200, 'x']);
  });

  test.each([
    ['500', 500, 'InternalError'],
    ['502', 502, ''],
    ['503 SlowDown', 503, 'SlowDown'],
    ['504', 504, ''],
    ['400 RequestTimeout', 400, 'RequestTimeout'],
  ])('retries a request after the response %s', async (_, status, code) => {
    let left = 2;
    const { open } = await openStore({ mishap: () => (left-- > 0 ? { kind: 'refuse', status, code } : undefined) });
    const { storage } = await open();
    expect(await storage.read(key, 10)).toBeUndefined();
  });

  test('retries a request after a broken connection', async () => {
    const mishaps: (Mishap | undefined)[] = [{ kind: 'drop' }, { kind: 'drop' }];
    const { bucket, open } = await openStore({ mishap: () => mishaps.shift() });
    const { storage } = await open();
    expect(await storage.stat(key)).toBeUndefined();
    expect(bucket.requests.length).toBeGreaterThan(1);
  });

  test('fails after three retries with a clear error', async () => {
    const { bucket, open } = await openStore({ mishap: () => ({ kind: 'refuse', status: 503, code: 'SlowDown' }) });
    const { storage } = await open();
    await expect(storage.stat(key)).rejects.toThrow('The object store is busy or reports an error (503).');
    expect(bucket.requests).toHaveLength(4);
  });

  test('returns a presigned URL with the requested validity and its expiry time', async () => {
    const now = Date.now();
    const { open } = await openStore({ clock: () => now });
    const { storage } = await open();
    const { url, expiresMs } = await storage.address(key, { seconds: 7200 });
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('7200');
    expect(expiresMs).toBe(now + 7_200_000);
  });

  test('corrects the time of its signatures once if the Date header of the store shows that the clock is wrong', async () => {
    const { bucket, open } = await openStore({ clock: () => Date.now() - 3_600_000 });
    const { storage } = await open();
    expect(await storage.hasBook('b')).toBe(false);
    expect(await storage.hasBook('b')).toBe(false);
    expect(bucket.requests).toHaveLength(3);
  });

  test.each([
    [{ AWS_SECRET_ACCESS_KEY: 'wrong' }, 'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY'],
    [{ AWS_ACCESS_KEY_ID: 'unknown' }, 'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY'],
  ])('names the variables to check when the store rejects the credentials', async (wrong, suggestion) => {
    const { env, open } = await openStore();
    Object.assign(env, wrong);
    const { storage } = await open();
    await expect(storage.read(key, 10)).rejects.toMatchObject({
      report: { code: 'UNAVAILABLE', suggestion: expect.stringContaining(suggestion) },
    });
  });

  test('resumes an interrupted download after the last byte that it received', async () => {
    const { bucket, open } = await openStore();
    const bytes = Buffer.alloc(3 << 20, 'abcdefg');
    bucket.objects.set(key, { bytes, etag: '"1"', modifiedMs: 0, headers: {} });
    bucket.cutBodiesAt = [1 << 20, 1 << 19];
    const { storage } = await open();
    expect((await storage.read(key, bytes.length))?.bytes.equals(bytes)).toBe(true);
  });

  test('rejects a resumed download if the object has changed', async () => {
    const { bucket, open } = await openStore({
      mishap: () => {
        if (bucket.requests.length === 2) {
          bucket.objects.set(key, { bytes: Buffer.alloc(3 << 20), etag: '"2"', modifiedMs: 0, headers: {} });
        }
        return undefined;
      },
    });
    bucket.objects.set(key, { bytes: Buffer.alloc(3 << 20, 1), etag: '"1"', modifiedMs: 0, headers: {} });
    bucket.cutBodiesAt = [1 << 20];
    const { storage } = await open();
    await expect(storage.read(key, 3 << 20)).rejects.toThrow('was changed while it was read');
  });

  test('rejects an object above the size limit without reading its body', async () => {
    const { bucket, open } = await openStore();
    bucket.objects.set(key, { bytes: Buffer.alloc(1 << 20), etag: '"1"', modifiedMs: 0, headers: {} });
    const { storage } = await open();
    await expect(storage.read(key, 1000)).rejects.toMatchObject({ report: { code: 'TOO_LARGE' } });
  });

  test.each(['numbers', 'always the same id'])(
    'ignores a duplicated response of an earlier request (request ids: %s)',
    async how => {
      const { bucket, open } = await openStore({
        ...(how !== 'numbers' && { requestId: () => 'the same' }),
        mishap: (_, name) => (how === 'numbers' && name === key ? { kind: 'double' } : undefined),
      });
      bucket.put(key, Buffer.from('x'));
      const { storage } = await open();
      for (let count = 0; count < 5; count++) {
        const [there, gone] = [await storage.stat(key), await storage.stat(`${key}.gone`)];
        expect([there?.size, gone]).toEqual([1, undefined]);
      }
    },
  );

  test('aborts the HTTP request when the caller cancels', async () => {
    const { open } = await openStore({ mishap: () => ({ kind: 'delay', ms: 60_000 }) });
    const { storage } = await open();
    const controller = new AbortController();
    const stat = storage.stat(key, controller.signal);
    controller.abort(new Error('given up'));
    await expect(stat).rejects.toThrow('given up');
  });

  test('removes its timer and its listener for a cancelled call after each response', async () => {
    const { bucket, open } = await openStore();
    bucket.put(key, Buffer.from('x'));
    const { storage } = await open();
    const { signal } = new AbortController();
    const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    await storage.stat(key, signal);
    const before = timers();
    for (let count = 0; count < 20; count++) await storage.stat(key, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(timers()).toBeLessThan(before + 20);
  });
});
