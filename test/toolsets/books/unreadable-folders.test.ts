import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { book, chapter, introText, lesson, openSample, sampleLibrary } from './sample.ts';
import { errorOf, listOf, objectOf } from './support/answer.ts';
import { connect } from './support/client.ts';
import { connectWithDisk } from './support/disk.ts';
import { temporaryLibrary } from './support/library.ts';

const longAgo = '2020-01-01T00:00:00Z';

const noPermission = (where: string): Record<string, unknown> => ({
  refuse: [{ step: 'read', code: 'EACCES', path: where }],
});

test('lessons can be read although the journal cannot be opened', async () => {
  using library = sampleLibrary();
  const before = await connectWithDisk(library.root);
  await before.call('delta_build', { book_id: book, since: longAgo });
  await before.close();
  const connection = await connectWithDisk(library.root, noPermission('/journal/'));
  const call = async (tool: string, args: Record<string, unknown> = {}) =>
    await connection.call(tool, { book_id: book, ...args });
  expect(objectOf(await call('read_content', { path: lesson }))['content']).toBe(introText);
  expect(listOf(await call('list_assets'))).toHaveLength(3);
  expect(objectOf(await call('delta_build', { since: longAgo }))['changed_count']).toBe(11);
  expect(objectOf(await call('validate_book'))['warnings']).toContainEqual(
    expect.objectContaining({
      issue: 'Damaged audit trail',
      message: expect.stringContaining('this user has no permission (EACCES)'),
    }),
  );
  await connection.close();
});

test('a change by another program is reported once although the journal cannot be written', async () => {
  using library = sampleLibrary();
  const before = await connectWithDisk(library.root);
  await before.call('delta_build', { book_id: book, since: longAgo });
  await before.close();
  library.put(`books/${book}/${lesson}`, 'edited');
  rmSync(path.join(library.root, `books/${book}/${chapter}/02-more.md`));
  symlinkSync('/nonexistent', path.join(library.root, `.oj-books/${book}/lock`));
  const connection = await connectWithDisk(library.root);
  const delta = async (args: Record<string, unknown>) =>
    objectOf(await connection.call('delta_build', { book_id: book, ...args }));
  const first = await delta({ since: new Date(Date.now() - 60_000).toISOString() });
  expect(first['deleted_files']).toHaveLength(1);
  const next = { since: first['server_time'], target_manifest_hash: first['manifest_hash'] };
  expect(await delta(next)).toMatchObject({
    changed_count: 0,
    deleted_files: [],
    manifest_delta: { status: 'unchanged' },
  });
  await connection.close();
});

