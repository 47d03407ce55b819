import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from '../../support/program.ts';
import { names, nobody, openFolder, type Server, start, structured } from './built.ts';
import { write } from './open-files.ts';

function threads(server: Server): number {
  return readdirSync(`/proc/${server.child.pid}/task`).length;
}

describe('the server with the files toolset', () => {
  test.runIf(process.platform === 'linux')(
    'answers initialize and tools/list before it starts a thread or reads a root',
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

  test('skips files without read permission, states their number and names them', async () => {
    const root = openFolder({ 'open.txt': 'needle', 'closed.txt': 'needle', 'shut/in.txt': 'needle' });
    chmodSync(path.join(root, 'closed.txt'), 0);
    chmodSync(path.join(root, 'shut'), 0);
    const server = await start(['--files-root', root]);
    const answer = await server.ask('search', { query: 'needle', scope: root });
    expect(names(answer)).toEqual(['open.txt']);
    expect(structured(answer)['skipped']).toEqual({ unreadable: 2 });
    expect(structured(answer)['notes']).toEqual([
      'Not searched: 2 entries without permission or with a name that is not UTF-8 (closed.txt, shut/).',
    ]);
    expect(names(await server.ask('search_by_kind', { kind: 'document', scope: root })).sort()).toEqual([
      'closed.txt',
      'open.txt',
    ]);
    chmodSync(path.join(root, 'shut'), 0o700);
  });

  test('states the number of files in a folder without search permission', async () => {
    const root = openFolder({ 'open.txt': 'needle', 'names/a.txt': 'needle', 'names/b.txt': 'needle' });
    const closed = path.join(root, 'names');
    chmodSync(closed, 0o744);
    if (process.getuid?.() !== 0) chmodSync(closed, 0o644);
    const server = await start(['--files-root', root]);
    for (const [tool, args] of [
      ['search', { query: 'needle' }],
      ['recent_files', {}],
      ['search_by_kind', { kind: 'document' }],
    ] as const) {
      const answer = await server.ask(tool, { scope: root, ...args });
      expect(names(answer)).toEqual(['open.txt']);
      expect(structured(answer)['skipped']).toEqual({ unreadable: 2 });
    }
    const described = await server.ask('get_metadata', { path: path.join(closed, 'a.txt') });
    expect(JSON.stringify(described.result?.['content'])).toContain('is in a folder that cannot be read');
    chmodSync(closed, 0o700);
  });

  test('writes no paths or contents to stderr, and creates no files', async () => {
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
    expect(server.stderr()).toContain('search: answered');
    expect(server.stderr()).not.toMatch(/confidential|broken-name/);
    expect(server.stderr()).not.toContain(root);
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(server.home)).toEqual(['oj-mcp.cjs']);
    expect(state()).toEqual(before);
  });

  test('creates a sample folder for --demo and deletes it at exit', async () => {
    const temporary = openFolder({});
    if (process.getuid?.() === 0) chownSync(temporary, nobody, nobody);
    const server = await start(['--demo'], { TMPDIR: temporary });
    const refusal = await server.ask('search', { query: 'lazy', scope: '/demo' });
    const folder =
      /can be searched: (.*)\.$/.exec(JSON.stringify(refusal.result?.['content']).replace(/"\}\]$/, ''))?.[1] ?? '';
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

  test('accepts several roots as flags or in one environment variable', async () => {
    const [first, second] = [openFolder({ 'a.txt': 'needle' }), openFolder({ 'b.txt': 'needle' })];
    const byFlags = await start(['--files-root', first, '--files-root', second]);
    const byVariable = await start([], { OJ_MCP_FILES_ROOT: [first, second].join(path.delimiter) });
    for (const server of [byFlags, byVariable]) {
      expect(names(await server.ask('search', { query: 'needle', scope: first }))).toEqual(['a.txt']);
      expect(names(await server.ask('search', { query: 'needle', scope: second }))).toEqual(['b.txt']);
    }
  });

  test('lists no tools of the toolset unless the toolset is enabled', async () => {
    const { stdout } = await runProgram(['--help']);
    expect(stdout).toMatch(/TOOLSET files\n  The user's own files.*enable with --toolsets files/);
  });
});
