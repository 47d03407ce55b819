import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { book, onePath, openSession } from './sample-session.ts';
import { filesIn, openSession as openSessionOf, temporaryFolder, writeFiles } from './session.ts';

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
