import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, emptyFolder, runProgram } from '../../../support/program.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  mkdirSync(path.join(folder, 'notes'));
  writeFileSync(path.join(folder, 'notes', 'one.md'), '# One\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const inLibrary = (...args: string[]): string[] => ['--books-root', path.join(folder, 'library'), ...args];

describe('the command line option --books-import', () => {
  test('shows its plan without --yes, imports with it, and lets the book be exported to a new folder', async () => {
    const notes = path.join(folder, 'notes');
    mkdirSync(path.join(folder, 'library'));
    const shown = await runProgram(inLibrary('--books-import', notes, '--book', 'my-notes'));
    expect(shown.stdout).toContain('+ one.md → content/01-notes/01-One/01-One.md');
    expect(shown.code).toBe(0);
    expect(readdirSync(path.join(folder, 'library'))).toEqual([]);
    const done = await runProgram(inLibrary('--books-import', notes, '--book', 'my-notes', '--yes'));
    expect(done.stdout).toContain('Imported into books/my-notes: 1 file written.');
    expect(done.stdout).toContain('Without --books-extras, contents that the import replaces');
    const kept = await runProgram(inLibrary('--books-import', notes, '--book', 'my-notes', '--books-extras'));
    expect(kept.stdout).not.toContain('--books-extras');
    const verified = await runProgram(inLibrary('--check', '--toolsets', 'books', '--books-verify'));
    expect(verified.code).toBe(0);
    const target = path.join(folder, 'export');
    await runProgram(inLibrary('--books-export', target, '--book', 'my-notes', '--yes'));
    expect(readFileSync(path.join(target, 'one.md'), 'utf8')).toBe('# One\n');
  });

  test('exits with 1 for a file that was edited in the library and in the folder, and with 0 if --books-overwrite is given', async () => {
    const both = mkdtempSync(path.join(folder, 'both-'));
    const edited = path.join(both, 'one.md');
    writeFileSync(edited, '# One\n');
    const run = async (...args: string[]) => (await runProgram(inLibrary(...args, '--book', 'both-sides'))).code;
    expect(await run('--books-import', both, '--yes')).toBe(0);
    const book = path.join(folder, 'library', 'books', 'both-sides');
    const names = readdirSync(book, { recursive: true }).map(String);
    writeFileSync(path.join(book, names.find(name => name.endsWith('.md')) ?? ''), '# In the library\n');
    writeFileSync(edited, '# In the folder\n');
    const codes = [];
    for (const more of [[], ['--yes']]) {
      codes.push(await run('--books-import', both, ...more), await run('--books-export', both, ...more));
    }
    expect(codes).toEqual([1, 1, 1, 1]);
    expect(await run('--books-export', both, '--books-overwrite')).toBe(0);
    expect(readFileSync(edited, 'utf8')).toBe('# In the folder\n');
    expect(await run('--books-export', both, '--books-overwrite', '--yes')).toBe(0);
    expect(readFileSync(edited, 'utf8')).toBe('# In the library\n');
    expect(await run('--books-import', both)).toBe(0);
  });

  test('is ignored as an environment variable', async () => {
    const env = { OJ_MCP_BOOKS_IMPORT: folder, OJ_MCP_BOOK: 'my-notes' };
    const { stdout } = await runProgram(inLibrary('--check', '--toolsets', 'books'), { env });
    expect(stdout).toContain('tools:');
  });

  test.each([
    [['--books-import', 'x'], 2, 'An import or export needs the id of a book.'],
    [['--books-import', 'x', '--book', 'No Id'], 1, '--book is not the id of a book.'],
    [['--books-import', 'x', '--book', 'k2'], 1, 'Name the book with --book: 3 to 50 lower-case letters, digits'],
    [['--book', 'abc'], 2, '--book requires --books-import or --books-export.'],
    [['--books-overwrite'], 2, '--books-overwrite requires --books-import or --books-export.'],
    [['--books-import', 'x', '--books-export', 'y', '--book', 'abc'], 2, '--books-import and --books-export exclude'],
    [['--check', '--books-import', 'x', '--book', 'abc'], 2, '--check excludes an import or export.'],
    [['--books-import', 'x', '--book', 'abc', '--force'], 2, 'unknown flag --force. Did you mean --books-overwrite?'],
    [['--force', '--books-export=x', '--book', 'abc'], 2, 'unknown flag --force. Did you mean --books-overwrite?'],
    [['--force', '--demo'], 2, 'unknown flag --force.\n'],
    [['--install', 'cursor', '--force'], 2, 'unknown flag --force. Did you mean --yes?'],
    [['--books-import', 'missing', '--book', 'abc'], 1, 'cannot be read: it does not exist (ENOENT)'],
    [
      ['--books-import', path.join(import.meta.dirname, 'command.test.ts'), '--book', 'abc'],
      1,
      'it is a file, or a folder of its path is one (ENOTDIR).',
    ],
    [
      ['--books-import', path.resolve('src/text'), '--book', 'abc'],
      1,
      'Give the folder that contains the pages: files in UTF-8 that end in',
    ],
    [['--books-export', 'x', '--book', 'abc'], 1, 'There is no book "abc" with files.'],
  ])('rejects the arguments %j', async (args, code, message) => {
    const result = await runProgram(inLibrary(...args));
    expect(result.stderr).toContain(message);
    expect(result.code).toBe(code);
  });

  test.each([
    ['a file', 'notes/one.md'],
    ['a path below a file', 'notes/one.md/x'],
  ])('rejects the export to %s before it prints a plan', async (_, name) => {
    const target = path.join(folder, name);
    const result = await runProgram(inLibrary('--books-export', target, '--book', 'my-notes', '--yes'));
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain(
      `--books-export ${target} cannot be written: it is a file, or a folder of its path`,
    );
    expect(result.code).toBe(1);
  });

  test('without a library shows how to add one', async () => {
    const { code, stderr } = await runProgram(['--books-import', folder, '--book', 'abc']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Add it, for example --books-root ~/library.')]);
  });

  test('rejects the import of a folder that contains the library', async () => {
    const { code, stderr } = await runProgram(inLibrary('--books-import', folder, '--book', 'abc'));
    expect([code, stderr]).toEqual([1, expect.stringContaining(`--books-import ${folder} contains the library`)]);
  });

  test.each(['import', 'export'])('rejects an %s in the library itself', async kind => {
    const library = path.join(folder, 'library');
    for (const name of [library, path.join(library, 'books', 'new')]) {
      const { code, stderr } = await runProgram(inLibrary(`--books-${kind}`, name, '--book', 'abc', '--yes'));
      expect([code, stderr]).toEqual([1, expect.stringContaining(`--books-${kind} ${name} is in the library`)]);
    }
  });

  test.skipIf(process.platform === 'win32')('names the remedy if the library is read-only', async () => {
    const [library, source] = [emptyFolder(), path.join(emptyFolder(), 'notes')];
    for (const name of [path.dirname(source), library]) chmodSync(name, 0o755);
    cpSync(path.join(folder, 'notes'), source, { recursive: true });
    chmodSync(library, 0o555);
    const args = ['--books-root', library, '--books-import', source, '--book', 'my-notes', '--yes'];
    const user = process.getuid?.() === 0 ? 65_534 : undefined;
    const program = path.join(path.dirname(source), 'oj-mcp.cjs');
    copyFileSync(bundle, program);
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
      encoding: 'utf8',
      cwd: path.dirname(source),
      env: {},
      ...(user !== undefined && { uid: user, gid: user }),
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('this user has no permission (EACCES).\nThe user can give the account of this server'),
    ]);
    chmodSync(library, 0o755);
  });
});
