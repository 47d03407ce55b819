import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundle, longTimeouts, longTimeoutsModule } from '../../support/program.ts';
import { book, introText, lesson, lessonKey, sampleLibrary } from './sample.ts';
import { errorOf, listOf, objectOf } from './support/answer.ts';
import { connectWithDisk, disk } from './support/disk.ts';
import { segmentOf, sha256 } from './support/library.ts';

const update = { book_id: book, path: lesson, content: 'new', expected_hash: sha256(introText) };

const refusals: [name: string, rule: Record<string, string>][] = [
  ['the unfinished file cannot be opened', { step: 'openSync', code: 'ENOSPC', path: '/tmp/' }],
  ['the unfinished file cannot be written', { step: 'write', code: 'ENOSPC' }],
  ['the unfinished file cannot be synced', { step: 'fsync', code: 'EIO', path: '/tmp/' }],
  ['the intent cannot be written', { step: 'writeSync', code: 'ENOSPC', path: 'journal' }],
  ['the journal cannot be synced', { step: 'fdatasync', code: 'EIO' }],
  ['the file cannot be renamed', { step: 'renameSync', code: 'EIO' }],
];

describe('a write to a disk that fails', () => {
  test.each(refusals)('keeps the old file if %s (FR-002)', async (_, rule) => {
    using library = sampleLibrary();
    const broken = await connectWithDisk(library.root, { refuse: [rule] });
    const error = errorOf(await broken.call('write_content', update));
    expect(error).toMatchObject({ error: 'StorageError', code: 'UNAVAILABLE', message: expect.any(String) });
    expect(library.read(lessonKey)?.toString()).toBe(introText);
    const read = objectOf(await broken.call('read_content', { book_id: book, path: lesson }));
    expect(read['content']).toBe(introText);
    await broken.close();
    const healed = await connectWithDisk(library.root, {});
    expect((await healed.call('write_content', update)).isError).toBe(false);
    await healed.close();
    expect(library.read(lessonKey)?.toString()).toBe('new');
    expect(library.audit(book)).toEqual([]);
    expect(readdirSync(path.join(library.root, '.oj-books', book)).toSorted()).toEqual(['journal', 'tmp']);
  });

  test('leaves no incomplete line in the journal', async () => {
    using library = sampleLibrary();
    const rule = { step: 'writeSync', code: 'ENOSPC', path: 'journal', torn: true };
    const connection = await connectWithDisk(library.root, { refuse: [rule] });
    expect(errorOf(await connection.call('write_content', update))['code']).toBe('UNAVAILABLE');
    await connection.close();
    expect(library.read(segmentOf(book))?.toString()).toBe('');
  });

  test('is reported if the folder cannot be synced, and the next writer commits or aborts it', async () => {
    using library = sampleLibrary();
    const broken = await connectWithDisk(library.root, { refuse: [{ step: 'fsync', code: 'EIO', path: '01-Start$' }] });
    expect(errorOf(await broken.call('write_content', update))['code']).toBe('UNAVAILABLE');
    await broken.close();
    const healed = await connectWithDisk(library.root, {});
    await healed.call('read_content', { book_id: book, path: lesson });
    const lastCommit = () => library.journal(book).findLast(({ kind }) => kind === 'commit');
    await expect.poll(() => lastCommit()?.new).toBe(sha256('new'));
    await healed.close();
    expect(library.read(lessonKey)?.toString()).toBe('new');
    expect(library.audit(book)).toEqual([]);
  });
});

describe('a write on a system that cannot replace open files for a short time', () => {
  const renameFails = { step: 'renameSync', code: 'EBUSY' };

  // If the file stays open, the clock is not slow, because the server retries until its time limit.
  test.each([
    { what: 'the file is open for a short time', plan: { refuse: [{ ...renameFails, times: 3 }] }, stored: 'new' },
    { what: 'the file stays open', plan: { refuse: [renameFails], pace: 1 }, stored: introText },
  ])('is retried while $what, and is made completely or not at all (SC-010)', async ({ plan, stored }) => {
    using library = sampleLibrary();
    const connection = await connectWithDisk(library.root, { platform: 'win32', ...plan });
    const result = await connection.call('write_content', update);
    await connection.close();
    const failed = result.isError === true ? errorOf(result) : {};
    const busy: unknown = expect.objectContaining({ code: 'BUSY', path: lesson });
    expect(failed).toEqual(stored === 'new' ? {} : busy);
    expect(library.read(lessonKey)?.toString()).toBe(stored);
    expect(library.audit(book)).toEqual([]);
  });
});

describe('read_content of a lesson that another program rewrites during the read', () => {
  test.each([
    [1, 'meddled, 0 to go\n'],
    [2, 'meddled, 0 to go\n'],
    [9, 'BUSY'],
  ])('returns the newest complete text or BUSY if it is rewritten %i times', async (times, expected) => {
    using library = sampleLibrary();
    const connection = await connectWithDisk(library.root, { meddle: { path: lesson, times } });
    const result = await connection.call('read_content', { book_id: book, path: lesson });
    await connection.close();
    expect(result.isError === true ? errorOf(result)['code'] : objectOf(result)['content']).toBe(expected);
  });
});

