import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, openSession as openSessionOf, type Session, temporaryFolder, writeFiles } from './session.ts';

const book = {
  'src/SUMMARY.md': '# Summary\n\n- [Basics](basics.md)\n  - [One](basics/one.md)\n  - [Two](basics/two.md)\n',
  'src/basics.md': '# Basics\n\nStart with [one](basics/one.html).\n',
  'src/basics/one.md': '# One\n\nNext: [two](two.md#top) ![picture](../img/p.png)\n',
  'src/basics/two.md': '# Two\n',
  'src/img/p.png': 'not really a picture',
};
const onePath = 'content/01-My-Book/01-Basics/01-One.md';

function openSession(files: Readonly<Record<string, string>> = book): Session {
  return openSessionOf({ ...files, 'book.toml': 'title = "My Book"\n' });
}

describe('an import', () => {
  test('writes nothing without confirmation', async () => {
    const { runImport, library, lines } = openSession();
    expect(await runImport(false)).toBe(true);
    expect(lines).toContain(`+ src/basics/one.md → ${onePath}  (2 links changed)`);
    expect(lines.at(-1)).toContain('Nothing was written.');
    expect(() => readdirSync(library)).toThrow('ENOENT');
  });

  test('writes pages with rewritten links, and assets byte for byte', async () => {
    const { runImport, library } = openSession();
    expect(await runImport()).toBe(true);
    expect(filesIn(library)).toMatchObject({
      'content/01-My-Book/01-Basics/README.md': '# Basics\n\nStart with [one](01-One.md).\n',
      [onePath]: '# One\n\nNext: [two](02-Two.md#top) ![picture](../../../static/img/p.png)\n',
      'static/img/p.png': 'not really a picture',
    });
  });

  test('changes nothing when it is repeated', async () => {
    const { runImport, library, lines } = openSession();
    await runImport();
    const before = filesIn(library);
    expect(await runImport()).toBe(true);
    expect(filesIn(library)).toEqual(before);
    expect(lines.findLast(line => line.includes(' new (+)'))).toContain('0 new (+), 0 changed (~), 4 unchanged (=)');
  });

  test('updates pages that changed in the source folder, but no page that was edited in the library', async () => {
    const { runImport, library, source, lines } = openSession();
    await runImport();
    writeFiles(source, { 'src/basics/one.md': '# One\n\nChanged.\n', 'src/basics/two.md': '# Two\n\nChanged.\n' });
    writeFiles(library, { [onePath]: '# One\n\nEdited.\n' });
    expect(await runImport()).toBe(false);
    expect(filesIn(library)).toMatchObject({
      [onePath]: '# One\n\nEdited.\n',
      'content/01-My-Book/01-Basics/02-Two.md': '# Two\n\nChanged.\n',
    });
    expect(lines).toContain(`! src/basics/one.md → ${onePath}`);
    expect(await runImport()).toBe(false);
  });

  test('removes a page that was deleted in the source folder, unless it was edited in the library', async () => {
    const { runImport, library, source, lines } = openSession();
    await runImport();
    const two = 'content/01-My-Book/01-Basics/02-Two.md';
    writeFiles(source, { 'src/SUMMARY.md': '- [Basics](basics.md)\n  - [One](basics/one.md)\n' });
    expect(await runImport()).toBe(true);
    expect(filesIn(library)).toHaveProperty([two]);
    expect(lines).toContain(`× src/basics/two.md: SUMMARY.md does not list it; ${two} stays in the library`);
    rmSync(path.join(source, 'src/basics/two.md'));
    expect(await runImport()).toBe(true);
    expect(filesIn(library)).not.toHaveProperty([two]);
  });

  test('leaves a lesson that was moved in the library at its new path, and corrects the links to it', async () => {
    const { runImport, runExport, library, source, lines, move } = openSession();
    await runImport();
    const folder = filesIn(source);
    const moved = 'content/01-My-Book/02-More/01-One.md';
    await move(onePath, moved);
    expect(await runImport()).toBe(true);
    const after = filesIn(library);
    expect(after).not.toHaveProperty(onePath);
    expect(after[moved]).toContain('[two](../01-Basics/02-Two.md#top)');
    expect(after['content/01-My-Book/01-Basics/README.md']).toContain('[one](../02-More/01-One.md)');
    expect(await runImport()).toBe(true);
    expect(lines.findLast(line => line.includes(' new (+)'))).toContain('0 new (+), 0 changed (~), 4 unchanged (=)');
    expect(await runExport(source)).toBe(true);
    expect(filesIn(source)).toEqual(folder);
    expect(lines).toContain(
      `src/basics/one.md was moved in the library to ${moved}: change the order in the folder (SUMMARY.md, sidebars, or numbers of files).`,
    );
    const summary = '# Summary\n\n- [Basics](basics.md)\n  - [Two](basics/two.md)\n- [More](basics/one.md)\n';
    writeFiles(source, { 'src/SUMMARY.md': summary });
    const before = lines.length;
    expect(await runImport()).toBe(true);
    expect(await runExport(source)).toBe(true);
    expect(lines.slice(before).filter(line => /^[-+~!<]|was moved/.test(line))).toEqual([]);
    expect(filesIn(library)).toMatchObject({ [moved]: after[moved] });
  });

  test('changes nothing after a new page of the library was exported and listed in the folder', async () => {
    const { runImport, runExport, library, source, lines } = openSession();
    await runImport();
    writeFiles(library, { 'content/01-My-Book/01-Basics/07-Seven.md': '# Seven\n\n[one](01-One.md)\n' });
    await runExport(source);
    writeFiles(source, { 'src/SUMMARY.md': `${book['src/SUMMARY.md']}  - [Seven](basics/Seven.md)\n` });
    const before = filesIn(library);
    expect(await runImport()).toBe(true);
    expect(lines.findLast(line => line.includes(' new (+)'))).toContain('0 new (+), 0 changed (~), 5 unchanged (=)');
    expect({ ...filesIn(library), 'import.json': '' }).toEqual({ ...before, 'import.json': '' });
  });

  test('keeps a page of the library that was exported only to another folder', async () => {
    const { runImport, runExport, library } = openSession();
    await runImport();
    const page = 'content/01-My-Book/01-Basics/07-Seven.md';
    writeFiles(library, { [page]: '# Seven\n' });
    await runExport(path.join(temporaryFolder(), 'new'));
    expect(await runImport()).toBe(true);
    expect(await runImport()).toBe(true);
    expect(filesIn(library)).toHaveProperty([page]);
  });

  test('does not create a page again that was deleted in the library, and reports the page if it changed in the folder', async () => {
    const { runImport, library, source, lines, remove } = openSession();
    await runImport();
    await remove(onePath);
    expect(await runImport()).toBe(true);
    expect(await runImport()).toBe(true);
    expect(lines).toContain(`- src/basics/one.md → ${onePath}  (deleted in the library)`);
    writeFiles(source, { 'src/basics/one.md': '# One\n\nChanged.\n' });
    expect(await runImport()).toBe(false);
    expect(lines).toContain(`! src/basics/one.md → ${onePath}  (deleted in the library)`);
    expect(filesIn(library)).not.toHaveProperty([onePath]);
  });

  test('states in its last lines what it has written, or that there is nothing to import or export', async () => {
    const { runImport, runExport, source, library, lines } = openSession();
    await runImport();
    expect(lines.at(-1)).toBe('Imported into books/b: 4 files written.');
    for (const isConfirmed of [true, false]) {
      await runImport(isConfirmed);
      expect(lines.at(-1)).toBe('Nothing to import: the book is up to date.');
      await runExport(source, isConfirmed);
      expect(lines.at(-1)).toBe('Nothing to export: the folder is up to date.');
    }
    writeFiles(source, { 'src/basics/two.md': '# Two\n\nIn the folder.\n' });
    writeFiles(library, { 'content/01-My-Book/01-Basics/02-Two.md': '# Two\n\nIn the library.\n' });
    await runImport();
    expect(lines.at(-2)).toBe('Nothing was imported.');
    await runExport(source);
    expect(lines.at(-2)).toBe('Nothing was exported.');
    rmSync(path.join(source, 'src/basics/one.md'));
    writeFiles(source, {
      'src/SUMMARY.md': '- [Basics](basics.md)\n  - [Two](basics/two.md)\n',
      'src/basics.md': '# Basics\n',
    });
    await runImport();
    expect(lines.at(-2)).toBe('Imported into books/b: 1 file written, 1 removed.');
  });

  test('reports draft chapters and include directives of mdBook, and leaves the directives as text', async () => {
    const { runImport, runExport, library, source, lines } = openSession({
      'src/SUMMARY.md': '- [One](one.md)\n- [Later]()\n',
      'src/one.md': '# One\n\n{{#include ch2/deltas.md}}\n',
    });
    await runImport();
    expect(lines).toContain('    is not replaced in the library: {{#include ch2/deltas.md}}');
    expect(lines).toContain('The draft chapter "Later" has no page and is not imported.');
    const before = filesIn(source);
    const page = 'content/01-My-Book/01-One/01-One.md';
    writeFiles(library, { [page]: `${filesIn(library)[page] ?? ''}\nEdited.\n` });
    await runExport(source);
    expect(filesIn(source)).toEqual({ ...before, 'src/one.md': `${before['src/one.md']}\nEdited.\n` });
  });

  test('does not follow symbolic links out of the source folder', async () => {
    const { runImport, library, source, lines } = openSession();
    symlinkSync('/etc/hostname', path.join(source, 'src', 'leak.png'));
    await runImport();
    expect(lines).toContain('× src/leak.png: links and special files are not imported');
    expect(filesIn(library)).not.toHaveProperty('static/img/leak.png');
  });
});

