import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, truncateSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { frame, id3, movie, png } from '../../documents/media.ts';
import { line, pdf } from '../../documents/pdf.ts';
import { zip } from '../../documents/zip.ts';
import { createFolder, openFiles, write } from './open-files.ts';

describe('get_metadata', () => {
  test('returns the attributes of the file system without the path, with sorted keys', async () => {
    const root = createFolder();
    write(root, 'note.md', 'twelve bytes', '2026-01-01T00:00:00.900Z');
    const opened = await openFiles({ 'files-root': [root] });
    const { text, structured } = await opened.call('get_metadata', { path: `${root}/note.md` });
    expect(JSON.parse(text)).toEqual(structured);
    expect(Object.keys(structured ?? {})).toEqual(
      Object.keys(structured ?? {}).toSorted((left, right) => (left < right ? -1 : 1)),
    );
    expect(structured).toMatchObject({
      kMDItemContentModificationDate: '2026-01-01T00:00:00Z',
      kMDItemContentType: 'net.daringfireball.markdown',
      kMDItemContentTypeTree: [
        'net.daringfireball.markdown',
        'public.text',
        'public.data',
        'public.item',
        'public.content',
      ],
      kMDItemDisplayName: 'note.md',
      kMDItemFSContentChangeDate: '2026-01-01T00:00:00Z',
      kMDItemFSInvisible: 0,
      kMDItemFSName: 'note.md',
      kMDItemFSSize: 12,
      kMDItemKind: 'MD text document',
    });
    expect(structured?.['_path']).toBeUndefined();
    for (const value of Object.values(structured ?? {}))
      expect(typeof value === 'boolean' || value === null).toBe(false);
    expect(structured?.['kMDItemContentCreationDate']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(structured?.['kMDItemFSOwnerUserID']).toBe(process.getuid?.());
  });

  test.each([
    ['photo.png', png, { kMDItemPixelWidth: 640, kMDItemPixelHeight: 480 }],
    [
      'song.mp3',
      Buffer.concat([id3, frame, frame]),
      {
        kMDItemTitle: 'Süß',
        kMDItemAlbum: 'Ö',
        kMDItemAuthors: ['Ada'],
        kMDItemAudioBitRate: 128_000,
        kMDItemAudioSampleRate: 44_100,
      },
    ],
    ['movie.mp4', movie, { kMDItemDurationSeconds: 12.5, kMDItemPixelWidth: 1280, kMDItemPixelHeight: 720 }],
    [
      'paper.pdf',
      pdf({ pages: [line('x'), line('y')], extra: ['<< /Title (Paper) /Author (Ada) >>'], trailer: '/Info 4 0 R' }),
      {
        kMDItemNumberOfPages: 2,
        kMDItemTitle: 'Paper',
        kMDItemAuthors: ['Ada'],
        kMDItemPageWidth: 595,
        kMDItemPageHeight: 842,
      },
    ],
    [
      'letter.docx',
      zip({
        'docProps/core.xml': '<dc:title>Letter</dc:title><dc:creator>Bo</dc:creator><cp:keywords>a, b</cp:keywords>',
      }),
      { kMDItemTitle: 'Letter', kMDItemAuthors: ['Bo'], kMDItemKeywords: ['a, b'] },
    ],
    ['.hidden', 'x', { kMDItemFSInvisible: 1 }],
  ])('returns the attributes that the content of %s states', async (name, content, expected) => {
    const root = createFolder({ [name]: content });
    const opened = await openFiles({ 'files-root': [root] });
    const { isError, structured } = await opened.call('get_metadata', { path: path.join(root, name) });
    expect(isError).toBe(false);
    expect(structured).toMatchObject(expected);
  });

  test.each(['photo.png', 'song.mp3', 'movie.mp4', 'paper.pdf', 'letter.docx'])(
    'returns only file system attributes for the damaged file %s',
    async name => {
      const root = createFolder({ [name]: Buffer.alloc(300, 0xff) });
      const opened = await openFiles({ 'files-root': [root] });
      const { isError, structured } = await opened.call('get_metadata', { path: path.join(root, name) });
      expect(isError).toBe(false);
      expect(structured).toMatchObject({ kMDItemFSSize: 300 });
      expect(Object.keys(structured ?? {}).filter(key => /Pixel|Duration|Title|Audio/.test(key))).toEqual([]);
    },
  );

  test('omits attributes whose values JSON cannot represent', async () => {
    const root = createFolder();
    const extra = ['<< /Title <FEFFD83D> /Author <FEFFDE000041> >>'];
    const whole = pdf({ pages: [line('x')], extra, trailer: '/Info 4 0 R' }).toString('latin1');
    write(root, 'a.pdf', Buffer.from(whole.replaceAll('595 842', `${'9'.repeat(400)} 842`), 'latin1'));
    const opened = await openFiles({ 'files-root': [root] });
    const { text, structured } = await opened.call('get_metadata', { path: path.join(root, 'a.pdf') });
    expect(structured).toMatchObject({ kMDItemTitle: '\ufffd', kMDItemAuthors: ['\ufffdA'], kMDItemPageHeight: 842 });
    expect(Object.values(JSON.parse(text))).not.toContain(null);
  });

  test('returns the attributes of a folder as it does for a file', async () => {
    const root = createFolder();
    mkdirSync(path.join(root, 'folder'));
    utimesSync(path.join(root, 'folder'), new Date('2026-01-01'), new Date('2026-01-01'));
    const opened = await openFiles({ 'files-root': [root] });
    const { structured } = await opened.call('get_metadata', { path: path.join(root, 'folder') });
    expect(structured).toMatchObject({
      kMDItemContentType: 'public.folder',
      kMDItemContentModificationDate: '2026-01-01T00:00:00Z',
    });
  });

  test.skipIf(process.platform === 'win32')('rejects pipes and sockets and names their type', async () => {
    const root = createFolder();
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    const socket = createServer().listen(path.join(root, 'socket'));
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    const opened = await openFiles({ 'files-root': [root] });
    for (const name of ['pipe', 'socket']) {
      const { isError, text } = await opened.call('get_metadata', { path: `${root}/${name}` });
      expect(isError).toBe(true);
      expect(text).toBe(`get_metadata: "path" must be a file or folder, got a ${name}: ${root}/${name}`);
    }
  });

  test.skipIf(process.platform === 'win32')('returns the physical size of a sparse file', async () => {
    const root = createFolder({ 'holes.bin': '' });
    truncateSync(path.join(root, 'holes.bin'), 10 * 1024 * 1024);
    const opened = await openFiles({ 'files-root': [root] });
    const { structured } = await opened.call('get_metadata', { path: `${root}/holes.bin` });
    expect(structured).toMatchObject({ kMDItemFSSize: 10 * 1024 * 1024 });
    expect(Number(structured?.['kMDItemPhysicalSize'])).toBeLessThan(1024 * 1024);
  });

  // The test runs on Linux only. Windows does not store such times, and macOS only for a program that sets them.
  test.skipIf(process.platform !== 'linux')(
    'truncates a time with 999,999,999 ns to its second instead of rounding up',
    async () => {
      const root = createFolder({ 'late.txt': 'x' });
      execFileSync('touch', ['-d', '2026-01-10T00:00:00.999999999Z', path.join(root, 'late.txt')]);
      const opened = await openFiles({ 'files-root': [root] });
      const { structured } = await opened.call('get_metadata', { path: `${root}/late.txt` });
      expect(structured?.['kMDItemContentModificationDate']).toBe('2026-01-10T00:00:00Z');
      const { text } = await opened.call('recent_files', { scope: root, since: '2026-01-10T00:00:00Z' });
      expect(text).toContain('"kMDItemContentModificationDate":"2026-01-10T00:00:00Z"');
      expect((await opened.call('recent_files', { scope: root, since: '2026-01-10T00:00:01Z' })).text).toBe('[]');
    },
  );
});
