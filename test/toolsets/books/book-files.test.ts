import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findAsset, listAssetsOf } from '../../../src/toolsets/books/library/book-assets.ts';
import { BookFiles } from '../../../src/toolsets/books/library/book-files.ts';
import { openDiskBackend } from '../../../src/toolsets/books/library/library.ts';
import { VersionHistory } from '../../../src/toolsets/books/library/version-history.ts';
import { openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import { sha256, temporaryLibrary } from './support/library.ts';

const book = 'graphs';
const author = { agent: 'ada', operation: 'write_content' };
const { signal } = new AbortController();
const file = 'content/01-a/01-b/01-c.md';
const other = 'content/01-a/01-b/02-d.md';
const placeOf = (name: string, user?: string) => ({ book, path: name, user });

function openFiles(contents: Readonly<Record<string, string | Uint8Array>> = {}) {
  const library = temporaryLibrary('memory');
  const backend = openDiskBackend(openLibraryRoot(library.root), Date.now);
  onTestFinished(async () => {
    await backend.close();
    library[Symbol.dispose]();
  });
  for (const [key, bytes] of Object.entries(contents)) library.put(`books/${key}`, bytes);
  const versions = new VersionHistory(backend, { maxAgeMs: 86_400_000, maxBytes: 1 << 30 }, Date.now);
  const kept = async (): Promise<string[]> => [...(await versions.keptHashes(book))].sort();
  return { library, backend, files: new BookFiles(backend, versions), plain: new BookFiles(backend), kept };
}

const hashesOf = (...texts: string[]): string[] => texts.map(text => sha256(text)).sort();
const codeOf = async (call: Promise<unknown>): Promise<unknown> =>
  await call.then(
    () => 'done',
    (error: unknown) => Object(Object(error)['report'])['code'] ?? error,
  );

describe('BookFiles', () => {
  test('lists the books with valid ids, and those that a search must still read', async () => {
    const names = ['abc', 'abc-d', 'abd', 'No', 'ab', 'a_b'];
    const { files } = openFiles(Object.fromEntries(names.map(name => [`${name}/x`, 'x'])));
    expect(await files.books()).toEqual(['abc', 'abc-d', 'abd']);
    // The keys of "abc-d" come before those of "abc".
    expect(await files.searchedBooks(undefined, '')).toEqual(['abc-d', 'abc', 'abd']);
    expect(await files.searchedBooks(undefined, 'books/abc/x')).toEqual(['abc', 'abd']);
    expect(await files.searchedBooks(undefined, 'books/abe')).toEqual([]);
    expect(await files.searchedBooks('abc', 'books/abe')).toEqual(['abc']);
    expect([
      await files.noteOnNewBook('abc'),
      await files.noteOnNewBook('abcd'),
      await files.noteOnNewBook('xyz'),
    ]).toEqual([[], ['This created the book abcd. A book with a similar id: abc.'], ['This created the book xyz.']]);
    expect([await codeOf(files.require('abc')), await codeOf(files.require('xyz'))]).toEqual(['done', 'NOT_FOUND']);
  });

  test('reads files of the book without those of its users', async () => {
    const { files, library } = openFiles({
      [`${book}/${file}`]: 'x',
      [`${book}/users/ada/${file}`]: 'x',
      [`${book}/users.md`]: 'x',
    });
    symlinkSync(book, path.join(library.root, 'books/linked'));
    const keysOf = async (name: string, isOneOfMany: boolean) =>
      (await files.baseFiles(name, isOneOfMany))?.map(({ key }) => key);
    expect(await keysOf(book, false)).toEqual([`books/${book}/${file}`, `books/${book}/users.md`]);
    expect([await codeOf(keysOf('missing', false)), await keysOf('missing', true)]).toEqual(['NOT_FOUND', undefined]);
    expect([await codeOf(keysOf('linked', false)), await keysOf('linked', true)]).toEqual(['INVALID_PATH', undefined]);
    await expect(files.baseFiles(book, true, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled');
    expect(await files.list(book, 'content/01-a')).toHaveLength(1);
    expect(await files.list(book, 'content/none')).toBeUndefined();
  });

  test('reads a text exactly, and rejects bytes that are not UTF-8', async () => {
    const text = '\ufeff# Größe\r\n';
    const { files } = openFiles({ [`${book}/${file}`]: text, [`${book}/${other}`]: Buffer.from([0xff]) });
    expect(await files.text(placeOf(file))).toMatchObject({
      content: text,
      size: Buffer.byteLength(text),
      hash: sha256(text),
    });
    expect([await codeOf(files.text(placeOf(other))), await files.text(placeOf('content/none.md'))]).toEqual([
      'NOT_TEXT',
      undefined,
    ]);
    const entries = (await files.list(book, '')) ?? [];
    const texts: unknown[] = [];
    for await (const [{ place }, found] of files.textsOf(book, entries, signal))
      texts.push([place.path, found && 'content' in found ? found.content : found?.message]);
    expect(texts).toEqual([
      [file, text],
      [other, `books/${book}/${other} is not text in UTF-8.`],
    ]);
  });

  test('treats an empty file as deleted only if its last change was a deletion', async () => {
    const { files, library } = openFiles();
    await files.put(placeOf(file), Buffer.from('x'), author);
    await files.remove(placeOf(file), undefined, author);
    for (const name of [file, other, `users/ada/${file}`]) library.put(`books/${book}/${name}`, '');
    const keys = (await files.list(book, ''))?.map(({ key }) => key.slice(`books/${book}/`.length));
    expect(keys).toEqual([other, `users/ada/${file}`]);
    expect([await files.text(placeOf(file)), (await files.text(placeOf(other)))?.content]).toEqual([undefined, '']);
    expect([await files.stat(placeOf(file)), (await files.stat(placeOf(other)))?.size]).toEqual([undefined, 0]);
    expect(await files.stat(placeOf('none'))).toBeUndefined();
    library.put(`books/${book}/${file}`, 'y');
    expect((await files.text(placeOf(file)))?.content).toBe('y');
  });

  test('keeps the former and the new content of each change', async () => {
    const { files, library, kept } = openFiles();
    await files.put(placeOf(file), Buffer.from('one'), author);
    expect(await kept()).toEqual(hashesOf('one'));
    library.put(`books/${book}/${file}`, 'by an editor');
    const written = await files.write(placeOf(file), Buffer.from('two'), sha256('by an editor'), author);
    expect(written).toEqual({ decision: 'updated', previous: sha256('by an editor'), hash: sha256('two') });
    expect(await kept()).toEqual(hashesOf('one', 'by an editor', 'two'));
    await files.move(placeOf(file), placeOf(other), Buffer.from('two'), Buffer.from('moved'), author);
    expect(await kept()).toEqual(hashesOf('one', 'by an editor', 'two', 'moved'));
    library.put(`books/${book}/${other}`, 'again');
    expect([
      await files.remove(placeOf(other), undefined, author),
      await files.remove(placeOf(other), undefined, author),
    ]).toEqual([true, false]);
    expect(await kept()).toEqual(hashesOf('one', 'by an editor', 'two', 'moved', 'again'));
    expect([library.read(`books/${book}/${file}`), library.audit(book)]).toEqual([undefined, []]);
  });

  test.each([[true], [false]])('keeps nothing of a rejected change (with former contents: %s)', async isKeeping => {
    const { files, plain, library, kept } = openFiles({ [`${book}/${file}`]: 'one' });
    const used = isKeeping ? files : plain;
    const write = async (expected: string | undefined) =>
      await codeOf(used.write(placeOf(file), Buffer.from('two'), expected, author));
    expect([await write(undefined), await write(sha256('other'))]).toEqual(['HASH_REQUIRED', 'CONFLICT']);
    expect(await codeOf(used.remove(placeOf(file), sha256('other'), author))).toBe('CONFLICT');
    const move = used.move(placeOf(file), placeOf(file), Buffer.from('one'), Buffer.from('two'), author);
    expect(await codeOf(move)).toBe('CONFLICT');
    expect(await codeOf(used.write(placeOf(other), Buffer.from('two'), sha256('x'), author))).toBe('NOT_FOUND');
    expect(library.read(`books/${book}/${file}`)?.toString()).toBe('one');
    expect(await kept()).toEqual(isKeeping ? hashesOf('one', 'two') : []);
  });

  test('names the key and the change if a system call fails', async () => {
    const { files } = openFiles();
    const name = `content/${'x'.repeat(300)}`;
    await expect(files.put(placeOf(name), Buffer.from('x'), author)).rejects.toThrow(
      /^Writing books\/graphs\/content\/x+ failed: /,
    );
    const deletion = openFiles({ [`${book}/${file}`]: 'x' }).plain.remove(placeOf(name), undefined, author);
    await expect(deletion).rejects.toThrow(/^Deleting books\/graphs\/content\/x+ failed: /);
  });

  test.each([
    [16 << 20, true],
    [(16 << 20) + 1, false],
  ])('replaces a file of %i bytes, and keeps its content: %s', async (size, isKept) => {
    const large = Buffer.alloc(size, 'x');
    const { files, library, kept } = openFiles({ [`${book}/${file}`]: large });
    await files.write(placeOf(file), Buffer.from('two'), sha256(large), author);
    expect(library.read(`books/${book}/${file}`)?.toString()).toBe('two');
    expect((await kept()).length).toBe(isKept ? 2 : 1);
  });
});

describe('the assets of a book', () => {
  const contents = {
    [`${book}/static/img/a.png`]: 'img',
    [`${book}/static/images/a.png`]: 'images',
    [`${book}/static/images/b/c.png`]: 'images',
    [`${book}/static/videos/a.png`]: 'video',
    [`${book}/static/slides`]: 'no folder',
    [`${book}/static/fonts/a.woff`]: 'font',
    [`${book}/static/top.png`]: 'top',
  };

  test('are listed once by type and name, with the file that takes precedence', async () => {
    const { files, library } = openFiles(contents);
    symlinkSync('a.png', path.join(library.root, `books/${book}/static/img/link.png`));
    const list = async (...args: [] | ['img' | 'images' | 'videos' | 'audio']) =>
      (await listAssetsOf(files, book, args[0], signal)).map(({ place, entry }) => [place, entry.key.split('/')[3]]);
    const images = [
      ['img/a.png', 'img'],
      ['img/b/c.png', 'images'],
    ];
    expect(await list()).toEqual([...images, ['videos/a.png', 'videos']]);
    expect([await list('img'), await list('images')]).toEqual([images, images]);
    expect([await list('videos'), await list('audio')]).toEqual([[['videos/a.png', 'videos']], []]);
  });

  test('are found by type and name in both folders of images, even if one cannot be read', async () => {
    const { files, library } = openFiles(contents);
    const find = async (type: 'img' | 'images' | 'videos', name: string) =>
      (await findAsset(files, book, type, name))?.key.slice(`books/${book}/static/`.length);
    expect([await find('img', 'a.png'), await find('images', 'a.png'), await find('images', 'b/c.png')]).toEqual([
      'img/a.png',
      'img/a.png',
      'images/b/c.png',
    ]);
    expect([await find('videos', 'a.png'), await find('videos', 'b/c.png'), await find('img', 'none.png')]).toEqual([
      'videos/a.png',
      undefined,
      undefined,
    ]);
    library.remove(`books/${book}/static/img`);
    symlinkSync('videos', path.join(library.root, `books/${book}/static/img`));
    expect(await find('images', 'a.png')).toBe('images/a.png');
    expect(await codeOf(find('images', 'none.png'))).toBe('INVALID_PATH');
    expect(await codeOf(listAssetsOf(files, book, 'images', signal))).toBe('INVALID_PATH');
    library.remove(`books/${book}/static/images`);
    symlinkSync('videos', path.join(library.root, `books/${book}/static/images`));
    library.remove(`books/${book}/static/img`);
    expect([await find('img', 'a.png'), await listAssetsOf(files, book, 'img', signal)]).toEqual([undefined, []]);
  });
});