describe('an import of the docs folder of a Docusaurus site', () => {
  const site = {
    'sidebars.js': "module.exports = { main: [{ type: 'category', label: 'All', items: ['two', 'one'] }] };\n",
    'docs/one.md': '# One\n\n![logo](/img/logo.png) [two](two.md)\n',
    'docs/two.md': "import logo from '@site/static/img/logo.png';\n\n# Two\n",
    'static/img/logo.png': 'logo',
    'other/page.md': '# Not a page of the site\n',
  };

  test('uses the sidebar and the static files beside it, and an export restores the folder', async () => {
    const { runImport, runExport, library, source, lines } = openSessionOf(site);
    const docs = path.join(source, 'docs');
    expect(await runImport(true, docs)).toBe(true);
    expect(lines[0]).toContain('paths are relative to that folder.');
    const files = Object.entries(filesIn(library)).map(([name, text]) => [name.replace(/^content\/[^/]*/, ''), text]);
    expect(Object.fromEntries(files)).toMatchObject({
      '/01-All/01-Two.md': "import logo from '../../../static/img/logo.png';\n\n# Two\n",
      '/01-All/02-One.md': '# One\n\n![logo](../../../static/img/logo.png) [two](01-Two.md)\n',
    });
    const page = Object.keys(filesIn(library)).find(name => name.endsWith('01-Two.md')) ?? '';
    writeFiles(library, { [page]: `${filesIn(library)[page]}\nMore.\n` });
    expect(await runExport(docs)).toBe(true);
    expect(filesIn(source)).toEqual({ ...site, 'docs/two.md': `${site['docs/two.md']}\nMore.\n` });
    const target = path.join(temporaryFolder(), 'new');
    expect(await runExport(target)).toBe(true);
    expect(filesIn(target)).toMatchObject({
      'docs/one.md': site['docs/one.md'],
      'docs/two.md': `${site['docs/two.md']}\nMore.\n`,
    });
  });

  test('names the site to import if the folder is deeper inside of it', async () => {
    const config = { 'docusaurus.config.js': "module.exports = { title: 'S' };\n", 'docs/part/one.md': '# One\n' };
    const { runImport, source, lines } = openSessionOf(config);
    await runImport(false, path.join(source, 'docs', 'part'));
    expect(lines[0]).toContain(`is a part of the site ${source}: import that folder`);
  });

  test('reports a new page that the sidebar does not list, with its id', async () => {
    const { runImport, runExport, library, source, lines } = openSessionOf(site);
    await runImport();
    const folder = path.dirname(Object.keys(filesIn(library)).find(name => name.endsWith('01-Two.md')) ?? '');
    writeFiles(library, { [`${folder}/03-Tail-calls.md`]: '# Tail calls\n' });
    await runExport(source);
    expect(lines).toContain(
      "sidebars.js does not list docs/Tail-calls.md: add 'Tail-calls' to it after the page docs/one.md.",
    );
  });
});

describe('an import with a manifest that lacks the hashes of the folder', () => {
  test('keeps a lesson that was edited in the library, updates one that was edited in the folder, and reports no conflict', async () => {
    const { runImport, library, source, lines } = openSession();
    await runImport();
    const { kind, files } = JSON.parse(filesIn(library)['import.json'] ?? '');
    const former = Object.entries<{ from: string; synced: { sha256: string }[] }>(files).map(
      ([to, { from, synced }]) => [to, { from, sha256: synced[0]?.sha256 }],
    );
    writeFiles(library, {
      'import.json': JSON.stringify({ kind, files: Object.fromEntries(former) }),
      [onePath]: '# One\n',
    });
    writeFiles(source, { 'src/basics/two.md': '# Two\n\nChanged.\n' });
    expect(await runImport()).toBe(true);
    expect(lines).toContain(`> src/basics/one.md → ${onePath}  (2 links changed)`);
    expect(lines.findLast(line => line.includes(' new (+)'))).toContain(
      '0 new (+), 1 changed (~), 2 unchanged (=), 1 ed',
    );
  });
});

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
