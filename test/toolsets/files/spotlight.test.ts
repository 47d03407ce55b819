import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSpotlight, type Spotlight } from '../../../src/toolsets/files/spotlight/spotlight.ts';
import { createFolder, type OpenFiles, openFiles, rowsOf, write } from './open-files.ts';

interface Mac {
  opened: OpenFiles;
  root: string;
  /** Returns the arguments of each call of the script that replaces mdfind. */
  asked(): string[][];
}

/** Opens a server that behaves as on macOS. A script replaces mdfind and has a long time limit. */
async function openMac(
  files: Record<string, string | Buffer>,
  script: (root: string) => string,
  values: { 'files-engine'?: string; 'files-timeout-ms'?: string } = {},
  patienceMs = 600_000,
): Promise<Mac> {
  const root = createFolder(files);
  const tools = createFolder();
  const log = path.join(tools, 'asked');
  const program = write(
    tools,
    'mdfind',
    `#!/bin/sh\nfor argument in "$@"; do printf '%s\\036' "$argument" >> '${log}'; done\nprintf '\\035' >> '${log}'\n${script(root)}\n`,
  );
  chmodSync(program, 0o755);
  const ours = createSpotlight(program, program);
  const spotlight: Spotlight = {
    find: async (query, scope, _, signal) => await ours.find(query, scope, patienceMs, signal),
    describe: async (file, _, signal) => await ours.describe(file, patienceMs, signal),
  };
  const opened = await openFiles({ 'files-root': [root], ...values }, { platform: 'darwin', spotlight });
  return {
    opened,
    root,
    asked: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\x1d')
            .slice(0, -1)
            .map(call => call.split('\x1e').slice(0, -1))
        : [],
  };
}

const answer =
  (...paths: string[]) =>
  (root: string): string =>
    paths.map(name => `printf '%s\\0' '${name.startsWith('/') ? name : `${root}/${name}`}'`).join('\n');

