import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { tryOrUndefined } from '../../../errors/system-error.ts';
import type { CheckResult } from '../../../toolset/toolset.ts';
import { bookIdDescription, bookIdPattern, booksFolder } from '../model/key.ts';
import { isMarkdownPath } from '../model/path.ts';

/** The books of a library, and the problems with its folders. */
export interface LibraryLayout {
  books: readonly string[];
  results: readonly CheckResult[];
}

/** Checks the folders of a library. Throws the error of the system call if the folder "books" cannot be listed. */
export function examineLibraryFolders(root: string): LibraryLayout {
  const entries = readEntries(root);
  const own = entries.find(({ name }) => name.toLowerCase() === booksFolder);
  if (own === undefined) {
    const isNew = { isGood: true, line: `${root} is a new library without books` };
    return { books: [], results: [misplacedRoot(root, entries) ?? isNew] };
  }
  const place = path.join(root, own.name);
  if (own.isSymbolicLink()) {
    const hint = 'Replace the link by the folder, or use the library to which it leads.';
    return {
      books: [],
      results: [{ isGood: false, line: `${place} is a symbolic link, which is not followed`, hint }],
    };
  }
  if (own.name === booksFolder) return examineBooks(root, place);
  const line = `${place} is not read: the folder of the books is named "${booksFolder}"`;
  return { books: [], results: [{ isGood: false, line, hint: `Rename it to "${booksFolder}".` }] };
}

/** The faults of entries of the folder "books", and the hints. */
const faults = {
  link: () => [
    'is not a book: it is a symbolic link, which is not followed',
    'Replace it by the folder of the book, or use the library to which it leads.',
  ],
  misnamed: () => ['is not a book: its name is not the id of a book', `Rename it to ${bookIdDescription}.`],
  foreign: name => [
    'has no lessons: it has no folder "content"',
    `Move it out of the library and import it: --books-import …/${name} --book ${name}`,
  ],
  page: () => [
    'belongs to no book, and is not read',
    'Move the pages out of the library into a folder, and import it: --books-import FOLDER --book ID',
  ],
} as const satisfies Record<string, (name: string) => readonly [line: string, hint: string]>;

function examineBooks(root: string, folder: string): LibraryLayout {
  const present = readEntries(folder).filter(({ name }) => !name.startsWith('.'));
  const links = present.filter(entry => entry.isSymbolicLink()).map(({ name }) => name);
  const folders = present.filter(entry => entry.isDirectory()).map(({ name }) => name);
  const books = folders.filter(name => bookIdPattern.test(name));
  const misnamed = folders.filter(name => !bookIdPattern.test(name));
  const foreign = books.filter(book => isForeign(path.join(folder, book)));
  const closed = books.filter(book => tryOrUndefined(() => readEntries(path.join(folder, book))) === undefined);
  const pages = present.filter(entry => entry.isFile() && isMarkdownPath(entry.name)).map(({ name }) => name);
  const valid = books.length - foreign.length - closed.length;
  const count = { isGood: true, line: `${root} can be read: ${valid} ${valid === 1 ? 'book' : 'books'}` };
  const warn = (kind: keyof typeof faults, names: readonly string[]): CheckResult[] =>
    names.map(name => {
      const [fault, hint] = faults[kind](name);
      // A fault of one entry is only a warning if the library has other books.
      return { isGood: valid > 0, isWarning: true, line: `books/${name} ${fault}`, hint };
    });
  const unreadable = closed.map(name => {
    const hint = 'Give the user who runs the host read permission.';
    return { isGood: false, line: `books/${name} cannot be read by this user`, hint };
  });
  const results = [count, ...warn('link', links), ...warn('misnamed', misnamed), ...warn('foreign', foreign)];
  return { books, results: [...results, ...unreadable, ...warn('page', pages.slice(0, 1))] };
}

function readEntries(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true });
}

/** Returns whether a folder contains files but is not a book. A book has a folder for its lessons or its assets. */
function isForeign(book: string): boolean {
  const names = (tryOrUndefined(() => readdirSync(book)) ?? []).filter(name => !name.startsWith('.'));
  return names.length > 0 && !names.some(name => bookFolders.has(name));
}

const bookFolders = new Set(['content', 'static']);

/**
 * Returns an error if --books-root names a wrong folder: the folder "books" of a library, a single book, a folder of
 * books, or a course that can be imported.
 */
function misplacedRoot(root: string, entries: readonly Dirent[]): CheckResult | undefined {
  const parent = path.dirname(root);
  if (path.basename(root) === booksFolder) return wrongRoot(`${root} is the folder "books" itself`, parent);
  if (path.basename(parent) === booksFolder) return wrongRoot(`${root} is one book`, path.dirname(parent));
  const book = bookAround(parent);
  if (book !== undefined) return wrongRoot(`${root} is a part of the book ${book}`, path.dirname(path.dirname(book)));
  const course = courseKind(root, entries);
  if (course !== undefined) {
    const line = `${root} is ${course}, not a library`;
    const hint = `Use another folder as --books-root, and import the course into it: --books-import ${root} --book ${bookIdOf(root)}`;
    return { isGood: false, line, hint };
  }
  const folders = entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
  if (folders.some(name => bookFolders.has(name))) {
    const hint = `Move it to books/${path.basename(root)} in a new folder, and give that folder: --books-root.`;
    return { isGood: false, line: `${root} is one book, not a library`, hint };
  }
  if (folders.some(name => hasBookFolder(path.join(root, name)))) {
    const hint = `Move the folders of the books to ${path.join(root, booksFolder)}.`;
    return { isGood: false, line: `${root} contains books outside of a folder "books"`, hint };
  }
  return undefined;
}

/** Returns the book that contains a folder, if the book has lessons or assets. */
function bookAround(folder: string): string | undefined {
  const parent = path.dirname(folder);
  if (parent === folder) return undefined;
  const isBook = path.basename(parent) === booksFolder && hasBookFolder(folder);
  return isBook ? folder : bookAround(parent);
}

function hasBookFolder(folder: string): boolean {
  return (tryOrUndefined(() => readdirSync(folder)) ?? []).some(name => bookFolders.has(name));
}

function wrongRoot(line: string, parent: string): CheckResult {
  return { isGood: false, line, hint: `Use the library's folder: --books-root ${parent}` };
}

/** Returns the type of course that --books-import accepts, such as a Docusaurus site. */
function courseKind(root: string, entries: readonly Dirent[]): string | undefined {
  const names = entries.map(({ name }) => name);
  if (names.includes('book.toml')) return 'an mdBook';
  if (names.some(name => /^docusaurus\.config\.[cm]?[jt]s$/.test(name))) return 'a Docusaurus site';
  const pages = names.some(isPage) || ['docs', 'src'].some(name => hasPages(path.join(root, name)));
  const isChapterFolder = ({ name }: Dirent): boolean => /^\d/.test(name) && hasPages(path.join(root, name));
  return pages || entries.some(isChapterFolder) ? 'a folder of Markdown pages' : undefined;
}

function hasPages(folder: string): boolean {
  return (tryOrUndefined(() => readdirSync(folder)) ?? []).some(isPage);
}

function isPage(name: string): boolean {
  return /\.mdx?$/i.test(name);
}

/** Proposes the id of a book for a folder. */
function bookIdOf(folder: string): string {
  const id = path
    .basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50);
  return bookIdPattern.test(id) ? id : 'my-course';
}