test('a file that keeps growing while it is hashed does not keep the lock from other servers', async () => {
  using library = sampleLibrary();
  library.put(`books/${book}/static/videos/big.mp4`, Buffer.alloc(2 * 1024 * 1024));
  const log = path.join(library.root, 'steps.log');
  const connection = await connectWithDisk(library.root, {
    log,
    meddle: { path: 'big.mp4', times: 1000, grows: true },
  });
  const delta = await connection.call('delta_build', { book_id: book, since: '2020-01-01T00:00:00Z' });
  await connection.close();
  // The file that has grown is not counted, because a file that could not be hashed is part of the next delta.
  expect(objectOf(delta)['changed_count']).toBe(11);
  let isLocked = false;
  const underLock: string[] = [];
  const steps = readFileSync(log, 'utf8').trimEnd().split('\n');
  for (const step of steps) {
    if (/^(?:linkSync|unlinkSync) .*\/lock$/.test(step)) isLocked = step.startsWith('link');
    else if (isLocked) underLock.push(step);
  }
  expect(steps).toContain('meddle');
  expect(underLock).not.toContain('meddle');
  expect(underLock.length).toBeGreaterThan(0);
});

describe('a library on a file system that ignores case', () => {
  test('accepts the name of a file or folder only in the letter case that it has on disk', async () => {
    using library = sampleLibrary();
    const connection = await connectWithDisk(library.root, { ignoreCase: true });
    const call = async (tool: string, args: Record<string, unknown>) =>
      await connection.call(tool, { book_id: book, ...args });
    const alias = lesson.replace('intro', 'INTRO');
    expect(objectOf(await call('read_content', { path: lesson }))['content']).toBe(introText);
    expect(errorOf(await call('read_content', { path: alias }))['code']).toBe('NOT_FOUND');
    const own = objectOf(await call('read_content', { path: lesson, user_id: 'ADA' }));
    expect(own['source']).toBe('base');
    expect(errorOf(await call('write_content', { path: alias, content: 'x' }))['message']).toContain(
      'a different case',
    );
    const folder = lesson.replace('Basics', 'BASICS');
    expect(errorOf(await call('write_content', { path: folder, content: 'x' }))['message']).toContain(
      'a different case',
    );
    expect(errorOf(await call('write_content', { path: lesson, content: 'x', user_id: 'ADA' }))['code']).toBe(
      'INVALID_PATH',
    );
    expect(objectOf(await call('delete_content', { path: alias }))['existed']).toBe(false);
    expect((await call('write_content', update)).isError).toBe(false);
    await connection.close();
    expect(library.read(lessonKey)?.toString()).toBe('new');
    expect(library.audit(book)).toEqual([]);
  });
});

describe('a library without write permission', () => {
  const steps = [
    'openSync',
    'writeFileSync',
    'writeSync',
    'write',
    'mkdirSync',
    'linkSync',
    'renameSync',
    'unlinkSync',
  ];
  const readOnly = { refuse: steps.map(step => ({ step, code: 'EROFS' })) };

  test('can be read by all read tools, and rejects changes with the reason', async () => {
    using library = sampleLibrary();
    const connection = await connectWithDisk(library.root, readOnly, undefined, [longTimeoutsModule]);
    const call = async (tool: string, args: Record<string, unknown>) =>
      await connection.call(tool, { book_id: book, ...args });
    expect(objectOf(await call('read_content', { path: lesson }))['content']).toBe(introText);
    expect(listOf(await call('grep_search', { pattern: 'TODO' }))).toHaveLength(2);
    expect(objectOf(await call('validate_book', {}))['valid']).toBe(true);
    const delta = objectOf(await call('delta_build', { since: '2020-01-01T00:00:00Z', user_id: 'ada' }));
    expect(delta).toMatchObject({ base_changes: 11, overlay_changes: 2 });
    for (const [tool, args] of [
      ['write_content', { path: lesson, content: 'new', expected_hash: sha256(introText) }],
      ['delete_content', { path: lesson }],
      ['upload_asset', { asset_type: 'img', filename: 'a.png', binary_data: btoa('x') }],
      ['get_book_archive', {}],
    ] as const) {
      const error = errorOf(await call(tool, args));
      expect(error).toMatchObject({ error: 'StorageError', message: expect.stringContaining('read-only') });
    }
    await connection.close();
    expect(readdirSync(library.root)).toEqual(['books']);
  });

  test('writes its audit trail to stderr', async () => {
    using library = sampleLibrary();
    const { spawnSync } = await import('node:child_process');
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'reader', version: '1' } },
      },
      { id: 2, method: 'tools/call', params: { name: 'read_content', arguments: { book_id: book, path: lesson } } },
    ];
    const { stderr } = spawnSync(
      process.execPath,
      [...longTimeouts, '--require', disk, bundle, '--toolsets', 'books', '--books-root', library.root],
      {
        input: messages.map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
        env: { OJ_MCP_LOG: 'error', DISK_PLAN: JSON.stringify({ root: library.root, ...readOnly }) },
        encoding: 'utf8',
      },
    );
    const line = stderr.split('\n').find(text => text.includes('audit'));
    expect(line).toMatch(/"operation":"read_content".*"agent":"reader"|"agent":"reader".*"operation":"read_content"/);
  });
});
