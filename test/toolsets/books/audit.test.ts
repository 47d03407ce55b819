import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { book, chapter, introText, lesson, openSample, sampleLibrary } from './sample.ts';
import { errorOf } from './support/answer.ts';
import { connect } from './support/client.ts';
import { findJournalErrors } from './support/journal.ts';
import { segmentOf, sha256, temporaryLibrary } from './support/library.ts';

const fresh = `${chapter}/40-fresh.md`;

describe('the audit trail', () => {
  test('contains one record for each tool call, including failed and skipped ones (FR-020)', async () => {
    await using sample = await openSample();
    const calls: [tool: string, args: Record<string, unknown>, status: string, error?: string][] = [
      ['read_content', { path: lesson }, 'success'],
      ['read_content', { path: `${chapter}/99-no.md` }, 'failed', 'NOT_FOUND'],
      ['read_content', { path: '../x' }, 'failed', 'INVALID_PATH'],
      ['write_content', { path: fresh, content: 'x' }, 'success'],
      ['write_content', { path: fresh, content: 'y' }, 'failed', 'HASH_REQUIRED'],
      ['write_content', { path: fresh, content: 'y', expected_hash: sha256('z') }, 'failed', 'CONFLICT'],
      [
        'write_content',
        { path: fresh, content: 'y', expected_hash: sha256('x'), user_id: 'ada' },
        'failed',
        'NOT_FOUND',
      ],
      ['upload_asset', { asset_type: 'img', filename: 'one.png', binary_data: btoa('first picture') }, 'skipped'],
      ['get_asset', { asset_type: 'img', filename: 'one.png' }, 'success'],
      ['list_assets', {}, 'success'],
      ['glob_search', { pattern: '**' }, 'success'],
      ['grep_search', { pattern: '(a' }, 'failed', 'VALIDATION'],
      ['list_books', {}, 'success'],
      ['get_book_archive', {}, 'success'],
      ['validate_book', {}, 'success'],
      ['delta_build', { since: 'never' }, 'failed', 'VALIDATION'],
      ['delete_content', { path: fresh }, 'success'],
      ['delete_content', { path: fresh }, 'success'],
    ];
    const began = performance.now();
    for (const [tool, args] of calls)
      await sample.call(tool, tool === 'list_books' ? args : { book_id: book, ...args });
    const took = performance.now() - began;
    // Only commit records and audit notes are counted, because each operation ends with one of them.
    const journals = () => [...sample.library.journal(book), ...sample.library.journal('_library')];
    const endsNow = () => journals().filter(({ kind }) => ['commit', 'note'].includes(kind));
    await expect.poll(endsNow).toHaveLength(calls.length);
    const ends = endsNow();
    const seen = ends.map(({ operation, status, error }) => [operation, status, error].filter(Boolean).join(' '));
    const expected = calls.map(([tool, , status, error]) => [tool, status, error].filter(Boolean).join(' '));
    expect(new Set(seen)).toEqual(new Set(expected));
    expect(seen).toHaveLength(expected.length);
    expect(ends.reduce((sum, { ms }) => sum + Number(ms), 0)).toBeLessThan(took);
    for (const record of ends) {
      expect(record).toMatchObject({
        backend: 'fs',
        agent: 'test-author',
        time: expect.stringMatching(/Z$/),
        ms: expect.any(Number),
      });
      expect(record.user).toBe(
        record.error === 'NOT_FOUND' && record.operation === 'write_content' ? 'ada' : '__base__',
      );
    }
    expect([...sample.library.audit(book), ...sample.library.audit('_library')]).toEqual([]);
  });

  test('contains for each file an unbroken chain of hashes across all authors (FR-022)', async () => {
    await using sample = await openSample();
    const args = { book_id: book, path: lesson };
    await sample.call('write_content', { ...args, content: 'two', expected_hash: sha256(introText) });
    sample.library.put(`books/${book}/${lesson}`, 'three, by an editor');
    await sample.call('read_content', args);
    await sample.call('delete_content', args);
    await sample.call('write_content', { ...args, content: 'four' });
    const records = sample.library.journal(book).filter(({ path: file, kind }) => file === lesson && kind !== 'intent');
    let current: string | null = null;
    for (const record of records) {
      expect(record.prev).toBe(current);
      current = record.new;
    }
    expect(records.map(({ kind, operation }) => `${kind} ${operation}`)).toEqual([
      'external external',
      'commit write_content',
      'external external',
      'note read_content',
      'commit delete_content',
      'commit write_content',
    ]);
    expect(current).toBe(sha256('four'));
  });

  test('keeps all earlier lines unchanged when a call appends to it (FR-023)', async () => {
    await using sample = await openSample();
    const file = path.join(sample.library.root, segmentOf(book));
    let before = '';
    for (let n = 0; n < 20; n++) {
      await sample.call(n % 2 === 0 ? 'write_content' : 'delete_content', {
        book_id: book,
        path: fresh,
        ...(n % 2 === 0 && { content: `${n}` }),
      });
      const now = readFileSync(file, 'utf8');
      expect(now.startsWith(before) && now.length > before.length).toBe(true);
      before = now;
    }
  });

  test('fails its verification after a line was changed, removed, moved or repeated', async () => {
    await using sample = await openSample();
    for (let n = 0; n < 4; n++)
      await sample.call('write_content', { book_id: book, path: `${chapter}/5${n}-a.md`, content: 'x' });
    const file = path.join(sample.library.root, segmentOf(book));
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(findJournalErrors(lines)).toEqual([]);
    const changed = [
      lines.toSpliced(2, 1),
      lines.toSpliced(2, 2, lines[3] ?? '', lines[2] ?? ''),
      lines.with(2, (lines[2] ?? '').replace('test-author', 'nobody-at-all')),
      lines.with(3, (lines[3] ?? '').replace(/"new":"./, '"new":"f')),
      lines.with(1, '{"kind":"note"}'),
      [...lines, lines.at(-1) ?? ''],
    ];
    for (const tampered of changed) expect(findJournalErrors(tampered)).not.toEqual([]);
  });

  test('can be filtered as JSON lines by date, author, operation, book and path (FR-024)', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await using sample = await openSample();
    for (const name of ['one', 'two']) {
      await sample.call('write_content', { book_id: book, path: `${chapter}/50-${name}.md`, content: name });
    }
    await sample.call('delete_content', { book_id: book, path: `${chapter}/50-one.md` });
    const file = path.join(sample.library.root, segmentOf(book));
    const records = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => new Map(Object.entries(JSON.parse(line))));
    const ask = (wanted: Record<string, unknown>): unknown[] =>
      records
        .filter(record => Object.entries(wanted).every(([name, value]) => record.get(name) === value))
        .map(record => record.get('path'));
    expect(records.every(record => String(record.get('time')) >= today)).toBe(true);
    const commits = { kind: 'commit', agent: 'test-author', book };
    expect(ask({ ...commits, operation: 'delete_content' })).toEqual([`${chapter}/50-one.md`]);
    expect(ask({ ...commits, path: `${chapter}/50-two.md` })).toHaveLength(1);
    expect(ask({ ...commits, agent: 'somebody-else' })).toEqual([]);
  });

  test('records the user of a call that names a missing book', async () => {
    await using sample = await openSample();
    await sample.call('delete_content', { book_id: 'no-such-book', path: lesson, user_id: 'bob' });
    await expect
      .poll(() => sample.library.journal('_library').at(-1))
      .toMatchObject({
        path: `books/no-such-book/${lesson}`,
        user: 'bob',
      });
  });
});

