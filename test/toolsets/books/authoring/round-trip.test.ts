import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { exportBook } from '../../../../src/toolsets/books/authoring/export-book.ts';
import { importBook } from '../../../../src/toolsets/books/authoring/import-book.ts';
import { BookFiles } from '../../../../src/toolsets/books/library/book-files.ts';
import { openDiskBackend } from '../../../../src/toolsets/books/library/library.ts';
import { sha256Of } from '../../../../src/toolsets/books/model/hash.ts';
import type { FileLocation } from '../../../../src/toolsets/books/model/key.ts';
import { openLibraryRoot } from '../../../../src/toolsets/books/storage/disk/root.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function temporaryFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  writeFiles(folder, files);
  return folder;
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const names = entries.map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return Object.fromEntries(names.sort().map(name => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

const book = {
  'src/SUMMARY.md': '# Summary\n\n- [Basics](basics.md)\n  - [One](basics/one.md)\n  - [Two](basics/two.md)\n',
  'src/basics.md': '# Basics\n\nStart with [one](basics/one.html).\n',
  'src/basics/one.md': '# One\n\nNext: [two](two.md#top) ![picture](../img/p.png)\n',
  'src/basics/two.md': '# Two\n',
  'src/img/p.png': 'not really a picture',
};
const onePath = 'content/01-My-Book/01-Basics/01-One.md';

interface Session {
  library: string;
  source: string;
  lines: string[];
  move: (from: string, to: string, content?: string) => Promise<void>;
  remove: (file: string) => Promise<void>;
  runImport: (isConfirmed?: boolean) => Promise<boolean>;
  runExport: (folder: string, isConfirmed?: boolean) => Promise<boolean>;
}

function openSession(files: Readonly<Record<string, string>> = book): Session {
  const [library, source] = [temporaryFolder(), temporaryFolder({ ...files, 'book.toml': 'title = "My Book"\n' })];
  const backend = openDiskBackend(openLibraryRoot(library), () => Date.now());
  cleanups.push(async () => await backend.close());
  const lines: string[] = [];
  const bookFiles = new BookFiles(backend);
  const access = { files: bookFiles, storage: backend.storage, journal: (id: string) => backend.journal(id) };
  const author = { agent: 'ada', operation: 'move_content' };
  const placeOf = (file: string): FileLocation => ({ book: 'b', path: file, user: undefined });
  const { signal } = new AbortController();
  const options = { book: 'b', agent: 'ada', signal, write: (line: string) => void lines.push(line) };
  return {
    library: path.join(library, 'books', 'b'),
    source,
    lines,
    move: async (from, to, content) => {
      const old = readFileSync(path.join(library, 'books', 'b', from));
      await bookFiles.move(placeOf(from), placeOf(to), old, content === undefined ? old : Buffer.from(content), author);
    },
    remove: async file => {
      await bookFiles.remove(placeOf(file), sha256Of(readFileSync(path.join(library, 'books', 'b', file))), author);
    },
    runImport: async (isConfirmed = true) => await importBook(access, { ...options, folder: source, isConfirmed }),
    runExport: async (folder, isConfirmed = true) => await exportBook(access, { ...options, folder, isConfirmed }),
  };
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
    expect(lines.findLast(line => line.startsWith('mdBook'))).toContain('0 new (+), 0 changed (~), 4 unchanged (=)');
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
    const { runImport, library, source } = openSession();
    await runImport();
    writeFiles(source, { 'src/SUMMARY.md': '- [Basics](basics.md)\n  - [One](basics/one.md)\n' });
    expect(await runImport()).toBe(true);
    expect(filesIn(library)).not.toHaveProperty('content/01-My-Book/01-Basics/02-Two.md');
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
    expect(lines.findLast(line => line.startsWith('mdBook'))).toContain('0 new (+), 0 changed (~), 4 unchanged (=)');
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

  test('changes nothing after a new page was exported and listed in the folder', async () => {
    const { runImport, runExport, library, source, lines } = openSession();
    await runImport();
    writeFiles(library, { 'content/01-My-Book/01-Basics/07-Seven.md': '# Seven\n\n[one](01-One.md)\n' });
    await runExport(source);
    writeFiles(source, { 'src/SUMMARY.md': `${book['src/SUMMARY.md']}  - [Seven](basics/Seven.md)\n` });
    const before = filesIn(library);
    expect(await runImport()).toBe(true);
    expect(lines.findLast(line => line.startsWith('mdBook'))).toContain('0 new (+), 0 changed (~), 5 unchanged (=)');
    expect({ ...filesIn(library), 'import.json': '' }).toEqual({ ...before, 'import.json': '' });
  });

  test('removes no page of the library that was exported to another folder', async () => {
    const { runImport, runExport, library } = openSession();
    await runImport();
    const page = 'content/01-My-Book/01-Basics/07-Seven.md';
    writeFiles(library, { [page]: '# Seven\n' });
    await runExport(path.join(temporaryFolder(), 'new'));
    expect(await runImport()).toBe(true);
    expect(await runImport()).toBe(true);
    expect(filesIn(library)).toHaveProperty([page]);
  });

  test('does not create a page again that was deleted in the library, and reports it if it changed in the folder', async () => {
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

describe('an export', () => {
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
    expect(lines.at(-1)).toContain('2 files were left as they are in the folder. For each "!"');
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

  test('keeps the links of a page that still lead to their files', async () => {
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

  test('lists the settings that an export to a new folder does not contain', async () => {
    const { runImport, runExport, lines, source } = openSession();
    await runImport();
    await runExport(path.join(temporaryFolder(), 'new'));
    expect(lines.filter(line => line.startsWith('Not exported: book.toml'))).toHaveLength(1);
    await runExport(source);
    expect(lines.filter(line => line.startsWith('Not exported'))).toHaveLength(1);
  });

  test('reports a page in the source folder that was moved in the library, and deletes nothing', async () => {
    const { runImport, runExport, library, source, lines } = openSession();
    await runImport();
    renameSync(path.join(library, onePath), path.join(library, path.dirname(onePath), '07-Other.md'));
    await runExport(source);
    expect(lines).toContain('- src/basics/one.md was deleted or moved in the library: delete it in the folder.');
    expect(filesIn(source)).toMatchObject({ 'src/basics/one.md': book['src/basics/one.md'] });
    expect(Object.keys(filesIn(source))).toContain('src/basics/Other.md');
  });

  test('writes the links of a page at the top of a new folder as they are in the source folder', async () => {
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
    const hostile = manifest.replace('src/basics/one.md', '../outside.md').replace('src/basics/two.md', '/tmp/two.md');
    writeFiles(library, { 'import.json': hostile });
    expect(await runExport(path.join(parent, 'new'))).toBe(true);
    expect(readdirSync(parent)).toEqual(['new']);
    expect(Object.keys(filesIn(parent))).toContain('new/src/One.md');
  });

  test('rejects a book that does not exist', async () => {
    await expect(openSession().runExport(temporaryFolder())).rejects.toThrow('There is no book "b".');
  });
});
