import { mkdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { imageSize } from '../../../src/toolsets/files/model/media/image.ts';
import { movieFacts } from '../../../src/toolsets/files/model/media/movie.ts';
import { soundFacts } from '../../../src/toolsets/files/model/media/sound.ts';
import { line, pdf } from './pdf.ts';
import { createFolder, openRoom, write } from './room.ts';
import { zip } from './zip.ts';

function box(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function numbers(length: number, fields: Readonly<Record<number, number>>): Buffer {
  const bytes = Buffer.alloc(length);
  for (const [at, value] of Object.entries(fields)) bytes.writeUInt32BE(value, Number(at));
  return bytes;
}

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), numbers(16, { 0: 640, 4: 480 })]);
const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc4000401ffffc0001108012c0190030122000211010311010000',
  'hex',
);
const gif = Buffer.from('GIF89a\x10\x00\x20\x00\0\0\0', 'latin1');
const bmp = Buffer.concat([
  Buffer.from('BM'),
  Buffer.alloc(16),
  Buffer.from([7, 0, 0, 0, 0xf7, 0xff, 0xff, 0xff]),
  Buffer.alloc(8),
]);
const webp = (kind: string, body: number[]): Buffer =>
  Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBP'),
    Buffer.from(kind),
    Buffer.from([0, 0, 0, 0]),
    Buffer.from(body),
    Buffer.alloc(12),
  ]);

describe('the size of a picture', () => {
  test.each([
    ['PNG', png, { width: 640, height: 480 }],
    ['JPEG', jpeg, { width: 400, height: 300 }],
    ['GIF', gif, { width: 16, height: 32 }],
    ['BMP, upside down', bmp, { width: 7, height: 9 }],
    ['WebP, lossy', webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x90, 1, 0x2c, 1]), { width: 400, height: 300 }],
    ['WebP, lossless', webp('VP8L', [0x2f, 0x8f, 0xc1, 0x4a, 0]), { width: 400, height: 300 }],
    ['WebP, extended', webp('VP8X', [0, 0, 0, 0, 0x8f, 1, 0, 0x2b, 1, 0]), { width: 400, height: 300 }],
    ['a JPEG that ends too early', jpeg.subarray(0, 20), undefined],
    ['a JPEG of markers only', Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(1000, 0xff)]), undefined],
    ['nothing', Buffer.alloc(0), undefined],
    ['a text', Buffer.from('this is no picture at all, whatever its name may say'), undefined],
  ])('%s', (_, head, expected) => {
    expect(imageSize(head)).toEqual(expected);
  });
});

/** Frames of MPEG-1 layer 3, 128 kbit/s, 44.1 kHz. */
const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
const id3 = (() => {
  const text = (name: string, value: Buffer): Buffer =>
    Buffer.concat([Buffer.from(name), numbers(6, { 0: value.length }), value]);
  const body = Buffer.concat([
    text('TIT2', Buffer.from([3, ...Buffer.from('Süß')])),
    text('TPE1', Buffer.from([0, ...Buffer.from('Ada', 'latin1')])),
    text('TALB', Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from('Ö', 'utf16le')])),
  ]);
  return Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0', 'latin1'), Buffer.from([body.length]), body]);
})();
const wav = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'),
  Buffer.from('100000000100010044ac00008858010002001000', 'hex'),
  Buffer.from('data'),
  Buffer.from('10b10200', 'hex'),
]);
const flac = (() => {
  const info = Buffer.alloc(34);
  info.writeUInt32BE(0x0ac44000, 10); // 44,100 Hz
  info.writeUInt32BE(88_200, 14);
  const comment = Buffer.from('TITLE=Tune');
  const tags = Buffer.concat([Buffer.alloc(4), Buffer.from([1, 0, 0, 0, comment.length, 0, 0, 0]), comment]);
  return Buffer.concat([Buffer.from('fLaC\0\0\0\x22', 'latin1'), info, Buffer.from([0x84, 0, 0, tags.length]), tags]);
})();

