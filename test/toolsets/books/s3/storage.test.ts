import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createArchiveDeletion } from '../../../../src/toolsets/books/library/expired-archives.ts';
import type { StoredObject } from '../../../support/bucket/objects.ts';
import { openStore } from './support.ts';

function object(text: string | Buffer, facts: Partial<StoredObject> = {}): StoredObject {
  return { bytes: Buffer.from(text), etag: `"${text.length}"`, modifiedMs: 1_700_000_000_000, headers: {}, ...facts };
}

describe('the books in a bucket', () => {
  test('are the folders that contain a file or an object that represents a folder', async () => {
    const { bucket, open } = await openStore();
    bucket.objects.set('lib/books/one/content/a.md', object('a'));
    bucket.objects.set('lib/books/two/', object(''));
    bucket.objects.set('lib/books/stray.md', object('x'));
    bucket.objects.set('books/elsewhere/a.md', object('x'));
    const { storage } = await open('lib/');
    expect((await storage.foldersIn('books')).sort()).toEqual(['one', 'two']);
    expect([await storage.hasBook('one'), await storage.hasBook('on'), await storage.hasBook('two')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await storage.list('books/two')).toEqual([]);
    expect(await storage.list('books/none')).toBeUndefined();
  });

  test('are listed page by page in the byte order of their keys', async () => {
    const { bucket, open } = await openStore();
    const names = Array.from({ length: 2345 }, (_, index) => `books/b/content/${String(index).padStart(5, '0')}.md`);
    for (const name of names.toReversed()) bucket.objects.set(name, object('x'));
    const { storage } = await open();
    expect((await storage.list('books/b'))?.map(({ key }) => key)).toEqual(names);
    expect(bucket.requests).toHaveLength(3);
  });

  test.each(['books/b/a//b.md', 'books/b/../c.md', 'books/b/./c.md', 'books/b/c\u0007.md', 'books/b/c\\d.md'])(
    'are listed with the invalid key %j, which is marked as unreadable and not requested',
    async key => {
      const { bucket, open } = await openStore();
      bucket.objects.set(key, object('x'));
      const { storage } = await open();
      expect(await storage.list('books/b')).toMatchObject([{ key, kind: 'other', unreadable: expect.any(String) }]);
    },
  );

  test.each([{}, { listsPlainly: true }])(
    'can have names with any characters in a store with the property %j',
    async weakness => {
      const names = ['a b.md', 'a+b.md', 'a%20b.md', 'a&b<c>.md', 'é".md']
        .map(name => `books/b/content/${name}`)
        .toSorted();
      const { bucket, open } = await openStore({ weakness });
      for (const name of names) bucket.objects.set(name, object('x'));
      const { storage } = await open();
      expect((await storage.list('books/b'))?.map(({ key }) => key).toSorted()).toEqual(names);
    },
  );

  test.each(['../x', 'books//x', 'books/./x', 'books/x\0'])('cannot be read with the invalid key %j', async key => {
    const { storage } = await (await openStore()).open();
    await expect(storage.read(key, 10)).rejects.toMatchObject({ report: { code: 'INVALID_PATH' } });
  });

  test('are read from the cache until they change', async () => {
    const { bucket, open } = await openStore();
    bucket.objects.set('books/b/a.md', object('one'));
    const { storage } = await open();
    const [entry] = (await storage.list('books/b')) ?? [];
    if (entry === undefined) throw new Error('nothing is listed');
    await storage.read(entry, 10);
    bucket.requests.length = 0;
    expect((await storage.read(entry, 10))?.bytes.toString()).toBe('one');
    expect(await storage.hash(entry)).toHaveLength(64);
    expect(bucket.requests).toEqual([]);
    bucket.objects.set('books/b/a.md', object('changed'));
    expect((await storage.read('books/b/a.md', 10))?.bytes.toString()).toBe('changed');
  });
});

describe('an upload URL', () => {
  const upload = {
    place: { book: 'b', path: 'static/videos/a.mp4', user: undefined },
    size: 11,
    mimeType: 'video/mp4',
    seconds: 60,
  };
  const send = async ({ url, headers }: { url: string; headers: object }, body: string): Promise<number> => {
    const answer = await fetch(url, { method: 'PUT', body, headers: { ...headers } });
    await answer.text();
    return answer.status;
  };

  test('accepts one upload of the file', async () => {
    const { bucket, open } = await openStore();
    const offer = await (await open()).offer?.(upload, new AbortController().signal);
    if (offer === undefined) throw new Error('nothing is offered');
    expect([await send(offer, 'hello world'), await send(offer, 'hello again')]).toEqual([200, 412]);
    expect(bucket.objects.get('books/b/static/videos/a.mp4')).toMatchObject({ bytes: Buffer.from('hello world') });
  });

  test('expires together with the credentials, and the result states this', async () => {
    const { env, bucket, open } = await openStore({ clock: () => Date.UTC(2026, 0), now: () => Date.UTC(2026, 0) });
    const { accessKeyId, secretAccessKey } = bucket.customer;
    const said = { Version: 1, AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey };
    const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const answer = path.join(folder, 'answer.json');
    writeFileSync(answer, JSON.stringify({ ...said, Expiration: '2026-01-01T00:10:00Z' }));
    const config = path.join(folder, 'config');
    const command = `node -p "fs.readFileSync('${answer.replaceAll('\\', '/')}', 'utf8')"`;
    writeFileSync(config, `[default]\ncredential_process = ${command}\n`);
    delete env['AWS_ACCESS_KEY_ID'];
    delete env['AWS_SECRET_ACCESS_KEY'];
    Object.assign(env, { AWS_CONFIG_FILE: config, AWS_SHARED_CREDENTIALS_FILE: path.join(folder, 'none') });
    const offer = await (await open()).offer?.({ ...upload, seconds: 3600 }, new AbortController().signal);
    expect(offer).toMatchObject({ seconds: 600, expiresMs: Date.UTC(2026, 0, 1, 0, 10) });
    expect(offer?.url).toContain('X-Amz-Expires=600&');
  });

  test('replaces the object that existed when the URL was requested, but no object that was written later', async () => {
    const { bucket, open } = await openStore();
    bucket.objects.set('books/b/static/videos/a.mp4', object('old'));
    const backend = await open();
    const first = await backend.offer?.(upload, new AbortController().signal);
    const second = await backend.offer?.(upload, new AbortController().signal);
    if (first === undefined || second === undefined) throw new Error('nothing is offered');
    expect([await send(first, 'hello world'), await send(second, 'hello again')]).toEqual([200, 412]);
  });
});

describe('an archive in a bucket', () => {
  beforeEach(() => {
    const own = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
    vi.stubEnv('TMPDIR', own);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(own, { recursive: true });
    });
  });

  test.each([10, (8 << 20) + 1, 20 << 20])(
    'is stored completely in one or several parts if it has %i bytes',
    async size => {
      const { bucket, open } = await openStore();
      const store = await open();
      const bytes = randomBytes(size);
      const archive = await store.createArchive('a.zip.part');
      writeSync(archive.descriptor, bytes);
      await archive.finish('a.zip');
      expect(bucket.objects.get('archives/a.zip')?.bytes.equals(bytes)).toBe(true);
      expect([bucket.uploads.size, leftFolders()]).toEqual([0, []]);
    },
  );

  test('leaves no uploaded parts if one part is rejected', async () => {
    const { bucket, open } = await openStore({
      mishap: method => (method === 'PUT' ? { kind: 'refuse', status: 403, code: 'AccessDenied' } : undefined),
    });
    const archive = await (await open()).createArchive('a.zip.part');
    writeSync(archive.descriptor, Buffer.alloc(9 << 20));
    await expect(archive.finish('a.zip')).rejects.toThrow('AccessDenied');
    await archive.discard(); // the second call must not close the descriptor again, which another file may use
    expect([bucket.uploads.size, bucket.objects.size, leftFolders()]).toEqual([0, 0, []]);
  });

  test('is stored although another upload of an archive is in progress', async () => {
    let left = 2;
    const { bucket, open } = await openStore({
      mishap: method =>
        method === 'PUT' && left-- > 0 ? { kind: 'refuse', status: 409, code: 'OperationAborted' } : undefined,
    });
    const archive = await (await open()).createArchive('a.zip.part');
    writeSync(archive.descriptor, Buffer.from('zip'));
    await archive.finish('a.zip');
    expect(bucket.objects.get('archives/a.zip')?.bytes.toString()).toBe('zip');
  });

  test('is deleted after its expiry, while other objects stay', async () => {
    const { bucket, open } = await openStore();
    const end = (ms: number): string => `archives/b-2026-01-01-0123456789abcdef-${Date.now() + ms}.zip`;
    const [old, young] = [end(-1000), end(60_000)];
    for (const key of [old, young, 'archives/mine.zip']) bucket.objects.set(key, object('zip'));
    await createArchiveDeletion(await open(), new Map(), Date.now)();
    expect([...bucket.objects.keys()]).toEqual([young, 'archives/mine.zip']);
  });

  test('is not deleted too early by another server whose clock is wrong', async () => {
    const clock = (): number => Date.now() + 7_200_000;
    const { bucket, open } = await openStore({ clock });
    const young = `archives/b-2026-01-01-0123456789abcdef-${Date.now() + 3_600_000}.zip`;
    bucket.objects.set(young, object('zip'));
    await createArchiveDeletion(await open(), new Map(), clock)();
    expect([...bucket.objects.keys()]).toEqual([young]);
  });
});

function leftFolders(): string[] {
  return readdirSync(tmpdir());
}
