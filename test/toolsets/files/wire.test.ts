import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { assemble, stream } from './pdf.ts';
import { createFolder, write } from './room.ts';

type Message = Record<string, unknown> & { id?: unknown; method?: string; result?: Record<string, unknown> };

interface Server {
  child: ChildProcess;
  send(id: number, method: string, params?: object): void;
  notify(method: string, params: object): void;
  /** The next message that fits; those before it are kept in `seen`. */
  until(fits: (message: Message) => boolean): Promise<Message>;
  seen: Message[];
  stderr(): string;
  ask(tool: string, args: object, meta?: object): Promise<Message>;
  end(): Promise<void>;
}

const nobody = 65_534;
const built = path.resolve('dist/oj-mcp.cjs');

/** The built file as a host starts it; as nobody when these tests run as root. */
async function start(flags: readonly string[], env: Record<string, string> = {}): Promise<Server> {
  const isRoot = process.getuid?.() === 0;
  const home = createFolder();
  const program = path.join(home, 'oj-mcp.cjs');
  cpSync(built, program);
  chmodSync(home, 0o755);
  const child = spawn(process.execPath, [program, '--toolsets', 'files', ...flags], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const seen: Message[] = [];
  const waiting: { fits: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];
  let [rest, errors, lastId] = ['', '', 100];
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message: Message = JSON.parse(line);
      seen.push(message);
      for (const waiter of waiting.filter(({ fits }) => fits(message))) {
        waiting.splice(waiting.indexOf(waiter), 1);
        waiter.resolve(message);
      }
    }
  });
  const post = (message: object): void =>
    void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const until: Server['until'] = async fits =>
    seen.find(fits) ?? (await new Promise(resolve => waiting.push({ fits, resolve })));
  const server: Server = {
    child,
    seen,
    until,
    send: (id, method, params = {}) => post({ id, method, params }),
    notify: (method, params) => post({ method, params }),
    stderr: () => errors,
    ask: async (name, args, meta) => {
      const id = ++lastId;
      post({ id, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } });
      return await until(message => message.id === id);
    },
    end: async () => {
      child.stdin?.end();
      await once(child, 'exit');
    },
  };
  server.send(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  await until(message => message.id === 0);
  return server;
}