describe('the facts of a sound', () => {
  test.each([
    [
      'MP3 of a steady bit rate',
      Buffer.concat([frame, frame, frame]),
      160_000,
      { seconds: 10, bitRate: 128_000, sampleRate: 44_100 },
    ],
    [
      'MP3 with tags',
      Buffer.concat([id3, frame, frame]),
      16_000 + id3.length,
      { seconds: 1, bitRate: 128_000, sampleRate: 44_100, title: 'Süß', album: 'Ö', artist: 'Ada' },
    ],
    ['WAV', wav, 44 + 176_400, { seconds: 2, bitRate: 705_600, sampleRate: 44_100 }],
    ['FLAC', flac, 100_000, { seconds: 2, bitRate: 400_000, sampleRate: 44_100, title: 'Tune' }],
    ['noise', Buffer.alloc(5000, 0xff), 5000, {}],
    ['nothing', Buffer.alloc(0), 0, {}],
  ])('%s', (_, head, size, expected) => {
    const facts = soundFacts(head, size);
    expect(facts === undefined).toBe(Object.keys(expected).length === 0);
    expect(facts ?? {}).toMatchObject(expected);
  });

  test('MP3 of varying bit rate says how many frames it has', () => {
    const first = Buffer.from(frame);
    first.write('Xing\0\0\0\x01', 36, 'latin1');
    first.writeUInt32BE(1000, 44);
    expect(soundFacts(Buffer.concat([first, frame]), 500_000)?.seconds).toBeCloseTo((1000 * 1152) / 44_100, 6);
  });
});

const movie = Buffer.concat([
  box('ftyp', Buffer.from('isom\0\0\0\0')),
  box('mdat', Buffer.alloc(3000)),
  box(
    'moov',
    Buffer.concat([
      box('mvhd', numbers(100, { 12: 1000, 16: 12_500 })),
      box('trak', box('tkhd', numbers(84, { 76: 1280 << 16, 80: 720 << 16 }))),
    ]),
  ),
]);

describe('the facts of a video', () => {
  const read = (bytes: Buffer) => (position: number, length: number) => bytes.subarray(position, position + length);

  test('stand behind the pictures', () => {
    expect(movieFacts(read(movie), movie.length)).toEqual({ seconds: 12.5, width: 1280, height: 720 });
  });

  test.each([
    ['noise', Buffer.alloc(5000, 7)],
    ['boxes of no length', Buffer.concat([Buffer.alloc(4), Buffer.from('moov'), Buffer.alloc(100)])],
    ['boxes within boxes', Array.from({ length: 50 }).reduce<Buffer>(inner => box('moov', inner), Buffer.alloc(0))],
    ['a million boxes', Buffer.concat(Array.from({ length: 100_000 }, () => box('free', Buffer.alloc(0))))],
  ])('%s has none', (_, bytes) => {
    expect(movieFacts(read(bytes), bytes.length)).toBeUndefined();
  });
});

describe('get_metadata', () => {
  test('says of a file what the system knows, without its path, keys in order', async () => {
    const root = createFolder();
    write(root, 'note.md', 'twelve bytes', '2026-01-01T00:00:00.900Z');
    const room = await openRoom({ 'files-root': [root] });
    const { text, structured } = await room.call('get_metadata', { path: `${root}/note.md` });
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
  ])('says of %s what its contents tell', async (name, content, expected) => {
    const root = createFolder({ [name]: content });
    const room = await openRoom({ 'files-root': [root] });
    const { isError, structured } = await room.call('get_metadata', { path: path.join(root, name) });
    expect(isError).toBe(false);
    expect(structured).toMatchObject(expected);
  });

  test.each(['photo.png', 'song.mp3', 'movie.mp4', 'paper.pdf', 'letter.docx'])(
    'a damaged %s says what the system knows',
    async name => {
      const root = createFolder({ [name]: Buffer.alloc(300, 0xff) });
      const room = await openRoom({ 'files-root': [root] });
      const { isError, structured } = await room.call('get_metadata', { path: path.join(root, name) });
      expect(isError).toBe(false);
      expect(structured).toMatchObject({ kMDItemFSSize: 300 });
      expect(Object.keys(structured ?? {}).filter(key => /Pixel|Duration|Title|Audio/.test(key))).toEqual([]);
    },
  );

  test('works for folders', async () => {
    const root = createFolder();
    mkdirSync(path.join(root, 'folder'));
    utimesSync(path.join(root, 'folder'), new Date('2026-01-01'), new Date('2026-01-01'));
    const room = await openRoom({ 'files-root': [root] });
    const { structured } = await room.call('get_metadata', { path: path.join(root, 'folder') });
    expect(structured).toMatchObject({
      kMDItemContentType: 'public.folder',
      kMDItemContentModificationDate: '2026-01-01T00:00:00Z',
    });
  });
});
