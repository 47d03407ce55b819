import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { book, openSample, type Sample } from './sample.ts';
import { errorOf, listOf, objectOf } from './support/answer.ts';
import { sha256 } from './support/library.ts';

const put = ({ library }: Sample, name: string, text: string): void =>
  library.put(`books/${book}/static/${name}`, text);
const upload = async (sample: Sample, filename: string, text: string, asset_type = 'images') =>
  objectOf(await sample.call('upload_asset', { book_id: book, asset_type, filename, binary_data: btoa(text) }));
const get = async (sample: Sample, filename: string, asset_type = 'slides') =>
  await sample.call('get_asset', { book_id: book, asset_type, filename, include_binary: true });
const textOf = (answer: Record<string, unknown>): string => atob(String(answer['binary_data']));

describe('the asset folders img and images', () => {
  test('are both searched for an asset, for the type img and for the type images', async () => {
    await using sample = await openSample();
    for (const [name, text] of [
      ['one.png', 'first picture'],
      ['two.png', 'second picture'],
    ] as const) {
      for (const folder of ['img', 'images']) {
        const answer = await sample.call('read_content', { book_id: book, path: `static/${folder}/${name}` });
        expect(objectOf(answer)).toEqual({ exists: true, file_hash_sha256: sha256(text) });
      }
    }
  });

  test.each([
    ['the other folder is a link', (at: (name: string) => string) => symlinkSync('/etc', at('images'))],
    [
      'a link has the name of the asset',
      (at: (name: string) => string) => (mkdirSync(at('images')), symlinkSync('/etc', at('images/b.png'))),
    ],
    [
      'a folder has the name of the asset',
      (at: (name: string) => string) => void mkdirSync(at('images/b.png'), { recursive: true }),
    ],
  ])('remain usable when %s', async (_, obstruct) => {
    await using sample = await openSample();
    const at = (name: string): string => join(sample.library.root, `books/${book}/static`, name);
    rmSync(at('images'), { recursive: true });
    put(sample, 'img/b.png', 'old');
    obstruct(at);
    expect(await upload(sample, 'b.png', 'new', 'img')).not.toHaveProperty('message');
    expect(textOf(objectOf(await get(sample, 'b.png', 'img')))).toBe('new');
    expect(await upload(sample, 'c.png', 'c', 'img')).toMatchObject({ status: 'success' });
    expect(errorOf(await get(sample, 'd.png', 'img'))['code']).toBe('NOT_FOUND');
    const listed = listOf(await sample.call('list_assets', { book_id: book, asset_type: 'img' }));
    expect(listed.map(({ filename }) => filename)).toEqual(['b.png', 'c.png', 'one.png']);
    expect(sample.library.audit(book)).toEqual([]);
  });

  test('are both searched if the first one contains a folder with the name of the asset', async () => {
    await using sample = await openSample();
    mkdirSync(join(sample.library.root, `books/${book}/static/img/two.png`));
    expect(textOf(objectOf(await get(sample, 'two.png', 'img')))).toBe('second picture');
    const fact = await sample.call('read_content', { book_id: book, path: 'static/images/two.png' });
    expect(objectOf(fact)).toMatchObject({ exists: true });
  });

  test('are listed together, and an asset in both folders is listed once', async () => {
    await using sample = await openSample();
    put(sample, 'images/one.png', 'older picture');
    put(sample, 'images/a.png', 'a');
    const listed = listOf(await sample.call('list_assets', { book_id: book, asset_type: 'img' }));
    expect(listed.map(({ path }) => path)).toEqual([
      `books/${book}/static/images/a.png`,
      `books/${book}/static/img/one.png`,
      `books/${book}/static/images/two.png`,
    ]);
    for (const type of ['img', 'images']) {
      expect(textOf(objectOf(await get(sample, 'one.png', type)))).toBe('first picture');
    }
    const [structure] = listOf(await sample.call('list_books', { book_id: book, include_structure: 'assets' }));
    expect(structure?.['assets']).toMatchObject({ images: ['a.png', 'one.png', 'two.png'] });
    const path = 'static/images/one.png';
    const asked = objectOf(await sample.call('read_content', { book_id: book, path }));
    expect(asked['file_hash_sha256']).toBe(sha256('first picture'));
  });

  test('are both searched before an upload, which skips equal bytes and reports another file with the same name', async () => {
    await using sample = await openSample();
    const legacy = `books/${book}/static/images/two.png`;
    expect(await upload(sample, 'two.png', 'second picture')).toMatchObject({ status: 'skipped', path: legacy });
    await expect
      .poll(() => sample.library.journal(book).at(-1))
      .toMatchObject({
        kind: 'note',
        status: 'skipped',
        path: 'static/images/two.png',
        prev: sha256('second picture'),
        new: sha256('second picture'),
      });
    expect(await upload(sample, 'two.png', 'another picture')).toMatchObject({
      status: 'success',
      path: `books/${book}/static/img/two.png`,
      message: 'static/images/two.png still exists, but the new file is returned in its place.',
    });
    expect(sample.library.read(legacy)?.toString()).toBe('second picture');
    expect(textOf(objectOf(await get(sample, 'two.png', 'images')))).toBe('another picture');
    expect(await upload(sample, 'two.png', 'second picture')).toMatchObject({ status: 'success' });
    expect(await upload(sample, 'new.png', 'x')).not.toHaveProperty('message');
  });
});

