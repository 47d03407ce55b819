import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { book, chapter, lesson, openSample } from './sample.ts';
import { errorOf } from './support/answer.ts';
import { segmentOf, sha256 } from './support/library.ts';

const fresh = `${chapter}/40-fresh.md`;

function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

describe('the journal', () => {
  test('can be continued after an incomplete last line and after invalid lines', async () => {
    await using sample = await openSample();
    const file = path.join(sample.library.root, segmentOf(book));
    await sample.call('write_content', { book_id: book, path: fresh, content: 'one' });
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, `${good}{"kind":"intent","seq":99,"ti`);
    const args = { book_id: book, path: fresh };
    expect(
      (await sample.call('write_content', { ...args, content: 'two', expected_hash: sha256('one') })).isError,
    ).toBe(false);
    expect(sample.library.audit(book)).toEqual([]);
    writeFileSync(file, `${readFileSync(file, 'utf8')}garbage\n`);
    expect(
      (await sample.call('write_content', { ...args, content: 'three', expected_hash: sha256('two') })).isError,
    ).toBe(false);
    expect(sample.library.audit(book)).toEqual([expect.stringContaining('is not a record')]);
  });

  test.each(['+275760-09-13T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '-000001-01-01T00:00:00.000Z', 'soon'])(
    'can be continued after a record with the impossible time %s',
    async time => {
      await using sample = await openSample();
      const record = { kind: 'note', seq: 1, time, agent: 'x', path: '', chain: '0'.repeat(64) };
      sample.library.put(segmentOf(book), `${JSON.stringify(record)}\n`);
      expect((await sample.call('read_content', { book_id: book, path: lesson })).isError).toBe(false);
      expect((await sample.call('write_content', { book_id: book, path: fresh, content: 'x' })).isError).toBe(false);
      expect(Date.parse(sample.library.journal(book).at(-1)?.time ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
    },
  );

  test('accepts records without the field "backend"', async () => {
    await using sample = await openSample();
    const known = {
      prev: null,
      new: sha256('# Once\n'),
      status: 'success',
      agent: 'early',
      operation: 'write_content',
    };
    const record = { kind: 'commit', seq: 1, time: '2025-01-01T00:00:00.000Z', book, ...known, path: lesson };
    const line = JSON.stringify({ ...record, user: '__base__', chain: '0'.repeat(64) });
    sample.library.put(segmentOf(book), `${line}\n`);
    await sample.call('read_content', { book_id: book, path: lesson });
    const expected = { kind: 'external', prev: known.new, backend: 'fs' };
    await expect.poll(() => sample.library.journal(book)[1]).toMatchObject(expected);
  });

  test.each([
    ['the content is overwritten', (file: string, text: string) => writeFileSync(file, text)],
    ['the file is replaced', (file: string, text: string) => replace(file, text)],
    [
      'the content is overwritten by a shorter one',
      (file: string, text: string) => writeFileSync(file, `${text.split('\n', 1)[0]}\n`),
    ],
  ])('can be continued after another copy replaced it while the server runs: %s', async (_, put) => {
    await using sample = await openSample();
    await using other = await openSample();
    const file = segmentOf(book);
    for (const n of [1, 2, 3])
      await other.call('write_content', { book_id: book, path: `${chapter}/6${n}-a.md`, content: 'x' });
    await sample.call('write_content', { book_id: book, path: fresh, content: 'one' });
    put(path.join(sample.library.root, file), other.library.read(file)?.toString() ?? '');
    await sample.call('delete_content', { book_id: book, path: fresh });
    expect(sample.library.audit(book)).toEqual([]);
  });

  test('is created again from the files on disk after it was lost', async () => {
    await using sample = await openSample();
    const args = { book_id: book, path: fresh };
    await sample.call('write_content', { ...args, content: 'one' });
    rmSync(path.join(sample.library.root, '.oj-books'), { recursive: true });
    expect(errorOf(await sample.call('write_content', { ...args, content: 'two' }))['current_hash']).toBe(
      sha256('one'),
    );
    expect(
      (await sample.call('write_content', { ...args, content: 'two', expected_hash: sha256('one') })).isError,
    ).toBe(false);
    expect(sample.library.audit(book)).toEqual([]);
  });
});
