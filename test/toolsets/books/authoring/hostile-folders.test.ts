import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, openSession, type Session, temporaryFolder, writeFiles } from './session.ts';

const book = {
  'SUMMARY.md': '# Summary\n\n- [A](docs/a.md)\n- [B](docs/b.md)\n',
  'docs/a.md': '# A\n',
  'docs/b.md': '# B\n',
};
const latin1 = Buffer.from('# Caf\xe9\n', 'latin1');

/** Opens a library with an imported book of two pages. The second page was edited in the library. */
async function openEdited(): Promise<Session & { lessons: string[] }> {
  const session = openSession(book);
  await session.runImport();
  const lessons = Object.keys(filesIn(session.library)).filter(file => file.startsWith('content/'));
  const last = lessons.at(-1) ?? '';
  await session.write(last, '# B\n\nEdited.\n');
  return { ...session, lessons };
}

/** The files of the library without the manifest of the import. */
function pagesIn(library: string): Record<string, string> {
  return Object.fromEntries(Object.entries(filesIn(library)).filter(([name]) => name.startsWith('content/')));
}

describe('an export', () => {
  test('writes nothing through a symbolic link to another folder', async () => {
    const { source, runExport, lines } = await openEdited();
    const outside = temporaryFolder(book);
    rmSync(path.join(source, 'docs'), { recursive: true });
    symlinkSync(path.join(outside, 'docs'), path.join(source, 'docs'));
    expect(await runExport(source)).toBe(false);
    expect(filesIn(outside)).toEqual(book);
    expect(lines.join('\n')).toMatch(
      /× content\S* → docs\/b\.md \(a link, a folder or a special file is in its place\)/,
    );
  });

  test.each([
    ['a link to a file', (file: string) => symlinkSync(path.join(temporaryFolder({ x: 'x' }), 'x'), file)],
    ['a link to nothing', (file: string) => symlinkSync(path.join(temporaryFolder(), 'x'), file)],
    ['a folder', (file: string) => mkdirSync(file)],
    ['a named pipe', (file: string) => execFileSync('mkfifo', [file])],
  ])('leaves %s in the place of a page as it is', async (_, put) => {
    const { source, runExport } = await openEdited();
    const file = path.join(source, 'docs/b.md');
    rmSync(file);
    put(file);
    const before = lstatSync(file).ino;
    expect(await runExport(source)).toBe(false);
    expect(lstatSync(file).ino).toBe(before);
  });

  test('does not follow a link in the place of its temporary file', async () => {
    const { source, runExport } = await openEdited();
    const outside = temporaryFolder({ x: 'x' });
    symlinkSync(path.join(outside, 'x'), path.join(source, 'docs/b.md.oj-mcp-export'));
    expect(await runExport(source)).toBe(true);
    expect(filesIn(outside)).toEqual({ x: 'x' });
    expect(readdirSync(path.join(source, 'docs'))).toEqual(['a.md', 'b.md']);
  });

  test('rejects a symbolic link in place of the table of contents', async () => {
    const { source, write, runExport, lessons } = await openEdited();
    rmSync(path.join(source, 'SUMMARY.md'));
    symlinkSync(path.join(temporaryFolder(), 'x'), path.join(source, 'SUMMARY.md'));
    await write(`${path.posix.dirname(lessons[0] ?? '')}/03-New.md`, '# New\n');
    await expect(runExport(source)).rejects.toThrow('SUMMARY.md cannot be written');
  });

  test('changes names that Windows cannot create', async () => {
    const { write, runExport } = openSession({});
    await write('content/01-con/01-aux/01-nul.md', '# Nul\n');
    await write('content/01-con/01-aux/02-com1.summary.md', '# Com1\n');
    const folder = path.join(temporaryFolder(), 'new');
    expect(await runExport(folder)).toBe(true);
    expect(Object.keys(filesIn(folder)).filter(name => /(?:^|\/)(?:con|aux|nul|com1)(?:\/|\.|$)/.test(name))).toEqual(
      [],
    );
  });

  test('writes a page that is not UTF-8 byte for byte', async () => {
    const { library, source, runExport, lessons } = await openEdited();
    writeFileSync(path.join(library, lessons.at(-1) ?? ''), latin1);
    expect(await runExport(source)).toBe(true);
    expect(readFileSync(path.join(source, 'docs/b.md')).equals(latin1)).toBe(true);
  });
});

describe('an import', () => {
  test('leaves a page of the library unchanged if the file in the folder is no longer UTF-8', async () => {
    const { source, library, runImport, lines } = openSession(book);
    await runImport();
    const before = pagesIn(library);
    writeFileSync(path.join(source, 'docs/b.md'), latin1);
    expect(await runImport()).toBe(true);
    expect(pagesIn(library)).toEqual(before);
    expect(lines).toContainEqual(
      expect.stringMatching(/^× docs\/b\.md: it is not text in UTF-8; content\/.*B\.md stays in the library$/),
    );
  });

  test.each([
    ['is not UTF-8', latin1, 'it is not text in UTF-8'],
    ['is too large', Buffer.alloc(16 * 1024 * 1024 + 1, 'x'), 'it is larger than 16 MiB'],
  ])('states why it leaves out a listed page that %s', async (_, content, reason) => {
    const sidebar = { 'sidebars.json': '{"all": ["a", "b"]}', 'a.md': '# A\n', 'b.md': '# B\n' };
    const [summary, site] = [openSession(book), openSession(sidebar)];
    writeFileSync(path.join(summary.source, 'docs/b.md'), content);
    writeFileSync(path.join(site.source, 'b.md'), content);
    await summary.runImport();
    await site.runImport();
    expect(summary.lines).toContain(`× docs/b.md: ${reason}`);
    expect(summary.lines).toContain(`SUMMARY.md names docs/b.md, which is not imported: ${reason}.`);
    expect(site.lines).toContain(`sidebars.json names the page "b", which is not imported: ${reason}.`);
  });

  test('does not create an empty page for a new file that is not UTF-8', async () => {
    const { source, library, runImport } = openSession(book);
    writeFileSync(path.join(source, 'docs/b.md'), latin1);
    expect(await runImport()).toBe(true);
    expect(Object.values(pagesIn(library))).toEqual(['# A\n']);
  });

  test.each(['docs/b.md', 'docs'])(
    'deletes no page if %s was replaced by a link, and knows the page afterwards',
    async name => {
      const { source, library, runImport, lines } = openSession(book);
      await runImport();
      const before = pagesIn(library);
      rmSync(path.join(source, name), { recursive: true });
      symlinkSync(temporaryFolder(), path.join(source, name));
      writeFiles(source, {
        'SUMMARY.md': '# Summary\n\n- [A](docs/a.md)\n- [B](docs/b.md)\n- [C](c.md)\n',
        'c.md': '# C\n',
      });
      await runImport();
      expect(pagesIn(library)).toMatchObject(before);
      rmSync(path.join(source, name));
      writeFiles(source, { 'docs/a.md': '# A\n', 'docs/b.md': '# B\n\nEdited.\n' });
      expect(await runImport()).toBe(true);
      expect(lines.slice(-20).join('\n')).toContain('~ docs/b.md');
    },
  );
});