function structured(message: Message): Record<string, unknown> {
  const value: unknown = message.result?.['structuredContent'];
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function names(message: Message): string[] {
  const rows: { kMDItemDisplayName: string }[] = JSON.parse(JSON.stringify(structured(message)['results'] ?? []));
  return rows.map(row => row.kMDItemDisplayName);
}

/** A document that keeps a reader busy until the step limit or the deadline ends it. */
function slowPdf(): Buffer {
  const pages = Array.from({ length: 10_000 }, () => '<< /Type /Page /Contents 3 0 R >>');
  const kids = pages.map((_, index) => `${index + 4} 0 R`).join(' ');
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] >>`,
    stream('', Buffer.from('1 '.repeat(9000))),
    ...pages,
  ]);
}

function openFolder(content: Readonly<Record<string, string | Buffer>>): string {
  const folder = createFolder(content);
  chmodSync(folder, 0o755);
  return folder;
}

function threads(server: Server): number {
  return readdirSync(`/proc/${server.child.pid}/task`).length;
}

describe('while a search is running', { timeout: 30_000 }, () => {
  test('pings are answered, other searches too, and a cancelled one never is', async () => {
    const root = openFolder({ 'slow.pdf': slowPdf(), 'quick/note.txt': 'needle' });
    const server = await start(['--files-root', root]);
    server.send(1, 'tools/call', { name: 'search', arguments: { query: 'needle', scope: root } });
    server.send(2, 'ping');
    await server.until(({ id }) => id === 2);
    expect(names(await server.ask('search', { query: 'needle', scope: `${root}/quick` }))).toEqual(['note.txt']);
    expect(server.seen.some(({ id }) => id === 1)).toBe(false);
    server.notify('notifications/cancelled', { requestId: 1 });
    expect(names(await server.ask('search', { query: 'needle', scope: root }))).toEqual(['note.txt']);
    await server.end();
    expect(server.seen.some(({ id }) => id === 1)).toBe(false);
  });

  test('one whose time is up gives what it has and says so; the next one is complete', async () => {
    const root = openFolder({ 'slow.pdf': slowPdf(), 'note.txt': 'needle' });
    const server = await start(['--files-root', root, '--files-timeout-ms', '700']);
    const partial = await server.ask('search', { query: 'needle', scope: root });
    expect(names(partial)).toEqual(['note.txt']);
    expect(structured(partial)).toMatchObject({ timedOut: true });
    const turns: Record<string, unknown>[] = [];
    do turns.push(structured(await server.ask('search', { query: 'needle', scope: root })));
    while (turns.at(-1)?.['timedOut'] === true && turns.length < 20);
    expect(turns.at(-1)).toMatchObject({ skipped: { unparsed: 1 } });
  });

  test('a walk whose time is up stops as well', async () => {
    const root = openFolder({});
    for (let folder = 0; folder < 300; folder++) {
      mkdirSync(path.join(root, `${folder}`));
      for (let file = 0; file < 40; file++) write(root, `${folder}/${file}.txt`, 'needle');
    }
    const server = await start(['--files-root', root, '--files-timeout-ms', '1']);
    for (const [tool, args] of [
      ['search', { query: 'needle' }],
      ['recent_files', {}],
      ['search_by_kind', { kind: 'document' }],
    ] as const) {
      const answer = structured(await server.ask(tool, { scope: root, ...args }));
      expect(answer).toMatchObject({ timedOut: true });
    }
    const patient = await start(['--files-root', root]);
    expect(names(await patient.ask('search', { query: 'needle', scope: root, limit: 1000 }))).toHaveLength(1000);
  });

  test('progress is told to those who asked for it, and only grows', async () => {
    const root = openFolder({ 'slow.pdf': slowPdf(), 'note.txt': 'needle', 'other.md': 'needle' });
    const server = await start(['--files-root', root]);
    await server.ask('search', { query: 'needle', scope: root }, { progressToken: 'p' });
    const told = server.seen.flatMap(({ method, params }) =>
      method === 'notifications/progress' ? [JSON.stringify(params)] : [],
    );
    const values = told.map((text): { progressToken: string; progress: number; total: number } => JSON.parse(text));
    expect(values.length).toBeGreaterThan(0);
    expect(values.every(({ progressToken, progress, total }) => progressToken === 'p' && progress <= total)).toBe(true);
    expect(values.map(({ progress }) => progress)).toEqual(
      [...new Set(values.map(({ progress }) => progress))].toSorted((left, right) => left - right),
    );
    server.seen.length = 0;
    await server.ask('search', { query: 'needle', scope: `${root}/.` });
    expect(server.seen.some(({ method }) => method === 'notifications/progress')).toBe(false);
  });
});

describe('the server', { timeout: 30_000 }, () => {
  test.runIf(process.platform === 'linux')(
    'answers initialize and lists its tools before a thread is started or a root is looked at',
    async () => {
      const base = openFolder({});
      const server = await start(['--files-root', path.join(base, 'later')]);
      server.send(1, 'tools/list');
      await server.until(({ id }) => id === 1);
      const before = threads(server);
      write(base, 'later/note.txt', 'needle');
      expect(names(await server.ask('search', { query: 'needle', scope: `${base}/later` }))).toEqual(['note.txt']);
      expect(threads(server)).toBeGreaterThanOrEqual(before + 2);
    },
  );

  test('needs no rights: what it may not read is passed over and counted', async () => {
    const root = openFolder({ 'open.txt': 'needle', 'closed.txt': 'needle', 'shut/in.txt': 'needle' });
    chmodSync(path.join(root, 'closed.txt'), 0);
    chmodSync(path.join(root, 'shut'), 0);
    const server = await start(['--files-root', root]);
    const answer = await server.ask('search', { query: 'needle', scope: root });
    expect(names(answer)).toEqual(['open.txt']);
    expect(structured(answer)['skipped']).toEqual({ unreadable: 2 });
    expect(names(await server.ask('search_by_kind', { kind: 'document', scope: root })).sort()).toEqual([
      'closed.txt',
      'open.txt',
    ]);
    chmodSync(path.join(root, 'shut'), 0o700);
  });

  test('says nothing of names, contents or folders on stderr, and writes nothing anywhere', async () => {
    const root = openFolder({
      'confidential-name.txt': 'confidential content',
      'broken-name.pdf': '%PDF-1.4',
      'x.docx': 'PK',
    });
    const temporary = openFolder({});
    if (process.getuid?.() === 0) chownSync(temporary, nobody, nobody);
    const state = (): unknown =>
      readdirSync(root, { withFileTypes: true }).map(({ name }) => [
        name,
        statSync(path.join(root, name)).mtimeMs,
        statSync(path.join(root, name)).ctimeMs,
      ]);
    const before = state();
    const server = await start(['--files-root', root], { OJ_MCP_LOG: 'trace', TMPDIR: temporary });
    await server.ask('search', { query: 'confidential', scope: root });
    await server.ask('recent_files', { scope: root });
    await server.ask('search_by_kind', { kind: 'pdf', scope: root });
    await server.ask('get_metadata', { path: `${root}/confidential-name.txt` });
    await server.ask('get_metadata', { path: `${root}/confidential-missing.txt` });
    await server.ask('search', { query: 'confidential', scope: '/confidential-outside' });
    await server.end();
    expect(server.stderr()).toContain('search took');
    expect(server.stderr()).not.toMatch(/confidential|broken-name/);
    expect(server.stderr()).not.toContain(root);
    expect(readdirSync(temporary)).toEqual([]);
    expect(state()).toEqual(before);
  });

  test('a demonstration brings its own folder and takes it away again', async () => {
    const temporary = openFolder({});
    if (process.getuid?.() === 0) chownSync(temporary, nobody, nobody);
    const server = await start(['--demo'], { TMPDIR: temporary });
    const refusal = await server.ask('search', { query: 'lazy', scope: '/demo' });
    const folder =
      /may be searched: (.*)\.$/.exec(JSON.stringify(refusal.result?.['content']).replace(/"\}\]$/, ''))?.[1] ?? '';
    expect(folder.startsWith(temporary)).toBe(true);
    expect(names(await server.ask('search', { query: 'LAZY propagation', scope: folder }))).toEqual([
      'segment-tree.md',
    ]);
    expect(names(await server.ask('search', { query: 'resume', scope: folder }))).toEqual(['café.txt']);
    expect(names(await server.ask('search_by_kind', { kind: 'code', scope: folder }))).toEqual([
      'two-sum.py',
      'dijkstra.cpp',
    ]);
    expect(names(await server.ask('search_by_kind', { kind: 'image', scope: folder }))).toEqual(['dot.gif']);
    expect(structured(await server.ask('get_metadata', { path: `${folder}/pictures/dot.gif` }))).toMatchObject({
      kMDItemPixelWidth: 1,
    });
    await server.end();
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('several roots may be given, by flags or by a variable', async () => {
    const [first, second] = [openFolder({ 'a.txt': 'needle' }), openFolder({ 'b.txt': 'needle' })];
    const byFlags = await start(['--files-root', first, '--files-root', second]);
    const byVariable = await start([], { OJ_MCP_FILES_ROOT: [first, second].join(path.delimiter) });
    for (const server of [byFlags, byVariable]) {
      expect(names(await server.ask('search', { query: 'needle', scope: first }))).toEqual(['a.txt']);
      expect(names(await server.ask('search', { query: 'needle', scope: second }))).toEqual(['b.txt']);
    }
  });

  test('is off unless it is asked for', () => {
    const help = execFileSync(process.execPath, [built, '--help'], { encoding: 'utf8' });
    expect(help).toMatch(/files +The user's own files/);
    expect(readFileSync(built, 'utf8')).not.toMatch(/files +The user's own files.*\(default\)/);
  });
});
