import { describe, expect, test } from 'vitest';
import { firstChainHash, type JournalRecord, JournalState } from '../../../src/toolsets/books/model/journal.ts';
import { book, chapter, introText, lesson, openSample, sampleLibrary } from './sample.ts';
import { errorOf, objectOf } from './support/answer.ts';
import { connect } from './support/client.ts';
import { segmentOf } from './support/library.ts';
import { isFolder } from './support/place.ts';

function intent(seq: number): JournalRecord {
  const time = new Date(Date.UTC(2025, 0) + seq).toISOString();
  const subject = { book, path: `${chapter}/${seq}.md`, user: '__base__', prev: null, new: firstChainHash };
  return {
    kind: 'intent',
    seq,
    time,
    ...subject,
    agent: 'x',
    operation: 'write_content',
    status: 'pending',
    chain: '',
  };
}

function journalWith(count: number): string {
  return Array.from({ length: count }, (_, index) => `${JSON.stringify(intent(index + 1))}\n`).join('');
}

describe('a journal with too many unfinished changes', () => {
  test('is rejected with more than 10,000 unfinished changes, and accepted with 10,000', () => {
    const state = new JournalState();
    for (let seq = 1; seq <= 10_000; seq++) state.apply(intent(seq));
    expect(state.open.size).toBe(10_000);
    expect(() => state.apply(intent(10_001))).toThrow(`The journal of ${book} has more than 10000 unfinished changes.`);
  });

  test('causes a clear error for each change, while lessons can still be read', async () => {
    using library = sampleLibrary();
    const journal = journalWith(200_000);
    library.put(segmentOf(book), journal);
    const args = ['--toolsets', 'books', '--books-root', library.root];
    // A reader without the limit on unfinished changes would need 440 MB for this journal.
    const env = { NODE_OPTIONS: '--max-old-space-size=200' };
    const connection = await connect({ args, env });
    const write = await connection.call('write_content', { book_id: book, path: lesson, content: 'x' });
    expect(errorOf(write)).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('unfinished changes'),
    });
    expect(errorOf(write)['suggestion']).toContain('move this folder away');
    const read = objectOf(await connection.call('read_content', { book_id: book, path: lesson }));
    expect(read['content']).toBe(introText);
    const verdict = objectOf(await connection.call('validate_book', { book_id: book }));
    expect(verdict['valid']).toBe(true);
    await connection.close();
    expect(library.read(segmentOf(book))?.toString()).toBe(journal);
  });

  test.runIf(isFolder)('no longer blocks changes after it was moved away', async () => {
    await using sample = await openSample();
    sample.library.put(segmentOf(book), journalWith(10_001));
    const write = async () =>
      await sample.call('write_content', { book_id: book, path: `${chapter}/50-new.md`, content: 'x' });
    expect(errorOf(await write())['code']).toBe('UNAVAILABLE');
    sample.library.remove(`.oj-books/${book}`);
    expect((await write()).isError).toBe(false);
  });
});