describe('the files toolset on macOS', () => {
  test('passes only words to mdfind, and tests the files that mdfind returns for the phrase', async () => {
    const mac = await openMac(
      {
        'right.txt': 'Lazy "Propagation" here',
        'wrong.txt': 'propagation, not lazy',
        'unlisted.txt': 'lazy propagation',
        '.hidden/x.txt': 'lazy "propagation"',
        'node_modules/x.js': 'lazy "propagation"',
      },
      root =>
        answer(
          'right.txt',
          'wrong.txt',
          'right.txt',
          'gone.txt',
          '.hidden/x.txt',
          'node_modules/x.js',
          root,
          `${root}/../outside.txt`,
          '/etc/hostname',
        )(root),
    );
    const outcome = await mac.opened.call('search', { query: 'lazy "propagation"', scope: mac.root });
    expect(rowsOf(outcome).map(row => row['kMDItemDisplayName'])).toEqual(['right.txt']);
    expect(outcome.structured).toMatchObject({
      engine: 'mdfind',
      truncated: false,
      notes: [expect.stringContaining('what it has not indexed was not looked at')],
    });
    // The result has no counts of skipped files, because listing the folders takes longer than the response.
    expect(outcome.structured).not.toHaveProperty('skipped');
    expect(mac.asked()).toEqual([
      ['-0', '-onlyin', mac.root, 'kMDItemTextContent == "lazy*"cdw && kMDItemTextContent == "propagation*"cdw'],
    ]);
  });

  test('returns the same rows as on other systems, newest first, page by page', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `n${index}.txt`);
    const mac = await openMac({}, answer(...names));
    for (const [index, name] of names.entries()) write(mac.root, name, 'a note', `2026-01-0${index + 1}T00:00:00Z`);
    const outcome = await mac.opened.call('search', { query: 'note', scope: mac.root, limit: 2, offset: 2 });
    expect(outcome.structured).toMatchObject({ engine: 'mdfind', truncated: true, offset: 2 });
    expect(rowsOf(outcome)[0]).toEqual({
      _path: `${mac.root}/n2.txt`,
      kMDItemContentModificationDate: '2026-01-03T00:00:00Z',
      kMDItemContentType: 'public.plain-text',
      kMDItemDisplayName: 'n2.txt',
      kMDItemFSSize: 6,
    });
  });

  test('accepts files that Spotlight found in formats that only Spotlight can read', async () => {
    const mac = await openMac(
      { 'talk.key': 'packed', 'scan.png': 'pixels', 'scan.pdf': '%PDF-1.4', 'code.c': 'x' },
      answer('talk.key', 'scan.png', 'scan.pdf', 'code.c'),
    );
    expect((await mac.opened.paths('search', { query: 'invoice' })).sort()).toEqual([
      'scan.pdf',
      'scan.png',
      'talk.key',
    ]);
  });

  test.each([
    ['finds nothing', ''],
    ['fails', 'exit 1'],
    ['finds only a path outside of the scope', "printf '/etc/passwd\\0'"],
    ['is killed', 'kill -9 $$'],
    ['finds only a file that does not contain the phrase', `printf '%s\\0' "$3/other.txt"`],
    ['prints a path and fails', `printf '%s\\0' "$3/note.txt"; exit 1`],
  ])('returns the results of its own scan if mdfind %s', async (_, script) => {
    const mac = await openMac({ 'note.txt': 'mid-word', 'other.txt': 'nothing' }, () => script);
    const outcome = await mac.opened.call('search', { query: 'word', scope: mac.root });
    expect(rowsOf(outcome)).toHaveLength(1);
    expect(outcome.structured).toMatchObject({ engine: 'scan' });
    expect(mac.asked()).toHaveLength(1);
  });

  test('returns the results of its own scan if mdfind never ends', async () => {
    const mac = await openMac({ 'note.txt': 'word' }, () => 'exec sleep 600', {}, 100);
    const outcome = await mac.opened.call('search', { query: 'word', scope: mac.root });
    expect(rowsOf(outcome)).toHaveLength(1);
    expect(outcome.structured?.['engine']).toBe('scan');
  });

  test('returns the results of its own scan if a child process of mdfind keeps its output open', async () => {
    const pids = path.join(createFolder(), 'pid');
    const mac = await openMac({ 'note.txt': 'word' }, () => `sleep 600 & echo $! > '${pids}'`, {}, 1000);
    // The script is killed only if it was started before. On a busy machine it may not have started yet.
    onTestFinished(() => void (existsSync(pids) && process.kill(Number(readFileSync(pids, 'utf8')))));
    const outcome = await mac.opened.call('search', { query: 'word', scope: mac.root });
    expect(rowsOf(outcome)).toHaveLength(1);
    expect(outcome.structured?.['engine']).toBe('scan');
  });

  test.each(['1', '999', '5001'])('accepts the time limit %s ms in all tools', async limit => {
    const mac = await openMac({ 'note.txt': 'word' }, answer('note.txt'), { 'files-timeout-ms': limit });
    for (const [tool, args] of [
      ['search', { query: 'word' }],
      ['search_by_kind', { kind: 'document' }],
      ['recent_files', {}],
    ] as const) {
      expect((await mac.opened.call(tool, { ...args, scope: mac.root })).isError).toBe(false);
    }
  });

  /** Creates a script that prints its process id and waits until the pipe is written. */
  const slowly = (pipe: string, script: string): string =>
    `case $1 in -0) echo $$ > '${pipe}.pid'; read line < '${pipe}';; esac\n${script}`;
  const createPipe = (): string => {
    const pipe = path.join(createFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    return pipe;
  };

  test('responds to other calls while mdfind is slow', async () => {
    const pipe = createPipe();
    const mac = await openMac({ 'note.txt': 'word', 'unlisted.txt': 'word' }, root =>
      slowly(pipe, `[ "$1" = -0 ] && printf '%s\\0' '${root}/note.txt'`),
    );
    const search = mac.opened.call('search', { query: 'word', scope: mac.root });
    await expect.poll(() => mac.asked().length).toBe(1);
    const described = await mac.opened.call('get_metadata', { path: `${mac.root}/note.txt` });
    expect(described.structured).toMatchObject({ kMDItemFSSize: 4 });
    await writeFile(pipe, 'go\n');
    expect((await search).structured).toMatchObject({
      engine: 'mdfind',
      results: [{ kMDItemDisplayName: 'note.txt' }],
    });
  });

  test('ends a slow mdfind process when its call is cancelled', async () => {
    const pipe = createPipe();
    const mac = await openMac({ 'note.txt': 'word' }, () => slowly(pipe, ''));
    const cancel = new AbortController();
    const asked = mac.opened.client.callTool(
      { name: 'search', arguments: { query: 'word', scope: mac.root } },
      undefined,
      { signal: cancel.signal },
    );
    await expect.poll(() => existsSync(`${pipe}.pid`) && readFileSync(`${pipe}.pid`, 'utf8')).toMatch(/\n/);
    cancel.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    const pid = Number(readFileSync(`${pipe}.pid`, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('returns the results of its own scan if the program mdfind is missing', async () => {
    const root = createFolder({ 'note.txt': 'word' });
    const opened = await openFiles({ 'files-root': [root] }, { platform: 'darwin' });
    expect((await opened.call('search', { query: 'word', scope: root })).structured).toMatchObject({ engine: 'scan' });
  });

  test('truncates an endless output of mdfind and states that the result is incomplete', async () => {
    const mac = await openMac(
      { 'note.txt': 'word' },
      root => `while printf '%s\\0' '${root}/note.txt' '/${'x'.repeat(2000)}'; do :; done`,
    );
    const outcome = await mac.opened.call('search', { query: 'word', scope: mac.root });
    expect(outcome.structured).toMatchObject({ engine: 'mdfind', timedOut: true });
    expect(rowsOf(outcome)).toHaveLength(1);
  });

  test('does not start mdfind if the flag --files-engine forbids it or the phrase has no words', async () => {
    const forced = await openMac({ 'note.txt': 'word' }, answer('note.txt'), { 'files-engine': 'scan' });
    expect((await forced.opened.call('search', { query: 'word', scope: forced.root })).structured?.['engine']).toBe(
      'scan',
    );
    expect(forced.asked()).toEqual([]);
    const mac = await openMac({ 'note.txt': 'a *** b' }, answer('note.txt'));
    expect((await mac.opened.call('search', { query: '***', scope: mac.root })).structured?.['engine']).toBe('scan');
    expect(mac.asked()).toEqual([]);
  });

  test('asks Spotlight for kinds and dates, and tests the files that it returns', async () => {
    const mac = await openMac({ 'a.pdf': '%PDF', 'b.txt': 'x' }, answer('a.pdf', 'b.txt'));
    write(mac.root, 'b.txt', 'x', '2020-01-01T00:00:00Z');
    expect(await mac.opened.paths('search_by_kind', { kind: 'pdf' })).toEqual(['a.pdf']);
    expect(await mac.opened.paths('recent_files', { since: '2026-01-01T00:00:00Z' })).toEqual(['a.pdf']);
    expect(mac.asked().map(call => call[3])).toEqual([
      'kMDItemContentTypeTree == "com.adobe.pdf"',
      'kMDItemContentModificationDate >= $time.iso(2026-01-01T00:00:00Z) && kMDItemContentTypeTree == "public.data"',
    ]);
  });

  test.each([
    ['code', ['main.c', 'lib.rs', 'app.ts', 'query.sql'], 'main.c'],
    ['video', ['movie.mp4', 'movie.mkv'], 'movie.mp4'],
    ['document', ['a.txt', 'b.toml'], 'a.txt'],
  ])(
    'adds files of the kind "%s" that only its own scan knows, and counts skipped entries',
    async (kind, names, known) => {
      const content = Object.fromEntries([...names, '.hidden/x.c', 'node_modules/x.ts'].map(name => [name, 'x']));
      const mac = await openMac(content, answer(known));
      const outcome = await mac.opened.call('search_by_kind', { kind, scope: mac.root });
      expect(outcome.structured?.['results']).toHaveLength(names.length);
      expect(outcome.structured).toMatchObject({ engine: 'scan', skipped: { hidden: 1, generated: 1 } });
    },
  );

  test('adds a file that only Spotlight found, after a test of its kind', async () => {
    const mac = await openMac({ 'a.pdf': '%PDF' }, answer('deep/late.pdf', 'a.pdf'));
    expect(await mac.opened.paths('search_by_kind', { kind: 'pdf' })).toEqual(['a.pdf']);
    write(mac.root, 'deep/late.pdf', '%PDF', '2020-01-01T00:00:00Z');
    // Spotlight or the index has found the file, depending on whether the folders were listed again.
    const outcome = await mac.opened.call('search_by_kind', { kind: 'pdf', scope: mac.root });
    expect(rowsOf(outcome).map(row => row['kMDItemDisplayName'])).toEqual(['a.pdf', 'late.pdf']);
  });

  test('omits a file that Spotlight returns if its path contains a symbolic link', async () => {
    const mac = await openMac({ 'note.txt': 'word' }, answer('note.txt', 'link.txt', 'way-out/secret.txt'));
    const outside = createFolder({ 'secret.txt': 'word' });
    symlinkSync(path.join(outside, 'secret.txt'), path.join(mac.root, 'link.txt'));
    symlinkSync(outside, path.join(mac.root, 'way-out'));
    expect(await mac.opened.paths('search', { query: 'word' })).toEqual(['note.txt']);
  });

  test('returns the attributes that the command mdls prints in the result of get_metadata', async () => {
    const plist =
      '<plist><dict><key>kMDItemFSSize</key><integer>999</integer><key>kMDItemWhereFroms</key><array><string>https://example.org</string></array><key>kMDItemTextContent</key><string>no</string></dict></plist>';
    const mac = await openMac({ 'note.txt': 'word' }, () => `cat <<'END'\n${plist}\nEND`);
    const { structured } = await mac.opened.call('get_metadata', { path: `${mac.root}/note.txt` });
    expect(structured).toMatchObject({ kMDItemFSSize: 4, kMDItemWhereFroms: ['https://example.org'] });
    expect(structured?.['kMDItemTextContent']).toBeUndefined();
    expect(mac.asked()).toEqual([['-plist', '-', `${mac.root}/note.txt`]]);
  });
});

test('the files toolset passes the words of a phrase to mdfind as the client wrote them', async () => {
  const mac = await openMac({ 'a.txt': 'RÉSUMÉ 한글' }, answer('a.txt'));
  expect(await mac.opened.paths('search', { query: 'Résumé  한글' })).toEqual(['a.txt']);
  expect(mac.asked()[0]?.[3]).toBe('kMDItemTextContent == "Résumé*"cdw && kMDItemTextContent == "한글*"cdw');
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
