import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { book, onePath, openSession } from './sample-session.ts';
import { filesIn, temporaryFolder, writeFiles } from './session.ts';

describe('an export', () => {
  test('writes links to a deleted lesson with the name of its file', async () => {
    const { runImport, runExport, library, source } = openSession();
    await runImport();
    rmSync(path.join(library, path.dirname(onePath), '02-Two.md'));
    writeFiles(library, { [onePath]: '# One\n\n[two](02-Two.md)\n' });
    await runExport(source);
    expect(filesIn(source)['src/basics/one.md']).toBe('# One\n\n[two](two.md)\n');
    const target = path.join(temporaryFolder(), 'new');
    await runExport(target);
    expect(filesIn(target)['src/basics/one.md']).toBe('# One\n\n[two](two.md)\n');
    expect(await runImport()).toBe(true);
    expect(filesIn(library)[onePath]).toBe('# One\n\n[two](02-Two.md)\n');
  });

  test('adds a new page to SUMMARY.md after the page that precedes it in the library', async () => {
    const { runImport, runExport, library, source, lines } = openSession();
    await runImport();
    const chapter = path.dirname(onePath);
    writeFiles(library, {
      [`${chapter}/02-Half.md`]: 'No heading\n',
      'content/01-My-Book/02-New/01-Last.md': '# Last [one]\n',
    });
    await runExport(source);
    expect(filesIn(source)['src/SUMMARY.md']).toBe(
      '# Summary\n\n- [Basics](basics.md)\n  - [One](basics/one.md)\n  - [Half](basics/Half.md)\n  - [Two](basics/two.md)\n- [Last \\[one\\]](New/Last.md)\n',
    );
    expect(lines).toContain('~ src/SUMMARY.md: adds the line "  - [Half](basics/Half.md)"');
    const before = filesIn(source);
    await runExport(source);
    expect(filesIn(source)).toEqual(before);
  });

  test('adds a page of a new part after all other parts if a lesson of the first part was moved to the last one', async () => {
    const summary = '# Summary\n\n# One\n\n- [A](a.md)\n- [B](b.md)\n\n# Two\n\n- [C](c.md)\n';
    const { runImport, runExport, library, source, move } = openSession({
      'src/SUMMARY.md': summary,
      'src/a.md': '# A\n',
      'src/b.md': '# B\n',
      'src/c.md': '# C\n',
    });
    await runImport();
    const lessons = Object.keys(filesIn(library)).filter(name => /[ABC]\.md$/.test(name));
    const [b = '', c = ''] = lessons.filter(name => !name.endsWith('A.md'));
    await move(b, path.join(path.dirname(c), '05-B.md'));
    writeFiles(library, { 'content/03-Three/01-New/01-D.md': '# D\n' });
    await runExport(source);
    expect(filesIn(source)['src/SUMMARY.md']).toMatch(/^# Summary[^]*# Two\n\n- \[C\]\(c\.md\)\n- \[D\]\(.*D\.md\)\n$/);
  });

  test('writes no file if the book is unchanged since its import', async () => {
    const { runImport, runExport, source } = openSession();
    await runImport();
    const before = filesIn(source);
    expect(await runExport(source)).toBe(true);
    expect(filesIn(source)).toEqual(before);
  });

  test('writes an edited page to the source folder with links that are valid there', async () => {
    const { runImport, runExport, source, library } = openSession();
    await runImport();
    writeFiles(library, { [onePath]: '# One\n\n[two](02-Two.md) [up](README.md) ![p](../../../static/img/p.png)\n' });
    expect(await runExport(source)).toBe(true);
    expect(filesIn(source)).toEqual({
      ...book,
      'book.toml': 'title = "My Book"\n',
      'src/basics/one.md': '# One\n\n[two](two.md) [up](../basics.md) ![p](../img/p.png)\n',
    });
  });

  test('does not overwrite a page that was edited in the source folder', async () => {
    const { runImport, runExport, source, library, lines } = openSession();
    await runImport();
    writeFiles(library, { [onePath]: '# One\n\nEdited.\n' });
    writeFiles(source, { 'src/basics/one.md': '# One\n\nMine.\n', 'src/basics/two.md': '# Two\n\nMine.\n' });
    const before = filesIn(source);
    expect(await runExport(source)).toBe(false);
    expect(filesIn(source)).toEqual(before);
    expect(lines).toContain(`! ${onePath} → src/basics/one.md (edited in the folder and in the library)`);
    expect(lines.at(-1)).toContain('Left as in the folder: 1 file. For each "!"');
  });

  test('writes a new folder with a table of contents, and places new pages next to their siblings', async () => {
    const { runImport, runExport, library } = openSession();
    const target = path.join(temporaryFolder(), 'new');
    await runImport();
    writeFiles(library, { 'content/01-My-Book/01-Basics/03-Three.md': '# Three\n\n[one](01-One.md)\n' });
    expect(await runExport(target)).toBe(true);
    expect(filesIn(target)).toMatchObject({
      'src/SUMMARY.md':
        '# Summary\n\n- [Basics](basics.md)\n  - [One](basics/one.md)\n  - [Two](basics/two.md)\n  - [Three](basics/Three.md)\n',
      'src/basics/Three.md': '# Three\n\n[one](one.md)\n',
      'src/basics/two.md': '# Two\n',
    });
  });

  test('keeps the links of a page as they are if they still lead to the same files', async () => {
    const files = {
      'docusaurus.config.js': "module.exports = {\n  title: 'My Site',\n};\n",
      'docs/one.md': '# One\n\n![star](/img/star.png) [two](./two.md#a)\n',
      'docs/two.md': '# Two\n',
      'static/img/star.png': 'not really a picture',
    };
    const { runImport, runExport, source, library } = openSession(files);
    rmSync(path.join(source, 'book.toml'));
    await runImport();
    const page = 'content/01-My-Site/01-One/01-One.md';
    const text = filesIn(library)[page] ?? '';
    writeFiles(library, { [page]: `${text}\nNew: [two](02-Two.md)\n` });
    expect(await runExport(source)).toBe(true);
    expect(filesIn(source)).toEqual({ ...files, 'docs/one.md': `${files['docs/one.md']}\nNew: [two](./two.md)\n` });
  });

  test('counts every file once, and the links and includes that lead to no file of the book', async () => {
    const { runImport, runExport, source, write, lines } = openSession();
    await runImport();
    const text = '# New\n\n{{#include code/stack.py}} [none](none.md) ![none](none.png) [one](01-One.md)\n';
    await write('content/01-My-Book/01-Basics/03-New.md', text);
    await runExport(source, false);
    expect(lines).toContain('6 files: 2 to write, 4 unchanged, 0 left as in the folder.');
    expect(lines).toContain(
      'Links and includes that lead to no file of the book: 3. validate_book lists them, with --books-extras.',
    );
  });

  test('places a new page next to the lessons of its chapter, also after a lesson of another folder was moved there', async () => {
    const { runImport, runExport, library, source, write, move } = openSession({
      'a/01-one.md': '# One\n',
      'b/01-two.md': '# Two\n',
    });
    await runImport();
    const [one = '', two = ''] = Object.keys(filesIn(library)).filter(file => file.startsWith('content/'));
    await move(two, `${path.posix.dirname(one)}/08-Two.md`);
    await write(`${path.posix.dirname(one)}/09-New.md`, '# New\n');
    await runExport(source);
    expect(filesIn(source)).toHaveProperty(['a/New.md']);
  });

  test('lists the settings files that are not written to a new folder', async () => {
    const { runImport, runExport, lines, source } = openSession();
    await runImport();
    await runExport(path.join(temporaryFolder(), 'new'));
    expect(lines.filter(line => line.startsWith('Not exported: book.toml'))).toHaveLength(1);
    await runExport(source);
    expect(lines.filter(line => line.startsWith('Not exported'))).toHaveLength(1);
  });

  test('reports a page in the source folder whose lesson was renamed by another program, and deletes nothing', async () => {
    const { runImport, runExport, library, source, lines } = openSession();
    await runImport();
    renameSync(path.join(library, onePath), path.join(library, path.dirname(onePath), '07-Other.md'));
    await runExport(source);
    expect(lines).toContain(
      '- src/basics/one.md was deleted in the library: delete it in the folder and in SUMMARY.md.',
    );
    expect(filesIn(source)).toMatchObject({ 'src/basics/one.md': book['src/basics/one.md'] });
    expect(Object.keys(filesIn(source))).toContain('src/basics/Other.md');
  });

  test('restores the links of a page at the top of the imported folder when it writes to a new folder', async () => {
    const pages = {
      'README.md': '# Notes\n\n[one](a/one.md) [other](other.md)\n',
      'other.md': '# O\n',
      'a/one.md': '# 1\n',
    };
    const { runImport, runExport } = openSession(pages);
    await runImport();
    const folder = temporaryFolder();
    expect(await runExport(folder)).toBe(true);
    expect(filesIn(folder)).toEqual(pages);
  });

  test('writes nothing without confirmation', async () => {
    const { runImport, runExport } = openSession();
    const target = path.join(temporaryFolder(), 'new');
    await runImport();
    expect(await runExport(target, false)).toBe(true);
    expect(() => readdirSync(target)).toThrow('ENOENT');
  });

  test('writes no file outside of the target folder, whatever paths the manifest contains', async () => {
    const { runImport, runExport, library } = openSession();
    const parent = temporaryFolder();
    await runImport();
    const manifest = readFileSync(path.join(library, 'import.json'), 'utf8');
    const hostile = manifest
      .replace('"from": "src/basics/one.md"', '"from": "../outside.md"')
      .replace('"from": "src/basics/two.md"', '"from": "/tmp/two.md"');
    writeFiles(library, { 'import.json': hostile });
    expect(await runExport(path.join(parent, 'new'))).toBe(true);
    expect(readdirSync(parent)).toEqual(['new']);
    expect(Object.keys(filesIn(parent))).toContain('new/src/One.md');
  });

  test('rejects a book that does not exist', async () => {
    await expect(openSession().runExport(temporaryFolder())).rejects.toThrow('There is no book "b" with files.');
  });
});
