import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorOf, textOf } from './support/answer.ts';
import { busyBook, contest, lessonOf } from './support/contest.ts';
import { attemptsIn, connectWithDisk } from './support/disk.ts';
import { sha256, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';

const book = busyBook;

describe('several servers with one library', () => {
  test('let exactly one of several writers of the same version succeed, also on a file system without hard links', {
    timeout: 600_000,
  }, async () => {
    using library = temporaryLibrary();
    const plan = { refuse: [{ step: 'linkSync', code: 'EPERM' }] };
    expect(await contest(library, 10, { plan })).toEqual({ rounds: 10, violations: [] });
  });

  test('lose changes if the test disables the lock, which shows that the lock is needed', {
    timeout: 600_000,
  }, async () => {
    using library = temporaryLibrary();
    const { violations } = await contest(library, 200, { plan: { noLock: true } });
    expect(violations).not.toEqual([]);
  });

  test('continue after the server that held the lock was killed', { timeout: 600_000 }, async () => {
    using library = temporaryLibrary();
    const victim = await connectWithDisk(library.root, { stopAt: 'fdatasync' }, 'victim');
    const log = path.join(library.root, 'steps.log');
    const survivor = await connectWithDisk(library.root, { log }, 'survivor');
    const args = { book_id: book, path: lessonOf(1), content: '# One\n' };
    const lost = victim.call('write_content', args).catch(() => 'no answer');
    await hasStopped(victim.pid);
    process.kill(victim.pid, 'SIGKILL');
    expect(await lost).toBe('no answer'); // a busy system needs time to end the process
    const result = await survivor.call('write_content', args);
    await Promise.all([survivor.close(), victim.close()]);
    expect(result.isError).toBe(false);
    // The limit corresponds to one second, because the next server detects that the lock holder is dead at its first
    // test.
    expect(attemptsIn(log)).toBeLessThan(5);
    expect(library.audit(book)).toEqual([]);
  });

  test('return the error BUSY while the server that holds the lock is paused', async () => {
    using library = temporaryLibrary();
    const sleeper = await connectWithDisk(library.root, { stopAt: 'fdatasync' }, 'sleeper');
    const other = await connectWithDisk(library.root, { pace: 10 }, 'other');
    const args = { book_id: book, path: lessonOf(1) };
    const slow = sleeper.call('write_content', { ...args, content: '# Slow\n' });
    await hasStopped(sleeper.pid);
    const refused = await other.call('write_content', { ...args, content: '# Fast\n' });
    process.kill(sleeper.pid, 'SIGCONT');
    const done = await slow;
    const read = await other.call('read_content', args);
    await Promise.all([sleeper.close(), other.close()]);
    expect(errorOf(refused).code).toBe('BUSY');
    expect(done.isError).toBe(false);
    expect(JSON.parse(textOf(read))).toMatchObject({ content: '# Slow\n' });
    expect(library.audit(book)).toEqual([]);
  });
});

describe('a server that lost the lock of a book while it was paused', () => {
  /**
   * Stops a server that holds the lock during a delete, lets another server take the lock, and then continues the first
   * one.
   */
  async function deleteAsleep(library: TemporaryLibrary, plan: Record<string, unknown>): Promise<boolean> {
    const key = `books/${book}/${lessonOf(1)}`;
    library.put(key, '# Precious\n');
    const sleeper = await connectWithDisk(library.root, { stopAt: 'fdatasync', ...plan }, 'sleeper');
    const pending = sleeper.call('delete_content', { book_id: book, path: lessonOf(1) });
    await hasStopped(sleeper.pid);
    const lock = path.join(library.root, '.oj-books', book, 'lock');
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/"nonce":"[^"]+"/, `"nonce":"${crypto.randomUUID()}"`));
    process.kill(sleeper.pid, 'SIGCONT');
    const result = await pending;
    await sleeper.close();
    expect(result.isError === true).toBe(library.read(key) !== undefined);
    // The lock of the other server must still exist, because a server releases only its own lock.
    if (!('noRecheck' in plan) && !existsSync(lock)) throw new Error('the lock of somebody else is gone');
    return library.read(key) === undefined;
  }

  test('changes nothing afterwards', async () => {
    using library = temporaryLibrary();
    expect(await deleteAsleep(library, {})).toBe(false);
  });

  test('changes the file if the test disables the second check of the lock, which shows that the check is needed', async () => {
    using library = temporaryLibrary();
    expect(await deleteAsleep(library, { noRecheck: true })).toBe(true);
  });
});

describe('a file that an editor saves between the last check and the rename of a write', () => {
  test.each([
    ['write_content', 'update', { content: '# By the tool\n', expected_hash: sha256('# Old\n') }],
    ['write_content', 'create', { content: '# By the tool\n' }],
    ['delete_content', 'delete', {}],
  ])('is not overwritten by %s (%s)', async (tool, kind, more) => {
    using library = temporaryLibrary();
    const key = `books/${book}/${lessonOf(1)}`;
    library.put(`books/${book}/content/README.md`, '# Book\n');
    library.put(path.join(path.dirname(key), '99-other.md'), '# Other\n');
    if (kind !== 'create') library.put(key, '# Old\n');
    const sleeper = await connectWithDisk(library.root, { stopAt: 'fdatasync' }, 'sleeper');
    const pending = sleeper.call(tool, { book_id: book, path: lessonOf(1), ...more });
    await hasStopped(sleeper.pid);
    library.put(key, '# By the editor\n');
    process.kill(sleeper.pid, 'SIGCONT');
    const result = await pending;
    await sleeper.close();
    // The file may be deleted afterwards, because a delete without an expected hash applies to the current version. A
    // write does not.
    const stored = library.read(key)?.toString();
    const codes = { update: 'CONFLICT', create: 'HASH_REQUIRED', delete: undefined };
    const code = result.isError === true ? errorOf(result)['code'] : undefined;
    expect({ code, stored }).toEqual({
      code: new Map(Object.entries(codes)).get(kind),
      stored: kind === 'delete' ? undefined : '# By the editor\n',
    });
    const versions = library.journal(book).map(record => record.new);
    expect(versions).toContain(sha256('# By the editor\n'));
    expect(library.audit(book)).toEqual([]);
  });
});

/** Waits until a process is in the state "stopped". */
async function hasStopped(pid: number): Promise<void> {
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0]).toBe('T');
}
