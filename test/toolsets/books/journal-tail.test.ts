import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDiskBackend } from '../../../src/toolsets/books/library/library.ts';
import { firstChainHash, type JournalRecordDraft, JournalState } from '../../../src/toolsets/books/model/journal.ts';
import { JournalRecordChain } from '../../../src/toolsets/books/model/record-chain.ts';
import { formatSegmentFileName } from '../../../src/toolsets/books/model/segment.ts';
import { openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import { sha256, temporaryLibrary } from './support/library.ts';

const book = 'my-book';
const lesson = 'content/01-Part/01-Chapter/01-lesson.md';
const facts = { agent: 'ada', operation: 'read_content', user: '__base__', status: 'success' };
const note: JournalRecordDraft = { ...facts, kind: 'note', path: '', prev: null, new: null };
const found = (prev: string | null, next: string): JournalRecordDraft => ({
  ...facts,
  kind: 'external',
  path: lesson,
  prev,
  new: next,
});

/** Runs all pending microtasks, so that a read continues until it waits for the disk. */
async function untilDiskWait(): Promise<void> {
  for (let tick = 0; tick < 10_000; tick++) await Promise.resolve();
}

test('a reader of the journal misses no record when a writer starts a new segment during the read', async () => {
  using library = temporaryLibrary('disk');
  const chain = new JournalRecordChain(
    { state: new JournalState(), chain: firstChainHash },
    book,
    'fs',
    Date.UTC(2025, 0),
  );
  const [first, second] = [sha256('first'), sha256('second')];
  chain.add([found(null, first)]);
  const start = chain.bytes;
  chain.add(Array.from({ length: 6000 }, () => note));
  const full = chain.bytes;
  chain.add([found(first, second)]);
  const ended = chain.bytes;
  chain.add([note]);
  const segment = (number: number): string => `.oj-books/${book}/journal/${formatSegmentFileName(number)}`;
  library.put(segment(1), start);
  const backend = openDiskBackend(openLibraryRoot(library.root), Date.now);
  expect((await backend.journal(book).peek()).seq).toBe(1);
  const append = (bytes: Uint8Array): void => appendFileSync(path.join(library.root, segment(1)), bytes);
  append(full.subarray(start.length));
  const reading = backend.journal(book).peek();
  await untilDiskWait();
  append(ended.subarray(full.length));
  library.put(segment(2), chain.bytes.subarray(ended.length));
  await reading;
  const state = await backend.journal(book).peek();
  expect(state.seq).toBe(6003);
  expect(state.file({ book, path: lesson, user: undefined })?.hash).toBe(second);
  await backend.close();
});
