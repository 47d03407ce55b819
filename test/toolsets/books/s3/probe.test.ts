import { describe, expect, test } from 'vitest';
import type { Weakness } from '../../../support/bucket/objects.ts';
import { openStore } from './support.ts';

const place = { book: 'a-book', path: 'content/01-A/01-B/01-c.md', user: undefined };
const author = { agent: 'tester', operation: 'write_content' };

/**
 * Writes a lesson to a store with faults. Returns the error, the stored lesson and the temporary objects that remain.
 */
async function write(weakness: Weakness) {
  const { bucket, open } = await openStore({ weakness });
  const log = (await open()).journal('a-book');
  const change = log.change({ place, bytes: Buffer.from('text'), author, decide: current => current });
  const said = await change.then(
    () => undefined,
    (error: unknown) => String(error),
  );
  const lesson = bucket.objects.get(`books/a-book/${place.path}`)?.bytes.toString();
  return { said, lesson, left: [...bucket.objects.keys()].filter(key => key.includes('/probe/')) };
}

describe('an object store, which the server tests before its first write,', () => {
  test('is writable if it supports conditional writes', async () => {
    expect(await write({})).toEqual({ said: undefined, lesson: 'text', left: [] });
  });

  test('is writable if it accepts only ETags without quotation marks', async () => {
    expect(await write({ wantsBareTags: true })).toEqual({ said: undefined, lesson: 'text', left: [] });
  });

  test('receives ETags without quotation marks in all later requests if it requires them', async () => {
    const { bucket, open } = await openStore({ weakness: { wantsBareTags: true } });
    const backend = await open();
    const video = { book: 'a-book', path: 'static/videos/a.mp4', user: undefined };
    bucket.put(`books/a-book/${place.path}`, Buffer.from('old'));
    bucket.put(`books/a-book/${video.path}`, Buffer.from('old'));
    await backend.journal('a-book').change({ place, bytes: Buffer.from('new'), author, decide: () => undefined });
    const upload = { place: video, size: 3, mimeType: 'video/mp4', seconds: 60 };
    const offer = await backend.offer?.(upload, new AbortController().signal);
    const answer = await fetch(offer?.url ?? '', { method: 'PUT', body: 'new', headers: { ...offer?.headers } });
    await answer.text();
    const texts = [place, video].map(({ path }) => bucket.objects.get(`books/a-book/${path}`)?.bytes.toString());
    expect([answer.status, ...texts]).toEqual([200, 'new', 'new']);
  });

  test('is read-only if it accepts no form of ETags', async () => {
    const { open } = await openStore({
      mishap: (_, __, { headers }) =>
        'if-match' in headers ? { kind: 'refuse', status: 412, code: 'PreconditionFailed' } : undefined,
    });
    const log = (await open()).journal('a-book');
    const change = log.change({ place, bytes: Buffer.from('x'), author, decide: () => undefined });
    await expect(change).rejects.toThrow('rejects changes of an object that it has just written');
  });

  test.each<[Weakness, string]>([
    [{ ignoresIfNoneMatch: true }, 'it overwrites an object that must not exist'],
    [{ ignoresIfMatch: true }, 'it overwrites an object that has changed'],
    [{ createsOnIfMatch: true }, 'it creates an object that must already exist'],
    [{ hasNoConditions: true }, 'it does not implement them (501 NotImplemented)'],
    [{ createsTwice: key => key.endsWith('-race') }, 'it lets several writers create one object'],
    [{ createsTwice: key => key.endsWith('-second-race') }, 'it lets several writers create one object'],
  ])('is read-only if it has the fault %o', async (weakness, reason) => {
    const said = `Failure: The library is read-only: the object store does not support conditional writes: ${reason}.`;
    expect(await write(weakness)).toEqual({ said, lesson: undefined, left: [] });
  });

  test('offers no upload URL without conditional writes', async () => {
    const { open } = await openStore({ weakness: { ignoresIfMatch: true } });
    const upload = { place, size: 3, mimeType: 'video/mp4', seconds: 60 };
    const offer = (await open()).offer?.(upload, new AbortController().signal);
    await expect(offer).rejects.toThrow('The library is read-only: ');
  });

  test('stays writable if it rejects a single key with status 403', async () => {
    let isRefused = true;
    const { open } = await openStore({
      mishap: method => (isRefused && method === 'PUT' ? { kind: 'refuse', status: 403, code: 'Expired' } : undefined),
    });
    const log = (await open()).journal('a-book');
    const change = async () => await log.change({ place, bytes: Buffer.from('x'), author, decide: () => 'made' });
    await expect(change()).rejects.toThrow('403 Expired');
    isRefused = false;
    expect(await change()).toMatchObject({ decision: 'made' });
  });

  test('is read-only if the credentials lack write permission', async () => {
    const { open } = await openStore({
      mishap: method => (method === 'PUT' ? { kind: 'refuse', status: 403, code: 'AccessDenied' } : undefined),
    });
    const log = (await open()).journal('a-book');
    const change = log.change({ place, bytes: Buffer.from('x'), author, decide: () => undefined });
    await expect(change).rejects.toThrow(
      /^The library is read-only: The object store rejects requests for s3:.*AccessDenied/,
    );
  });
});
