import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { book, chapter, introText, lesson, openSample, sampleLibrary } from './sample.ts';
import { errorOf, objectOf } from './support/answer.ts';
import { type Connection, connect } from './support/client.ts';
import { sha256, type TemporaryLibrary } from './support/library.ts';

const disk = path.resolve(import.meta.dirname, 'support/disk.cjs');
const fresh = `${chapter}/40-fresh.md`;

async function server(root: string, plan: Record<string, unknown> = {}): Promise<Connection> {
  return await connect({
    args: ['--toolsets', 'books', '--books-root', root],
    preload: [disk],
    env: { DISK_PLAN: JSON.stringify({ root, ...plan }) },
    stderr: 'ignore',
  });
}

/** Puts something in the place of a file that should be plain. */
const obstacles: Record<string, (file: string) => void> = {
  'a dangling link': file => symlinkSync('/nonexistent/x', file),
  'a link to a file': file => symlinkSync('/etc/hostname', file),
  'a pipe': file => void execFileSync('mkfifo', [file]),
  'a folder': file => mkdirSync(file),
};

const places = ['lock', 'journal.jsonl'].flatMap(name => Object.keys(obstacles).map(kind => ({ name, kind })));

describe('what the library keeps its books with', () => {
  it.each(places)(
    'must be plain files: $kind in the place of $name stops no reader and is named',
    async ({ name, kind }) => {
      using sample = await openSample();
      const folder = path.join(sample.library.root, '.oj-books', book);
      mkdirSync(folder, { recursive: true });
      obstacles[kind]?.(path.join(folder, name));
      expect(objectOf(await sample.call('read_content', { book_id: book, path: lesson }))['content']).toBe(introText);
      const refused = {
        error: 'StorageError',
        code: 'UNAVAILABLE',
        message: expect.stringContaining(`.oj-books/${book}/${name} is `),
        suggestion: expect.stringContaining('remove'),
      };
      const write = ['write_content', { book_id: book, path: fresh, content: 'x' }] as const;
      // The journal is also read, without the lock.
      const calls = name === 'lock' ? [write] : [write, ['validate_book', { book_id: book }] as const];
      for (const [tool, args] of calls) expect(errorOf(await sample.call(tool, args))).toMatchObject(refused);
      expect(sample.library.read(`books/${book}/${fresh}`)).toBeUndefined();
      rmSync(path.join(folder, name), { recursive: true });
      expect((await sample.call('write_content', { book_id: book, path: fresh, content: 'x' })).isError).toBe(false);
    },
  );
});

describe('a change that was begun and whose file is out of sight', () => {
  const begin = (library: TemporaryLibrary, file: string): void => {
    const record = { kind: 'intent', seq: 1, time: '2025-01-01T00:00:00.000Z', book, agent: 'dead', path: file };
    const more = { operation: 'write_content', user: '__base__', prev: null, new: sha256('x'), status: 'pending' };
    library.put(
      `.oj-books/${book}/journal.jsonl`,
      `${JSON.stringify({ ...record, ...more, chain: '0'.repeat(64) })}\n`,
    );
  };

  it.each([
    ['a link', `${chapter}/30-other.md`, (file: string) => symlinkSync('/etc/hostname', file)],
    ['a folder', `${chapter}/30-other.md`, (file: string) => mkdirSync(file)],
    ['no path', '', () => {}],
    ['a path out of the library', '../../x', () => {}],
  ])('does not hold up the book: %s', async (_, file, put) => {
    using sample = await openSample();
    put(path.join(sample.library.root, 'books', book, file));
    begin(sample.library, file);
    expect((await sample.call('write_content', { book_id: book, path: fresh, content: 'x' })).isError).toBe(false);
    const [, end] = sample.library.journal(book);
    expect(end).toMatchObject({ kind: 'abort', path: file, error: 'INVALID_PATH' });
    expect((await sample.call('delta_build', { book_id: book, since: '2025-01-01T00:00:00Z' })).isError).toBe(false);
  });

  it('has an unknown end when the file has neither its old bytes nor the new', async () => {
    using sample = await openSample();
    const file = `${chapter}/30-other.md`;
    sample.library.put(`books/${book}/${file}`, 'by an editor, later');
    begin(sample.library, file);
    await sample.call('write_content', { book_id: book, path: fresh, content: 'x' });
    expect(sample.library.journal(book)[1]).toMatchObject({ kind: 'abort', path: file, status: 'unknown' });
  });
});

