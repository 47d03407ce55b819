import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { book, openSample, type Sample } from './sample.ts';
import { errorOf, listOf, objectOf } from './support/answer.ts';
import { sha256 } from './support/library.ts';
import { isFolder } from './support/place.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
});
afterAll(async () => await sample[Symbol.asyncDispose]());

const upload = async (args: Record<string, unknown>) =>
  await sample.call('upload_asset', { book_id: book, asset_type: 'img', filename: 'a.png', ...args });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('upload_asset', () => {
  test('stores the bytes of an asset and returns its path, address and MIME type', async () => {
    const key = `books/${book}/static/img/My-File-v2.PNG`;
    const answer = objectOf(await upload({ filename: 'My File (v2).PNG', binary_data: base64('pixels') }));
    expect(answer).toEqual({
      status: 'success',
      method: 'direct',
      cdn_url: expect.stringMatching(sample.library.address(key)),
      file_size: 6,
      mime_type: 'image/png',
      path: key,
      filename: 'My-File-v2.PNG',
      file_hash_sha256: sha256('pixels'),
    });
    expect(sample.library.read(key)?.toString()).toBe('pixels');
    await expect
      .poll(() => sample.library.journal(book).at(-1))
      .toMatchObject({
        kind: 'commit',
        operation: 'upload_asset',
        new: sha256('pixels'),
        agent: 'test-author',
      });
  });

  test('skips an upload only if the stored file has equal bytes', async () => {
    const args = { filename: 'same.png', binary_data: base64('same') };
    const key = `books/${book}/static/img/same.png`;
    expect(objectOf(await upload(args))['status']).toBe('success');
    expect(objectOf(await upload(args))).toMatchObject({ status: 'skipped', message: expect.any(String) });
    const notes = () => sample.library.journal(book).filter(record => record.kind === 'note');
    await expect.poll(notes).toContainEqual(expect.objectContaining({ status: 'skipped' }));
    sample.library.remove(key);
    expect(objectOf(await upload(args))['status']).toBe('success');
    expect(sample.library.read(key)?.toString()).toBe('same');
    expect(objectOf(await upload({ ...args, binary_data: base64('other') }))['status']).toBe('success');
    expect(sample.library.read(key)?.toString()).toBe('other');
  });

  test.each([
    ['My File (v2).PNG', 'My-File-v2.PNG'],
    ['../../etc/passwd', 'etcpasswd'],
    ['a/b.png', 'ab.png'],
    ['snake_case.png', 'snake_case.png'],
    ['Übung.png', 'Ubung.png'],
    ['U\u0308bung Straße.png', 'Ubung-Strasse.png'],
    ['ŁÓDŹ.png', 'LODZ.png'],
    ['.hidden', 'hidden'],
    ['a - b.png', 'a-b.png'],
    ['end.', 'end'],
    ['a\u0000b\n.png', 'ab.png'],
    ['a..b.png', 'a..b.png'],
  ])('stores the file name %j as %s', async (filename, stored) => {
    const answer = objectOf(await upload({ filename, asset_type: 'slides', binary_data: base64(filename) }));
    expect(answer).toMatchObject({ filename: stored, path: `books/${book}/static/slides/${stored}` });
  });

  test.each(['..', '---.---', '日本', '図1.png', 'схема.png', '٣.png', ' ', 'con', 'NUL.png', 'com1.txt'])(
    'rejects the file name %j',
    async filename => {
      expect(errorOf(await upload({ filename, binary_data: base64('x') }))).toMatchObject({
        error: 'ValidationError',
        path: filename,
      });
    },
  );

  test.each(['!!!', 'YQ', 'YQ=', 'YR==', 'YWJj-_8=', 'YQ==YQ==', 'a', '====', ' YQ==', '', 'YQ\u0000=='])(
    'rejects invalid base64: %j',
    async binary_data => {
      expect(errorOf(await upload({ binary_data }))['error']).toBe('ValidationError');
    },
  );

  test('accepts base64 with line breaks', async () => {
    expect(objectOf(await upload({ filename: 'lines.png', binary_data: 'YWJj\nZGVm\r\n' }))['file_size']).toBe(6);
  });

  test.each([
    ['img', 'static/img/'],
    ['images', 'static/img/'],
    ['slides', 'static/slides/'],
    ['videos', 'static/videos/'],
    ['audio', 'static/audio/'],
  ])('stores the asset type %s in %s', async (asset_type, folder) => {
    const answer = objectOf(await upload({ asset_type, filename: 't.bin', binary_data: base64('t') }));
    expect(answer['path']).toBe(`books/${book}/${folder}t.bin`);
  });

  test.each(['Img', 'static', '', '../img'])('rejects the invalid asset type %j', async asset_type => {
    expect(errorOf(await upload({ asset_type, binary_data: base64('x') }))['code']).toBe('VALIDATION');
  });

  test('accepts less than 10 MiB of data and rejects 10 MiB', async () => {
    const limit = 10 * 1024 * 1024;
    const most = objectOf(
      await upload({ filename: 'most.bin', binary_data: Buffer.alloc(limit - 1).toString('base64') }),
    );
    expect(most['file_size']).toBe(limit - 1);
    const more = await upload({ filename: 'more.bin', binary_data: Buffer.alloc(limit).toString('base64') });
    expect(errorOf(more)).toMatchObject({ error: 'AssetTooLargeError', code: 'TOO_LARGE' });
  });

  test.runIf(isFolder)(
    'rejects an upload URL for a library on disk, but stores the bytes if both arguments are given',
    async () => {
      const size = { file_size: 20_000_000 };
      expect(errorOf(await upload(size))).toMatchObject({ error: 'UnsupportedOperationError', code: 'UNSUPPORTED' });
      expect(objectOf(await upload({ ...size, filename: 'both.bin', binary_data: base64('x') }))['file_size']).toBe(1);
      expect(errorOf(await upload({}))['message']).toContain('"binary_data" is required');
      expect(errorOf(await upload({ file_size: 10_485_759 }))['code']).toBe('VALIDATION');
      expect(errorOf(await upload({ file_size: 104_857_601 }))['code']).toBe('VALIDATION');
    },
  );

  test.skipIf(isFolder)(
    'returns an upload URL for a library in a bucket, and the URL accepts one upload of a large file',
    async () => {
      const key = `books/${book}/static/videos/long.mp4`;
      const bytes = Buffer.alloc(10_485_760, 'a video');
      const address = expect.stringMatching(sample.library.address(key));
      const offer = objectOf(await upload({ asset_type: 'videos', filename: 'long.mp4', file_size: bytes.length }));
      expect(offer).toEqual({
        status: 'presigned_url',
        method: 'presigned',
        upload_url: address,
        cdn_url: address,
        file_size: bytes.length,
        path: key,
        filename: 'long.mp4',
        expires_in_seconds: 3600,
        expires_at: expect.stringMatching(/Z$/),
        upload_instructions: {
          method: 'PUT',
          content_type: 'video/mp4',
          headers: { 'content-length': '10485760', 'content-type': 'video/mp4', 'if-none-match': '*' },
          note: expect.any(String),
        },
      });
      const headers = { 'content-type': 'video/mp4', 'if-none-match': '*' };
      const send = async (body: Buffer<ArrayBuffer>): Promise<number> => {
        const answer = await fetch(String(offer['upload_url']), { method: 'PUT', body, headers });
        await answer.text();
        return answer.status;
      };
      expect(await send(bytes)).toBe(200);
      // A failed request counts as status 412, because a store may reject an upload and close the connection before it
      // has read the body.
      expect(await send(Buffer.alloc(bytes.length, 'another')).catch(() => 412)).toBe(412);
      expect(sample.library.read(key)?.equals(bytes)).toBe(true);
      const found = objectOf(await sample.call('read_content', { book_id: book, path: 'static/videos/long.mp4' }));
      expect(found).toEqual({ exists: true, file_hash_sha256: sha256(bytes) });
    },
  );

  test.each([
    ['a.md', 'text/markdown'],
    ['a.jpg', 'image/jpeg'],
    ['a.JPEG', 'image/jpeg'],
    ['a.svg', 'image/svg+xml'],
    ['a.mp4', 'video/mp4'],
    ['a.mov', 'video/quicktime'],
    ['a.mp3', 'audio/mpeg'],
    ['a.yml', 'application/x-yaml'],
    ['a.jsonl', 'application/jsonlines'],
    ['a.tar.gz', 'application/octet-stream'],
    ['a.html', 'application/octet-stream'],
    ['noext', 'application/octet-stream'],
    ['constructor', 'application/octet-stream'],
  ])('returns for the file %s the MIME type %s', async (filename, mime) => {
    const answer = objectOf(await upload({ asset_type: 'audio', filename, binary_data: base64('m') }));
    expect(answer['mime_type']).toBe(mime);
  });
});

