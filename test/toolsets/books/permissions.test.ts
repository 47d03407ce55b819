import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { book, introText, lesson, lessonKey, sampleLibrary } from './sample.ts';
import { objectOf } from './support/answer.ts';
import { connect } from './support/client.ts';
import { disk } from './support/disk.ts';
import { segmentOf, sha256, type TemporaryLibrary } from './support/library.ts';

const fresh = lesson.replace('01-intro', '77-new');

/** Returns the permission mode of a file or folder of a library. */
function modeOf({ root }: TemporaryLibrary, key: string): string {
  return (statSync(path.join(root, key)).mode & 0o7777).toString(8);
}

/**
 * Creates a library whose root folder has this mode. A server with this umask creates a lesson and an archive in it.
 */
async function libraryWith(mode: number, umask: number, ...flags: string[]): Promise<TemporaryLibrary> {
  const library = sampleLibrary();
  chmodSync(library.root, mode);
  const connection = await connect({
    args: ['--toolsets', 'books', '--books-root', library.root, ...flags],
    preload: [disk],
    env: { DISK_PLAN: JSON.stringify({ root: library.root, umask }) },
  });
  const write = await connection.call('write_content', { book_id: book, path: fresh, content: 'x' });
  expect(write.isError).toBe(false);
  expect(objectOf(await connection.call('get_book_archive', { book_id: book }))).toMatchObject({ status: 'success' });
  await connection.close();
  return library;
}

const folders = ['.oj-books', `.oj-books/${book}`, `.oj-books/${book}/journal`, `.oj-books/${book}/tmp`, 'archives'];

function archiveOf({ root }: TemporaryLibrary): string {
  return `archives/${readdirSync(path.join(root, 'archives'))[0]}`;
}

describe.skipIf(process.platform === 'win32')('the permissions of files that the server creates', () => {
  test.each([
    // The columns are the mode of the root folder, the umask, and the expected modes of folders, files and the lesson.
    [0o755, 0o022, '750', '640', '644'],
    [0o700, 0o022, '700', '600', '644'],
    [0o770, 0o077, '770', '660', '600'],
    [0o777, 0o000, '770', '660', '666'],
    [0o500, 0o022, '700', '600', '644'],
  ])('exclude other users in a library with mode %o and umask %o', async (mode, umask, folder, file, lessonMode) => {
    // The case is skipped for other users, because only the superuser can use a library without write permission.
    if (mode === 0o500 && process.getuid?.() !== 0) return;
    using library = await libraryWith(mode, umask);
    expect(folders.map(key => modeOf(library, key))).toEqual(folders.map(() => folder));
    expect([segmentOf(book), archiveOf(library)].map(key => modeOf(library, key))).toEqual([file, file]);
    expect(modeOf(library, lessonKey.replace('01-intro', '77-new'))).toBe(lessonMode);
  });

  test('let the members of a group write in a library that the group shares', async () => {
    using library = await libraryWith(0o2775, 0o077);
    expect(folders.map(key => modeOf(library, key))).toEqual(folders.map(() => '2770'));
    expect(modeOf(library, segmentOf(book))).toBe('660');
  });

  test('let the members of a group replace a lesson whose content another member has already saved', async () => {
    using library = sampleLibrary();
    // Only the owner of a file can set its date.
    const refuse = [{ step: 'futimesSync', code: 'EPERM' }];
    const connection = await connect({
      args: ['--toolsets', 'books', '--books-root', library.root, '--books-extras'],
      preload: [disk],
      env: { DISK_PLAN: JSON.stringify({ root: library.root, refuse }) },
    });
    for (const [from, to] of [
      [introText, 'two'],
      ['two', introText],
      [introText, 'three'],
    ] as const) {
      const args = { book_id: book, path: lesson, content: to, expected_hash: sha256(from) };
      expect((await connection.call('write_content', args)).isError).toBe(false);
    }
    await connection.close();
  });

  test('let a web server read archives of a published library', async () => {
    using library = await libraryWith(0o750, 0o077, '--books-cdn-url', 'https://books.example.org');
    expect([modeOf(library, 'archives'), modeOf(library, archiveOf(library))]).toEqual(['755', '644']);
    expect([modeOf(library, '.oj-books'), modeOf(library, segmentOf(book))]).toEqual(['750', '640']);
  });

  test('do not change the permissions of files that already exist', async () => {
    using library = sampleLibrary();
    for (const folder of ['.oj-books', 'archives']) {
      mkdirSync(path.join(library.root, folder));
      chmodSync(path.join(library.root, folder), 0o755);
    }
    const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root] });
    await connection.call('write_content', { book_id: book, path: fresh, content: 'x' });
    const archive = objectOf(await connection.call('get_book_archive', { book_id: book }));
    await connection.close();
    expect([modeOf(library, '.oj-books'), modeOf(library, 'archives')]).toEqual(['755', '755']);
    expect(statSync(fileURLToPath(String(archive['archive_url']))).mode & 0o777).toBe(0o600);
  });

  test('let the members of a group read the lock file that names a waiting process', async () => {
    using library = sampleLibrary();
    chmodSync(library.root, 0o2770);
    const log = path.join(library.root, 'log');
    writeFileSync(log, '');
    const connection = await connect({
      args: ['--toolsets', 'books', '--books-root', library.root],
      preload: [disk],
      env: { DISK_PLAN: JSON.stringify({ root: library.root, umask: 0o077, log, stopAt: 'unlinkSync' }) },
      stderr: 'ignore',
    });
    const call = connection.call('write_content', { book_id: book, path: fresh, content: 'x' });
    const lock = path.join(library.root, `.oj-books/${book}/lock`);
    await expect.poll(() => statSync(lock, { throwIfNoEntry: false })?.mode ?? 0).toBe(0o100660);
    await expect.poll(() => stateOf(connection.pid)).toBe('T');
    process.kill(connection.pid, 'SIGCONT');
    expect((await call).isError).toBe(false);
    await connection.close();
  });
});

/** Returns the state of a process. `T` means that it is stopped. */
function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).charAt(0);
}