describe('get_asset', () => {
  test('finds each asset by the file name that list_assets returns, also if another asset has a similar name', async () => {
    await using sample = await openSample();
    const names = ['a b.pdf', 'a-b.pdf', '.hid', '日本.pdf', 'nul', '~x.pdf', 'x.pdf', 'C:y.pdf', 'deck/a b.pdf'];
    for (const name of names) put(sample, `slides/${name}`, name);
    const listed = listOf(await sample.call('list_assets', { book_id: book, asset_type: 'slides' }));
    expect(new Set(listed.map(({ filename }) => filename))).toEqual(new Set([...names, 'deck/a.pdf']));
    for (const name of names) {
      const found = objectOf(await get(sample, name));
      const bytes = Buffer.from(String(found['binary_data']), 'base64').toString();
      expect([found['filename'], bytes]).toEqual([name, name]);
    }
  });

  test.each([
    '../../etc/passwd',
    ' lead.png',
    'trail.png ',
    '~x.png',
    'C:x.png',
    'a\0b.png',
    'a\\b.png',
    'My File.png',
  ])('finds the asset that was uploaded with the name %j', async filename => {
    await using sample = await openSample();
    const stored = await upload(sample, filename, filename, 'slides');
    expect(objectOf(await get(sample, filename))).toMatchObject({ path: stored['path'] });
  });

  test('finds an asset in a subfolder, and for an unknown file name with a slash suggests the stored name without the slash', async () => {
    await using sample = await openSample();
    put(sample, 'slides/ch9x.pdf', 'another');
    expect(errorOf(await get(sample, 'ch9/x.pdf'))).toMatchObject({
      code: 'NOT_FOUND',
      path: 'ch9/x.pdf',
      suggestion: expect.stringContaining('ch9x.pdf'),
    });
    expect(textOf(objectOf(await get(sample, 'deck/a.pdf')))).toBe('slides');
  });

  test.each(['..', '日本', 'con', 'none.pdf', ''])(
    'accepts the file name %j and returns an error without a match',
    async filename => {
      await using sample = await openSample();
      const code = errorOf(await get(sample, filename))['code'];
      expect(code).toBe(filename === '' ? 'VALIDATION' : 'NOT_FOUND');
    },
  );
});

describe('the audit trail of an asset', () => {
  test('contains the stored path and the hash', async () => {
    await using sample = await openSample();
    const filename = '../My File.png';
    await upload(sample, filename, 'x');
    await upload(sample, filename, 'x');
    await get(sample, filename, 'images');
    await sample.call('upload_asset', { book_id: book, asset_type: 'images', filename, binary_data: '!' });
    const hash = sha256('x');
    const ends = () => sample.library.journal(book).filter(({ kind }) => kind === 'commit' || kind === 'note');
    const about = { path: 'static/img/My-File.png', user: '__base__', new: hash };
    await expect.poll(ends).toMatchObject([
      { ...about, status: 'success', prev: null },
      { ...about, status: 'skipped', prev: hash },
      { ...about, status: 'success', prev: hash },
      { ...about, status: 'failed', prev: hash },
    ]);
  });

  test('contains the hash of an asset that another program added, when the asset is first read', async () => {
    await using sample = await openSample();
    await get(sample, 'two.png', 'images');
    await expect.poll(() => sample.library.journal(book)).toHaveLength(2);
    const [found, note] = sample.library.journal(book);
    expect(found).toMatchObject({ kind: 'external', path: 'static/images/two.png', new: sha256('second picture') });
    expect(note).toMatchObject({ kind: 'note', path: 'static/images/two.png', prev: found?.new, new: found?.new });
  });
});

describe('the error message for a path', () => {
  const wrong = 'content/01-Basics/01-Start/01-intro.md';
  test.each([
    ['read_content', { path: 'content/01-No/01-No/01-no.md' }],
    ['read_content', { path: 'content/01-No/', scope: 'part' }],
    ['read_content', { path: 'static/nowhere/x' }],
    ['write_content', { path: wrong, content: 'x' }],
    ['write_content', { path: wrong, content: 'x', expected_hash: sha256('y') }],
    ['write_content', { path: 'content/01-Basics/01-Start/77-folder.md', content: 'x' }],
    ['write_content', { path: '../x', content: 'x', user_id: 'ada' }],
    ['delete_content', { path: 'content/x.md' }],
    ['delete_content', { path: 'content/01-Basics/01-Start/77-folder.md' }],
    ['read_content', { path: 'content/01-Basics/01-Start/77-folder.md' }],
    ['get_asset', { filename: 'no.png', asset_type: 'img' }],
    ['upload_asset', { filename: 'No.png', asset_type: 'img', binary_data: '!' }],
  ])('contains the path as the caller gave it: %s %j', async (tool, args) => {
    await using sample = await openSample();
    sample.library.put(`books/${book}/content/01-Basics/01-Start/77-folder.md/inner.md`, 'x');
    const error = errorOf(await sample.call(tool, { book_id: book, ...args }));
    expect(error['path']).toBe('path' in args ? args.path : args.filename);
  });

  test('states that the path is a folder if a folder has the name of the requested file', async () => {
    await using sample = await openSample();
    const path = 'content/01-Basics/01-Start/77-folder.md';
    sample.library.put(`books/${book}/${path}/inner.md`, 'x');
    const error = errorOf(await sample.call('read_content', { book_id: book, path }));
    expect(error).toMatchObject({
      code: 'INVALID_PATH',
      message: expect.stringContaining('a folder instead of a file'),
      suggestion: expect.any(String),
    });
  });
});
