import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OpenFolder } from '../../../src/toolsets/books/storage/disk/folder.ts';
import { type LibraryRoot, openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import { countOpenDescriptors } from '../../support/descriptors.ts';
import { type TemporaryLibrary, temporaryLibrary } from './support/library.ts';

const isLink = 'is a symbolic link';
const wrongType = 'has the wrong type';
const invalidName = 'is not a valid file name';

/** The entries of a folder, and the results of its methods for the name of each entry. */
const entries = [
  { name: 'folder', child: 'folder', look: true, openFile: wrongType, checkTarget: wrongType },
  { name: 'file.md', child: 'none', look: true, openFile: 'file', checkTarget: 'none' },
  { name: 'link', child: isLink, look: true, openFile: isLink, checkTarget: isLink },
  { name: 'folder-link', child: isLink, look: true, openFile: isLink, checkTarget: isLink },
  { name: 'dangling', child: isLink, look: true, openFile: isLink, checkTarget: isLink },
  { name: 'pipe', child: 'none', look: true, openFile: wrongType, checkTarget: wrongType },
  { name: 'missing', child: 'none', look: false, openFile: 'none', checkTarget: 'none' },
  { name: '..', child: invalidName, look: invalidName, openFile: invalidName, checkTarget: invalidName },
  { name: '', child: invalidName, look: invalidName, openFile: invalidName, checkTarget: invalidName },
  { name: 'a/b', child: invalidName, look: invalidName, openFile: invalidName, checkTarget: invalidName },
  { name: 'a\0b', child: invalidName, look: invalidName, openFile: invalidName, checkTarget: invalidName },
];

function libraryWithEntries(): TemporaryLibrary {
  const library = temporaryLibrary('memory');
  onTestFinished(() => library[Symbol.dispose]());
  library.put('books/folder/inner.md', 'inner');
  library.put('books/file.md', 'file');
  const at = (name: string): string => path.join(library.root, 'books', name);
  symlinkSync('file.md', at('link'));
  symlinkSync('folder', at('folder-link'));
  symlinkSync('nothing', at('dangling'));
  execFileSync('mkfifo', [at('pipe')]);
  return library;
}

/** Returns the result of a function, or the part of its error message that a test expects. */
function outcomeOf<Result>(run: () => Result): Result | string {
  try {
    return run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [isLink, wrongType, invalidName].find(part => message.includes(part)) ?? message;
  }
}

const modeOf = (...names: string[]): string => (statSync(path.join(...names)).mode & 0o777).toString(8);

const variants: [string, Partial<LibraryRoot>][] = [
  ['descriptors', {}],
  ['paths', { hasDescriptors: false }],
  ['descriptors and compared names', { ignoresCase: true }],
  ['paths and compared names', { hasDescriptors: false, ignoresCase: true }],
];

describe.skipIf(process.platform === 'win32').each(variants)('a folder that is opened by %s', (_, change) => {
  const rootOf = (library: TemporaryLibrary): LibraryRoot => ({ ...openLibraryRoot(library.root), ...change });
  const use = <T>(folder: OpenFolder | undefined, work: (open: OpenFolder) => T): T => {
    if (folder === undefined) throw new Error('the folder is missing');
    try {
      return work(folder);
    } finally {
      folder.close();
    }
  };

  test('opens folders and files, but no links, pipes and invalid names, and closes all descriptors', () => {
    const root = rootOf(libraryWithEntries());
    const before = countOpenDescriptors();
    const outcomes = use(OpenFolder.open(root, ['books']), books =>
      entries.map(({ name }) => ({
        name,
        child: outcomeOf(() => {
          const child = books.child(name);
          if (child === undefined) return 'none';
          return use(child, open => (open.path === path.join(root.root, 'books', name) ? 'folder' : open.path));
        }),
        look: outcomeOf(() => books.look(name) !== undefined),
        openFile: outcomeOf(() => {
          const descriptor = books.openFile(name);
          if (descriptor === undefined) return 'none';
          const text = readFileSync(descriptor, 'utf8');
          closeSync(descriptor);
          return text;
        }),
        checkTarget: outcomeOf(() => books.checkTarget(name) ?? 'none'),
      })),
    );
    expect(outcomes).toEqual(entries);
    expect(OpenFolder.open(root, ['books', 'folder', 'none', 'none'])).toBeUndefined();
    expect(() => OpenFolder.open(root, ['books', 'link', 'none'])).toThrow(isLink);
    expect(countOpenDescriptors()).toBe(before);
  });

  test('rejects a folder or a socket in place of a file that is opened for writing', async () => {
    const library = libraryWithEntries();
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>(resolve => server.listen(path.join(library.root, 'books/socket'), resolve));
    use(OpenFolder.open(rootOf(library), ['books']), books => {
      for (const name of ['folder', 'socket']) expect(() => books.openFile(name, constants.O_RDWR)).toThrow(wrongType);
    });
  });

  test('creates nothing in a folder that was deleted or replaced by a link', async () => {
    const library = libraryWithEntries();
    const root = rootOf(library);
    const [deleted, moved] = [OpenFolder.open(root, ['books', 'folder']), OpenFolder.open(root, ['books'])];
    const before = countOpenDescriptors();
    library.remove('books/folder');
    await expect(deleted?.make('x')).rejects.toThrow('ENOENT');
    renameSync(path.join(library.root, 'books'), path.join(library.root, 'moved'));
    symlinkSync('moved', path.join(library.root, 'books'));
    mkdirSync(path.join(library.root, 'moved/inner'));
    expect(() => moved?.checkPlace()).toThrow('was moved or is outside of the library');
    expect(() => moved?.child('inner')?.checkPlace()).toThrow('was moved or is outside of the library');
    deleted?.close();
    moved?.close();
    expect(countOpenDescriptors()).toBeLessThanOrEqual(before);
  });

  test('names the path of a link relative to the library', () => {
    const root = rootOf(libraryWithEntries());
    use(OpenFolder.open(root, ['books']), books => {
      expect(() => books.openFile('link')).toThrow(/^books\/link is a symbolic link/);
      expect(() => books.child('link')).toThrow(/^books\/link is a symbolic link/);
    });
  });

  test('creates folders with the given mode, and leaves the mode of existing ones', async () => {
    const library = libraryWithEntries();
    const root = rootOf(library);
    const before = countOpenDescriptors();
    mkdirSync(path.join(library.root, 'plain'));
    (await OpenFolder.make(root, ['a', 'b'], 0o770)).close();
    (await OpenFolder.make(root, ['a', 'b'], 0o700)).close();
    (await OpenFolder.make(root, ['a', 'c'])).close();
    expect([modeOf(library.root, 'a'), modeOf(library.root, 'a/b')]).toEqual(['770', '770']);
    expect(modeOf(library.root, 'a/c')).toBe(modeOf(library.root, 'plain'));
    await expect(OpenFolder.make(root, ['books', 'file.md', 'x'])).rejects.toThrow(wrongType);
    await expect(OpenFolder.make(root, ['books', 'pipe'])).rejects.toThrow(wrongType);
    await expect(OpenFolder.make(root, ['books', 'dangling'])).rejects.toThrow(isLink);
    expect(countOpenDescriptors()).toBe(before);
  });

  test('calls a function with a file and closes the file and the folder, also after an error', async () => {
    const root = rootOf(libraryWithEntries());
    const before = countOpenDescriptors();
    const read = async (name: string) =>
      await OpenFolder.open(root, ['books'])?.closeAfter(
        async books => await books.useFile(name, descriptor => readFileSync(descriptor, 'utf8')),
      );
    expect([await read('file.md'), await read('missing')]).toEqual(['file', undefined]);
    const fail = async (): Promise<unknown> =>
      await OpenFolder.open(root, ['books'])?.closeAfter(
        async books => await books.useFile('file.md', () => Promise.reject(new Error('failed'))),
      );
    await expect(fail()).rejects.toThrow('failed');
    expect(countOpenDescriptors()).toBe(before);
  });

  test('deletes files, ignores missing ones, and deletes no folder', () => {
    const library = libraryWithEntries();
    use(OpenFolder.open(rootOf(library), ['books']), books => {
      books.remove('file.md');
      books.remove('file.md');
      books.remove('link');
      expect(() => books.remove('folder')).toThrow(/EISDIR|EPERM/);
      const names = books.entries().map(({ name }) => name);
      expect(names.sort()).toEqual(['dangling', 'folder', 'folder-link', 'pipe']);
    });
  });

  test('is not the library any more after another folder has taken the place of the library', () => {
    const library = libraryWithEntries();
    const root = rootOf(library);
    use(OpenFolder.openRoot(root), open => expect(open.identity()).toBe(root.identity));
    const former = `${library.root}-former`;
    const before = countOpenDescriptors();
    renameSync(library.root, former);
    onTestFinished(() => rmSync(former, { recursive: true }));
    mkdirSync(library.root);
    expect(() => OpenFolder.openRoot(root)).toThrow('is not the same folder as at the start');
    expect(countOpenDescriptors()).toBe(before);
  });

  test('can be the root of the file system and a folder in it', () => {
    const name = readdirSync('/', { withFileTypes: true }).find(entry => entry.isDirectory())?.name ?? '';
    const root = { ...openLibraryRoot('/'), ...change, ignoresCase: false };
    use(OpenFolder.openRoot(root), open => open.checkPlace());
    use(OpenFolder.open(root, [name]), open => {
      expect(open.path).toBe(`/${name}`);
      open.checkPlace();
    });
  });
});
