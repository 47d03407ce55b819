import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundle, longTimeouts } from '../../support/program.ts';
import { book, chapter, introText, lesson, sampleLibrary } from './sample.ts';
import { errorOf, objectOf } from './support/answer.ts';
import type { Connection } from './support/client.ts';
import { connectWithDisk } from './support/disk.ts';
import type { TemporaryLibrary } from './support/library.ts';

const fresh = `${chapter}/40-fresh.md`;

function stateOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';
}

/** At this clock speed the server waits half a second instead of 5 seconds for a lock that is never released. */
const hasty = { pace: 10 };

/** Starts a process that becomes a zombie: it has ended, and its parent does not wait for it. */
async function zombie(): Promise<Disposable & { pid: number }> {
  const script = 'cat <&3 >/dev/null & echo $!; exec sleep 60 3<&-';
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
  const [, output, , input] = parent.stdio;
  if (output === null || input === null || input === undefined) throw new Error('the shell has no pipes');
  const [line] = await once(output, 'data');
  const pid = Number(line);
  // The test waits until `sleep` has replaced the shell, because the shell would read the exit status of its child.
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim()).toBe('sleep');
  input.destroy();
  await expect.poll(() => stateOf(pid)).toBe('Z');
  return { pid, [Symbol.dispose]: () => void parent.kill() };
}

