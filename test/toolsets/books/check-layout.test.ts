import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { examineLibraryFolders } from '../../../src/toolsets/books/library/check-layout.ts';

/** Creates a folder with these files. A name that ends with a slash is a subfolder. Returns the path of the folder. */
function folderWith(names: readonly string[], name = 'course'): string {
  const parent = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const root = path.join(parent, name);
  mkdirSync(root);
  for (const file of names) {
    mkdirSync(path.dirname(path.join(root, `${file}x`)), { recursive: true });
    if (!file.endsWith('/')) writeFileSync(path.join(root, file), '# Text');
  }
  return root;
}

test.each([
  ['an mdBook', ['book.toml', 'src/SUMMARY.md'], ' is an mdBook, not a library'],
  ['a Docusaurus site', ['docusaurus.config.js', 'docs/intro.md'], ' is a Docusaurus site, not a library'],
  ['a Docusaurus site in TypeScript', ['docusaurus.config.ts'], ' is a Docusaurus site, not a library'],
  ['Markdown pages', ['one.md', 'two.mdx'], ' is a folder of Markdown pages, not a library'],
  ['Markdown pages in docs/', ['docs/one.md'], ' is a folder of Markdown pages, not a library'],
  ['numbered chapters', ['01-intro/one.md'], ' is a folder of Markdown pages, not a library'],
])('a root with %s fails with a hint at --books-import', (_, names, fault) => {
  const root = folderWith(names);
  expect(examineLibraryFolders(root).results).toEqual([
    {
      isGood: false,
      line: root + fault,
      hint: `Use another folder as --books-root, and import the course into it: --books-import ${root} --book course`,
    },
  ]);
});

test.each([
  ['content/', 'Move it to books/course in a new folder'],
  ['python-intro/content/', 'Move the folders of the books to '],
])('a root with %s but without a folder "books" fails', (name, hint) => {
  expect(examineLibraryFolders(folderWith([name])).results).toEqual([
    { isGood: false, line: expect.any(String), hint: expect.stringContaining(hint) },
  ]);
});

test.each([[[]], [['notes.txt']], [['.git/']]])(
  'checkLibrary accepts a root folder with the entries %j as a new library',
  names => {
    const root = folderWith(names);
    expect(examineLibraryFolders(root).results).toEqual([
      { isGood: true, line: `${root} is a new library without books` },
    ]);
  },
);

test('the check of a library counts empty books and books with content, and ignores hidden folders', () => {
  const root = folderWith([
    'books/one/',
    'books/two/content/',
    'books/three/static/',
    'books/.git/',
    'books/notes.txt',
  ]);
  expect(examineLibraryFolders(root)).toEqual({
    books: expect.arrayContaining(['one', 'two', 'three']),
    results: [{ isGood: true, line: `${root} can be read: 3 books` }],
  });
});

test.each([
  ['books/My Course/', 'books/My Course is not a book: its name is not the id of a book'],
  ['books/ab/', 'books/ab is not a book: its name is not the id of a book'],
  ['books/one.md', 'books/one.md belongs to no book, and is not read'],
  ['books/course/docs/one.md', 'books/course has no lessons: it has no folder "content"'],
])('%s is an error, and a warning beside a valid book', (name, line) => {
  const fault = { isWarning: true, line, hint: expect.any(String) };
  expect(examineLibraryFolders(folderWith([name])).results).toContainEqual({ ...fault, isGood: false });
  expect(examineLibraryFolders(folderWith([name, 'books/valid/content/'])).results).toContainEqual({
    ...fault,
    isGood: true,
  });
});

test.skipIf(process.platform === 'win32')(
  'a symbolic link is not a book, because the server does not follow it',
  () => {
    const root = folderWith(['books/', 'elsewhere/content/']);
    symlinkSync('../elsewhere', path.join(root, 'books/linked'));
    expect(examineLibraryFolders(root).results).toMatchObject([
      { isGood: true, line: `${root} can be read: 0 books` },
      { isGood: false, line: 'books/linked is not a book: it is a symbolic link, which is not followed' },
    ]);
  },
);

test('a root whose folder "books" is a symbolic link fails, whatever its letter case is', () => {
  for (const name of ['books', 'Books']) {
    const root = folderWith(['other/one/content/x.md']);
    symlinkSync('other', path.join(root, name));
    expect(examineLibraryFolders(root)).toEqual({
      books: [],
      results: [
        {
          isGood: false,
          line: `${path.join(root, name)} is a symbolic link, which is not followed`,
          hint: 'Replace the link by the folder, or use the library to which it leads.',
        },
      ],
    });
  }
});