describe('get_asset', () => {
  const get = async (args: Record<string, unknown>) => await sample.call('get_asset', { book_id: book, ...args });

  test('finds images in both folders, img and images, for either asset type', async () => {
    for (const asset_type of ['img', 'images']) {
      for (const filename of ['one.png', 'two.png']) {
        expect(objectOf(await get({ asset_type, filename }))).toMatchObject({ filename, asset_type: 'img' });
      }
    }
  });

  test('returns the bytes of an asset only on request', async () => {
    const described = {
      cdn_url: expect.stringMatching(sample.library.address(`books/${book}/static/img/one.png`)),
      file_size: 13,
      mime_type: 'image/png',
      upload_timestamp: expect.stringMatching(/Z$/),
      asset_type: 'img',
      filename: 'one.png',
      path: `books/${book}/static/img/one.png`,
    };
    expect(objectOf(await get({ asset_type: 'img', filename: 'one.png' }))).toEqual(described);
    const full = objectOf(await get({ asset_type: 'img', filename: 'one.png', include_binary: true }));
    expect(full).toEqual({ ...described, binary_data: base64('first picture') });
  });

  test('finds an asset by its upload name and returns its author', async () => {
    await upload({ filename: 'To Find (1).png', binary_data: base64('x') });
    const found = objectOf(await get({ asset_type: 'img', filename: 'To Find (1).png' }));
    expect(found).toMatchObject({ filename: 'To-Find-1.png', uploaded_by_agent_id: 'test-author' });
  });

  test('finds an asset in a subfolder by its name from list_assets', async () => {
    expect(objectOf(await get({ asset_type: 'slides', filename: 'deck/a.pdf' }))['file_size']).toBe(6);
  });

  test.each(['none.png', '../../content/README.md', '/etc/shadow', 'deck/../deck/a.pdf'])(
    'rejects the file name %s',
    async filename => {
      const { code } = errorOf(await get({ asset_type: 'slides', filename }));
      expect(['NOT_FOUND', 'INVALID_PATH']).toContain(code);
    },
  );

  test('rejects a request for the bytes of a file above the response limit, but returns its metadata', async () => {
    sample.library.put(`books/${book}/static/videos/long.mp4`, Buffer.alloc(4 * 1024 * 1024));
    const args = { asset_type: 'videos', filename: 'long.mp4' };
    expect(errorOf(await get({ ...args, include_binary: true }))['error']).toBe('AssetTooLargeError');
    expect(objectOf(await get(args))['file_size']).toBe(4 * 1024 * 1024);
    sample.library.put(`books/${book}/static/videos/fits.mp4`, Buffer.alloc(3.5 * 1024 * 1024, 255));
    const fits = objectOf(await get({ ...args, filename: 'fits.mp4', include_binary: true }));
    expect(String(fits['binary_data']).length).toBeGreaterThan(4_800_000);
  });
});