describe('the lock of a book', () => {
  const write = { book_id: book, path: fresh, content: 'x' };

  async function stoppedHolder(library: TemporaryLibrary): Promise<{ holder: Connection; done: Promise<unknown> }> {
    const holder = await connectWithDisk(library.root, { stopAt: 'fdatasync' });
    const done = holder.call('write_content', { book_id: book, path: `${chapter}/41-slow.md`, content: 'slow' });
    await expect.poll(() => stateOf(holder.pid)).toBe('T');
    return { holder, done };
  }

  test('blocks writers in a copy of the library at most until its lease ends', async () => {
    using library = sampleLibrary();
    using copy = sampleLibrary();
    const { holder, done } = await stoppedHolder(library);
    rmSync(copy.root, { recursive: true });
    cpSync(library.root, copy.root, { recursive: true });
    const early = await connectWithDisk(copy.root, hasty);
    expect(errorOf(await early.call('write_content', write))['code']).toBe('BUSY');
    await early.close();
    const other = await connectWithDisk(copy.root, { aged: { lock: 31_000 } });
    expect((await other.call('write_content', write)).isError).toBe(false);
    process.kill(holder.pid, 'SIGCONT');
    await done;
    await Promise.all([holder.close(), other.close()]);
    expect([...library.audit(book), ...copy.audit(book)]).toEqual([]);
  });

  test.each([
    { what: 'another machine', change: { host: 'elsewhere' } },
    { what: 'another container', change: { pidNamespace: 'pid:[1]' } },
  ])('blocks other writers until its lease of 30 seconds ends if its holder runs on $what', async ({ change }) => {
    for (const [ageMs, outcome] of [
      [20_000, 'BUSY'],
      [31_000, 'success'],
    ] as const) {
      using library = sampleLibrary();
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const machine = readFileSync('/etc/machine-id', 'utf8').trim();
      const here = { host: `${hostname()} ${machine}`.trim(), boot, pidNamespace: 'pid:[2]', folder: '1' };
      const holder = { ...here, ...change, pid: 1, started: '1', nonce: crypto.randomUUID() };
      library.put(`.oj-books/${book}/lock`, JSON.stringify(holder));
      const connection = await connectWithDisk(library.root, { ...hasty, aged: { lock: ageMs } });
      const result = await connection.call('write_content', write);
      await connection.close();
      expect(result.isError === true ? errorOf(result)['code'] : objectOf(result)['status']).toBe(outcome);
    }
  });

  test('is acquired after the end of its lease even if the time limit for waiting has already passed', async () => {
    using library = sampleLibrary();
    const holder = { host: 'elsewhere', boot: '1', pidNamespace: 'pid:[1]', folder: '1', pid: 1, started: '1' };
    library.put(`.oj-books/${book}/lock`, JSON.stringify({ ...holder, nonce: crypto.randomUUID() }));
    // With this clock all waiting times pass immediately, as on a machine that is too busy to continue in time.
    const connection = await connectWithDisk(library.root, { pace: 1e9, aged: { lock: 31_000 } });
    expect(objectOf(await connection.call('write_content', write))['status']).toBe('success');
    await connection.close();
  });

  test('is respected if the operating system hides the process that holds it', async () => {
    using library = sampleLibrary();
    const { holder, done } = await stoppedHolder(library);
    const other = await connectWithDisk(library.root, { ...hasty, hidden: true });
    expect(errorOf(await other.call('write_content', write))['code']).toBe('BUSY');
    process.kill(holder.pid, 'SIGCONT');
    await done;
    await Promise.all([holder.close(), other.close()]);
    expect(library.audit(book)).toEqual([]);
  });

  test('makes other servers write their audit notes to stderr at exit if it is never released', async () => {
    using library = sampleLibrary();
    const { holder, done } = await stoppedHolder(library);
    const clientInfo = { name: 'reader', version: '1' };
    const messages = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
      { id: 2, method: 'tools/call', params: { name: 'read_content', arguments: { book_id: book, path: lesson } } },
    ];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [...longTimeouts, bundle, '--toolsets', 'books', '--books-root', library.root],
      {
        input: messages.map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
        encoding: 'utf8',
      },
    );
    process.kill(holder.pid, 'SIGCONT');
    await done;
    await holder.close();
    expect(stdout).toContain('Hello, reader.');
    expect(stderr).toMatch(/oj-mcp: audit .*"agent":"reader","operation":"read_content"/);
  });

  test('does not block delta_build if it is never released', async () => {
    using library = sampleLibrary();
    const { holder, done } = await stoppedHolder(library);
    const other = await connectWithDisk(library.root, hasty);
    const args = { book_id: book, since: '2025-01-01T00:00:00Z' };
    expect(objectOf(await other.call('delta_build', args))).toMatchObject({ changed_count: 11, deleted_files: [] });
    process.kill(holder.pid, 'SIGCONT');
    await done;
    await Promise.all([holder.close(), other.close()]);
  });

  test('leaves no lock file if it cannot be written, and lessons can still be read', async () => {
    using library = sampleLibrary();
    const steps = ['writeFileSync', 'writeSync', 'write'].map(step => ({ step, code: 'ENOSPC', torn: true }));
    const full = await connectWithDisk(library.root, { refuse: steps });
    expect(objectOf(await full.call('read_content', { book_id: book, path: lesson }))['content']).toBe(introText);
    const delta = await full.call('delta_build', { book_id: book, since: '2025-01-01T00:00:00Z' });
    expect(objectOf(delta)['changed_count']).toBe(11);
    expect(errorOf(await full.call('write_content', write))['message']).toContain('the disk is full');
    await full.close();
    expect(readdirSync(path.join(library.root, '.oj-books', book))).toEqual([]);
  });

  test('is acquired if its holder is dead or belongs to an earlier boot', async () => {
    using library = sampleLibrary();
    const { holder, done } = await stoppedHolder(library);
    const lock = path.join(library.root, '.oj-books', book, 'lock');
    const text = readFileSync(lock, 'utf8');
    process.kill(holder.pid, 'SIGKILL');
    await done.catch(() => {});
    await holder.close();
    // The test cases are locks held by a process id that now belongs to another process, by a process of an earlier
    // boot, and by a zombie process.
    const whole = (pid: number): object => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return { pid, started: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] };
    };
    using unburied = await zombie();
    const changes = { dead: {}, reborn: { pid: process.pid, started: '1' } };
    const others = { boot: { ...whole(process.pid), boot: 'an earlier one' }, zombie: whole(unburied.pid) };
    for (const [name, change] of Object.entries({ ...changes, ...others })) {
      rmSync(lock, { force: true });
      writeFileSync(`${lock}.new`, JSON.stringify({ ...JSON.parse(text), ...change, nonce: crypto.randomUUID() }));
      renameSync(`${lock}.new`, lock);
      const next = await connectWithDisk(library.root);
      const own = await next.call('write_content', { ...write, path: `${chapter}/42-${name}.md` });
      await next.close();
      expect({ name, isError: own.isError }).toEqual({ name, isError: false });
    }
    expect(library.audit(book)).toEqual([]);
  });

  test('is removed, together with abandoned lock files, if it is unreadable after a power failure', async () => {
    using library = sampleLibrary();
    library.put(`.oj-books/${book}/lock`, '{"host":"');
    library.put(`.oj-books/${book}/lock-dead`, '');
    library.put(`.oj-books/${book}/lock-fresh`, '');
    const next = await connectWithDisk(library.root, { aged: { 'lock-dead': 3_600_000 } });
    expect((await next.call('write_content', write)).isError).toBe(false);
    await next.close();
    const left = readdirSync(path.join(library.root, '.oj-books', book)).toSorted();
    expect(left).toEqual(['journal', 'lock-fresh', 'tmp']);
  });
});