describe('the author of a recorded change', () => {
  test.each(['system', 'SYSTEM', ' system ', '', '  ', '\u0007', 'unnamed'])(
    'is never the reserved or invalid client name %j (R7)',
    async agent => {
      using library = sampleLibrary();
      const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root], agent });
      const changes: [tool: string, args: Record<string, unknown>][] = [
        ['write_content', { path: fresh, content: 'x' }],
        ['delete_content', { path: lesson }],
        ['upload_asset', { asset_type: 'img', filename: 'a.png', binary_data: btoa('x') }],
      ];
      for (const [tool, args] of changes) {
        const error = errorOf(await connection.call(tool, { book_id: book, ...args }));
        expect(error).toMatchObject({ error: 'ValidationError', suggestion: expect.stringContaining('--books-agent') });
      }
      expect((await connection.call('read_content', { book_id: book, path: lesson })).isError).toBe(false);
      await expect.poll(() => library.journal(book).at(-1)?.operation).toBe('read_content');
      await connection.close();
      expect(new Set(library.journal(book).map(record => record.agent))).toEqual(new Set(['unnamed', 'external']));
      expect(library.read(`books/${book}/${lesson}`)?.toString()).toBe(introText);
    },
  );

  test('is the configured name if the client sends none, and otherwise the name of the client', async () => {
    for (const [agent, expected] of [
      ['', 'from settings'],
      ['system', 'from settings'],
      ['a-client', 'a-client'],
    ] as const) {
      using library = temporaryLibrary();
      const args = ['--toolsets', 'books', '--books-root', library.root];
      const connection = await connect({ args, agent, env: { OJ_MCP_BOOKS_AGENT: 'from settings' } });
      await connection.call('write_content', { book_id: book, path: lesson, content: 'x' });
      await connection.close();
      expect(library.journal(book).at(-1)).toMatchObject({ kind: 'commit', agent: expected });
    }
  });
});