describe('list_assets', () => {
  const list = async (args: Record<string, unknown>) => listOf(await sample.call('list_assets', args));

  test('returns assets sorted by type and name, including those in subfolders', async () => {
    const put = (name: string): void => sample.library.put(`books/assets-book/static/${name}`, 'x');
    for (const name of [
      'videos/b.mp4',
      'slides/z.pdf',
      'slides/deck/a.pdf',
      'images/b.png',
      'img/c.png',
      'audio/a.mp3',
    ])
      put(name);
    const found = await list({ book_id: 'assets-book' });
    expect(found.map(item => `${String(item['asset_type'])} ${String(item['filename'])}`)).toEqual([
      'audio a.mp3',
      'img b.png',
      'img c.png',
      'slides deck/a.pdf',
      'slides z.pdf',
      'videos b.mp4',
    ]);
    const pictures = await list({ book_id: 'assets-book', asset_type: 'images' });
    expect(pictures.map(item => item['filename'])).toEqual(['b.png', 'c.png']);
  });

  test('returns an empty list for a type without assets', async () => {
    expect(await list({ book_id: book, asset_type: 'img' })).not.toEqual([]);
    expect(await list({ book_id: 'assets-book', asset_type: 'img' })).toHaveLength(2);
  });
});

test('get_asset returns a download address of the CDN if a CDN is configured', async () => {
  await using published = await openSample('--books-cdn-url', 'https://cdn.example.com/lib/');
  const asset = objectOf(await published.call('get_asset', { book_id: book, asset_type: 'img', filename: 'one.png' }));
  expect(asset['cdn_url']).toBe(`https://cdn.example.com/lib/books/${book}/static/img/one.png`);
});