describe('a lock', () => {
  const write = { book_id: book, path: fresh, content: 'x' };

  async function stoppedHolder(library: TemporaryLibrary): Promise<{ holder: Connection; done: Promise<unknown> }> {
    const holder = await server(library.root, { stopAt: 'fdatasync' });
    const done = holder.call('write_content', { book_id: book, path: `${chapter}/41-slow.md`, content: 'slow' });
    const state = (): string => readFileSync(`/proc/${holder.pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';
    await expect.poll(state, { timeout: 20_000, interval: 5 }).toBe('T');
    return { holder, done };
  }

  it('that came with a copy of the library holds up nobody', async () => {
    using library = sampleLibrary();
    using copy = sampleLibrary();
    const { holder, done } = await stoppedHolder(library);
    rmSync(copy.root, { recursive: true });
    cpSync(library.root, copy.root, { recursive: true });
    const other = await server(copy.root);
    expect((await other.call('write_content', write)).isError).toBe(false);
    process.kill(holder.pid, 'SIGCONT');
    await done;
    await Promise.all([holder.close(), other.close()]);
    expect([...library.audit(book), ...copy.audit(book)]).toEqual([]);
  });

  it.each([
    { what: 'another machine', change: { host: 'elsewhere' } },
    { what: 'another container', change: { pidNamespace: 'pid:[1]' } },
  ])('of $what is kept for the 30 seconds of its lease, and no longer', async ({ change }) => {
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
      const connection = await server(library.root, { lockAgeMs: ageMs });
      const result = await connection.call('write_content', write);
      await connection.close();
      expect(result.isError === true ? errorOf(result)['code'] : objectOf(result)['status']).toBe(outcome);
    }
  });

  it('of a living process that cannot be seen is kept', async () => {
    using library = sampleLibrary();
    const { holder, done } = await stoppedHolder(library);
    const other = await server(library.root, { hidden: true });
    expect(errorOf(await other.call('write_content', write))['code']).toBe('BUSY');
    process.kill(holder.pid, 'SIGCONT');
    await done;
    await Promise.all([holder.close(), other.close()]);
    expect(library.audit(book)).toEqual([]);
  });

  it('that is not let go leaves the visits of others to stderr when they go', async () => {
    using library = sampleLibrary();
    const { holder, done } = await stoppedHolder(library);
    const clientInfo = { name: 'reader', version: '1' };
    const messages = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
      { id: 2, method: 'tools/call', params: { name: 'read_content', arguments: { book_id: book, path: lesson } } },
    ];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['dist/oj-mcp.cjs', '--toolsets', 'books', '--books-root', library.root],
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

  it('that is not let go keeps nobody from asking what has changed', async () => {
    using library = sampleLibrary();
    const { holder, done } = await stoppedHolder(library);
    const other = await server(library.root);
    const args = { book_id: book, since: '2025-01-01T00:00:00Z' };
    expect(objectOf(await other.call('delta_build', args))).toMatchObject({ changed_count: 11, deleted_files: [] });
    process.kill(holder.pid, 'SIGCONT');
    await done;
    await Promise.all([holder.close(), other.close()]);
  });

  it('that cannot be written leaves nothing behind, and reading goes on', async () => {
    using library = sampleLibrary();
    const steps = ['writeFileSync', 'writeSync', 'write'].map(step => ({ step, code: 'ENOSPC', torn: true }));
    const full = await server(library.root, { refuse: steps });
    expect(objectOf(await full.call('read_content', { book_id: book, path: lesson }))['content']).toBe(introText);
    const delta = await full.call('delta_build', { book_id: book, since: '2025-01-01T00:00:00Z' });
    expect(objectOf(delta)['changed_count']).toBe(11);
    expect(errorOf(await full.call('write_content', write))['message']).toContain('the disk is full');
    await full.close();
    expect(readdirSync(path.join(library.root, '.oj-books', book))).toEqual([]);
  });

  it('of a process that has died, or of a boot that is over, is taken over', async () => {
    using library = sampleLibrary();
    const { holder, done } = await stoppedHolder(library);
    const lock = path.join(library.root, '.oj-books', book, 'lock');
    const text = readFileSync(lock, 'utf8');
    process.kill(holder.pid, 'SIGKILL');
    await done.catch(() => {});
    await holder.close();
    for (const change of [{}, { started: '1' }, { boot: 'an earlier one' }]) {
      rmSync(lock, { force: true });
      writeFileSync(`${lock}.new`, JSON.stringify({ ...JSON.parse(text), ...change, nonce: crypto.randomUUID() }));
      renameSync(`${lock}.new`, lock);
      const next = await server(library.root);
      const name = `${chapter}/42-${Object.keys(change)[0] ?? 'dead'}.md`;
      expect((await next.call('write_content', { ...write, path: name })).isError).toBe(false);
      await next.close();
    }
    expect(library.audit(book)).toEqual([]);
  });
});
