import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { importBook } from '../../../../src/toolsets/books/authoring/import-book.ts';
import { BookFiles } from '../../../../src/toolsets/books/library/book-files.ts';
import { BookHistory } from '../../../../src/toolsets/books/library/history.ts';
import { sha256Of } from '../../../../src/toolsets/books/model/hash.ts';
import type { StorageBackend } from '../../../../src/toolsets/books/storage/storage-backend.ts';
import type { Mishap } from '../../../support/bucket/server.ts';
import { book, placeOf, write } from './journal.ts';
import { openStore, type Store } from './support.ts';

const { signal } = new AbortController();
const isSegment = (method: string, name: string): boolean => method === 'PUT' && name.includes('/journal/');
const forbidden: Mishap = { kind: 'refuse', status: 403, code: 'AccessDenied' };

/** Opens a store with lessons whose writers could not append their commit records. The store rejects journal segments. */
async function openUnfinished(): Promise<{
  store: Store;
  onRequest: { mishap: (name: string) => Mishap | undefined };
}> {
  const onRequest: { mishap: (name: string) => Mishap | undefined } = { mishap: () => undefined };
  const numbers = [1, 2, 3];
  let rejected = 0;
  const store = await openStore({
    mishap: (method, name) => {
      const mishap = isSegment(method, name) ? onRequest.mishap(name) : undefined;
      if (mishap !== undefined) rejected++;
      // The commit record of a change follows its object.
      if (method === 'PUT' && name.startsWith('books/') && rejected < numbers.length)
        onRequest.mishap = () => forbidden;
      return mishap;
    },
  });
  for (const number of numbers) {
    onRequest.mishap = () => undefined;
    await write(await store.open(), `lesson ${number}`, number);
    await expect.poll(() => rejected).toBe(number);
  }
  return { store, onRequest };
}

async function unfinishedChanges(backend: StorageBackend): Promise<number> {
  return (await backend.journal(book).peek()).open.size;
}

test('an import records the unfinished changes of an earlier import, also if all files are already imported', async () => {
  const { store, onRequest } = await openUnfinished();
  onRequest.mishap = () => undefined;
  const backend = await store.open();
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'page.md'), '# Page\n');
  const options = { folder, book, isConfirmed: true, isOverwriting: false, agent: 'tester', signal, write: () => {} };
  await importBook({ ...backend, files: new BookFiles(backend) }, options);
  expect(await unfinishedChanges(backend)).toBe(0);
});

describe('a scan of a book in a bucket', () => {
  test('records unfinished changes although this takes longer than the time limit for waiting', async () => {
    const { store, onRequest } = await openUnfinished();
    const backend = await store.open();
    const real = performance.now.bind(performance);
    let laterMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + laterMs);
    onTestFinished(() => clock.mockRestore());
    onRequest.mishap = () => {
      laterMs += 4000;
      return undefined;
    };
    const scan = await new BookHistory(backend, Date.now).scanFiles(book, signal);
    expect(laterMs).toBeGreaterThan(5000);
    expect([scan.journalError, await unfinishedChanges(backend)]).toEqual([undefined, 0]);
  });

  test('states that unfinished changes were not recorded if the store rejects the journal, and a later scan records them', async () => {
    const { store, onRequest } = await openUnfinished();
    const backend = await store.open();
    const history = new BookHistory(backend, Date.now);
    onRequest.mishap = () => forbidden;
    const scan = await history.scanFiles(book, signal);
    expect(scan.journalError).toContain('403 AccessDenied');
    expect([scan.files.length, await unfinishedChanges(backend)]).toEqual([3, 3]);
    onRequest.mishap = () => undefined;
    expect(await history.scanFiles(book, signal)).not.toHaveProperty('journalError');
    expect(await unfinishedChanges(backend)).toBe(0);
  });

  test('returns a change that another process makes during the scan with a later time than the scan, also if the journal cannot be written', async () => {
    let step: 'accept' | 'reject' | 'list' | 'hold' = 'accept';
    let change: () => Promise<unknown> = async () => undefined;
    const store = await openStore({
      mishap: (method, name, { query }) => {
        if (step === 'reject' && isSegment(method, name)) {
          step = 'list';
          return forbidden;
        }
        if (step === 'list' && query.get('prefix')?.startsWith('books/') === true) step = 'hold';
        else if (step === 'hold') {
          step = 'accept';
          return { kind: 'hold', until: change() };
        }
        return undefined;
      },
    });
    const writer = await store.open();
    await write(writer, 'old');
    const history = new BookHistory(await store.open(), Date.now);
    await history.scanFiles(book, signal);
    change = async () => {
      await write(writer, 'new');
      await writer.journal(book).peek(); // appends the commit record
    };
    step = 'reject';
    const { files, timeMs, journalError } = await history.scanFiles(book, signal);
    expect(journalError).toBeDefined();
    expect(files).toMatchObject([{ place: placeOf(1), hash: sha256Of(Buffer.from('new')) }]);
    expect(files[0]?.changedMs).toBeGreaterThan(timeMs);
  });
});