describe('a folder without read permission', () => {
  test('is reported by each tool that needs its files', async () => {
    using library = sampleLibrary();
    const connection = await connectWithDisk(library.root, noPermission('/02-Extra$'));
    const call = async (tool: string, args: Record<string, unknown> = {}) =>
      await connection.call(tool, { book_id: book, ...args });
    const closed = { path: 'content/02-Extra', error: 'The permission to read it is missing.' };
    const lessons = listOf(await call('read_content', { scope: 'book' }));
    expect(lessons).toHaveLength(8);
    expect(lessons).toContainEqual(closed);
    expect(objectOf(await call('validate_book'))).toMatchObject({
      valid: false,
      errors: [{ path: closed.path, issue: 'Cannot be opened', suggestion: expect.stringContaining('permission') }],
    });
    expect(objectOf(await call('get_book_archive'))).toMatchObject({ status: 'partial', error_manifest: [closed] });
    expect(listOf(await call('list_books', { include_structure: 'content' }))).toMatchObject([
      { error: `Cannot be opened: books/${book}/content/02-Extra` },
    ]);
    for (const tool of ['glob_search', 'grep_search']) {
      const found = listOf(await call(tool, { pattern: tool === 'glob_search' ? '**/*.md' : 'a' }));
      expect(found.length).toBeGreaterThan(1);
      expect(found.at(-1)).toMatchObject({ warning: 'skipped', message: expect.stringContaining('02-Extra') });
    }
    await connection.close();
  });

  test('is not reported as deleted by delta_build', async () => {
    using library = sampleLibrary();
    const before = await connectWithDisk(library.root, {});
    const first = objectOf(await before.call('delta_build', { book_id: book, since: longAgo }));
    await before.close();
    const connection = await connectWithDisk(library.root, noPermission('/02-Extra$'));
    const since = first['server_time'];
    expect(objectOf(await connection.call('delta_build', { book_id: book, since }))).toMatchObject({
      changed_count: 0,
      deleted_files: [],
      manifest_hash: first['manifest_hash'],
    });
    await connection.close();
  });

  test('causes an error only for its own book in list_books', async () => {
    using library = sampleLibrary();
    library.put('books/zzz-book/content/01-P/01-C/01-a.md', 'x');
    const connection = await connectWithDisk(library.root, noPermission(`/${book}$`));
    const list = async (args: object) => await connection.call('list_books', { include_structure: 'content', ...args });
    expect(listOf(await list({}))).toMatchObject([
      { book_id: book, error: 'It cannot be opened.' },
      { book_id: 'zzz-book', content: { parts: [{ id: '01-P' }] } },
    ]);
    expect(errorOf(await list({ book_id: book }))['message']).toContain('this user has no permission (EACCES)');
    await connection.close();
  });
});

test('an unreadable file is reported as an error by validate_book, and not as a change by delta_build', async () => {
  using library = sampleLibrary();
  const first = await connectWithDisk(library.root, {});
  await first.call('delta_build', { book_id: book, since: longAgo });
  await first.close();
  const connection = await connectWithDisk(library.root, noPermission('/01-intro.md$'));
  expect(objectOf(await connection.call('validate_book', { book_id: book, include_warnings: true }))).toMatchObject({
    errors: [{ path: lesson, issue: 'Cannot be opened' }, { issue: 'Cannot be opened' }, { issue: 'Cannot be opened' }],
    summary: { warning_count: 1 },
  });
  await connection.close();
});

describe('a file name that is not UTF-8', () => {
  const put = (folder: string, name: Buffer): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), 'x');
  };

  test('is reported in any folder, and the other files are still listed', async () => {
    await using sample = await openSample();
    const inside = path.join(sample.library.root, 'books', book);
    const latin = Buffer.from([0x30, 0x32, 0x2d, 0x63, 0xe9, 0x2e, 0x6d, 0x64]);
    put(path.join(inside, chapter), latin);
    mkdirSync(Buffer.concat([Buffer.from(`${inside}/content/`), latin]));
    put(path.join(inside, 'static/img'), Buffer.from('..\\evil.exe'));
    const call = async (tool: string, args: Record<string, unknown> = {}) =>
      await sample.call(tool, { book_id: book, ...args });
    const shown = [`${chapter}/02-c\ufffd.md`, 'content/02-c\ufffd.md', 'static/img/..\\evil.exe'];
    const pathsOf = (items: unknown): string[] =>
      Array.isArray(items) ? items.map((item: { path: string }) => item.path) : [];
    expect(pathsOf(objectOf(await call('validate_book'))['errors'])).toEqual(shown);
    const archive = objectOf(await call('get_book_archive', { scope: 'all' }));
    expect(archive).toMatchObject({ status: 'partial', files_failed: 3, file_count: 11 });
    expect(pathsOf(archive['error_manifest'])).toEqual(shown);
    const lessons = listOf(await call('read_content', { scope: 'book' }));
    expect(lessons.filter(item => item['error'] === 'Its name is not UTF-8.')).toHaveLength(2);
    expect(listOf(await call('list_assets'))).toHaveLength(3);
    expect(objectOf(await call('delta_build', { since: longAgo }))['changed_count']).toBe(11);
  });
});

test('an asset folder that is a symbolic link does not prevent the listing of assets of other types', async () => {
  await using sample = await openSample();
  symlinkSync('/etc', path.join(sample.library.root, `books/${book}/static/audio`));
  expect(listOf(await sample.call('list_assets', { book_id: book }))).toHaveLength(3);
  const one = await sample.call('list_assets', { book_id: book, asset_type: 'audio' });
  expect(errorOf(one)['code']).toBe('INVALID_PATH');
});

test('a folder that is nested too deeply is reported and not read', async () => {
  await using sample = await openSample();
  const deep = `static/slides${'/d'.repeat(70)}`;
  sample.library.put(`books/${book}/${deep}/a.pdf`, 'x');
  const { errors } = objectOf(await sample.call('validate_book', { book_id: book }));
  expect(errors).toMatchObject([{ path: deep.slice(0, 13 + 2 * 63), issue: 'Cannot be opened' }]);
});

test('a lesson path above the length limit is rejected with the reason', async () => {
  await using sample = await openSample();
  const long = `content/01-P/01-C/01-${'a'.repeat(240)}.md`;
  sample.library.put(`books/long-book/${long}`, 'x');
  expect(objectOf(await sample.call('validate_book', { book_id: 'long-book' }))).toMatchObject({
    errors: [{ path: long, issue: 'Path too long' }],
    warnings: [],
  });
});

describe('a library whose folder is replaced while the server runs', () => {
  test.each(['a link', 'another folder'])('is rejected by all tools if the replacement is %s', async kind => {
    await using sample = await openSample();
    using outside = temporaryLibrary('memory');
    const { root } = sample.library;
    const args = { book_id: book, path: lesson };
    expect(objectOf(await sample.call('read_content', args))['content']).toBe(introText);
    const moved = `${root}-moved`;
    renameSync(root, moved);
    outside.put(`books/${book}/${lesson}`, 'OUTSIDE');
    if (kind === 'a link') symlinkSync(outside.root, root);
    else cpSync(outside.root, root, { recursive: true });
    const before = readdirSync(outside.root);
    for (const [tool, more] of [
      ['read_content', { path: lesson }],
      ['grep_search', { pattern: 'OUT' }],
      ['get_book_archive', {}],
      ['write_content', { path: lesson, content: 'x' }],
    ] as const) {
      expect(errorOf(await sample.call(tool, { book_id: book, ...more }))).toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining('not the same folder'),
      });
    }
    expect(readdirSync(outside.root)).toEqual(before);
    renameSync(root, `${outside.root}/gone`);
    renameSync(moved, root);
    expect(objectOf(await sample.call('read_content', args))['content']).toBe(introText);
  });
});

describe('the root folder of a library', () => {
  test('is reported if it is missing, and is used after it was created', async () => {
    await using sample = await openSample();
    const { library } = sample;
    const root = path.join(library.root, 'later');
    const connection = await connect({ args: ['--toolsets', 'books', '--books-root', root] });
    expect(errorOf(await connection.call('list_books', {}))).toMatchObject({
      error: 'StorageError',
      message: expect.stringContaining('does not exist'),
    });
    library.put('later/books/a-book/.keep', '');
    expect(listOf(await connection.call('list_books', {}))).toHaveLength(1);
    await connection.close();
  });

  test('is rejected if it is a file and not a folder', async () => {
    using library = sampleLibrary();
    library.put('file', 'x');
    const connection = await connect({
      args: ['--toolsets', 'books', '--books-root', path.join(library.root, 'file')],
    });
    expect(errorOf(await connection.call('list_books', {}))['message']).toContain('is not a folder');
    await connection.close();
  });

  test('causes an error of each call if it is deleted while the server runs', async () => {
    await using sample = await openSample();
    rmSync(sample.library.root, { recursive: true });
    expect(errorOf(await sample.call('write_content', { book_id: book, path: lesson, content: 'x' }))['error']).toBe(
      'StorageError',
    );
    expect((await sample.call('list_books', {})).isError).toBe(true);
  });
});
