import { describe, expect, test } from 'vitest';
import { detectImageSize, extractMovieMetadata, type ReadFileRange } from '../../src/documents/media/picture.ts';
import { extractAudioMetadata } from '../../src/documents/media/sound.ts';
import {
  appSegments,
  bmp,
  box,
  coveredId3,
  cutId3,
  flac,
  frame,
  gif,
  id3,
  jpeg,
  movie,
  numbers,
  oldBmp,
  png,
  wav,
  webp,
} from './media.ts';

/** Returns a function that reads a buffer as if it were a file. */
const from =
  (bytes: Buffer): ReadFileRange =>
  (position, length) =>
    bytes.subarray(position, position + length);

/** The last value of this ID3 tag, the album, extends one byte beyond the tag. */
const shortenedId3 = Buffer.from(id3);
shortenedId3.writeUInt8(shortenedId3.readUInt8(9) - 1, 9);

describe('detectImageSize', () => {
  test.each([
    ['PNG', png, { width: 640, height: 480 }],
    ['JPEG', jpeg, { width: 400, height: 300 }],
    ['GIF', gif, { width: 16, height: 32 }],
    ['BMP, upside down', bmp, { width: 7, height: 9 }],
    ['BMP of the oldest version', oldBmp, { width: 100, height: 50 }],
    [
      'JPEG with large segments before the size',
      Buffer.concat([jpeg.subarray(0, 2), appSegments, jpeg.subarray(2)]),
      { width: 400, height: 300 },
    ],
    ['WebP, lossy', webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x90, 1, 0x2c, 1]), { width: 400, height: 300 }],
    ['WebP, lossless', webp('VP8L', [0x2f, 0x8f, 0xc1, 0x4a, 0]), { width: 400, height: 300 }],
    ['WebP, extended', webp('VP8X', [0, 0, 0, 0, 0x8f, 1, 0, 0x2b, 1, 0]), { width: 400, height: 300 }],
    ['a JPEG that ends too early', jpeg.subarray(0, 20), undefined],
    ['a JPEG that has only markers', Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(1000, 0xff)]), undefined],
    ['an empty file', Buffer.alloc(0), undefined],
    ['a text file', Buffer.from('this is no picture at all, whatever its name may say'), undefined],
  ])('returns the size of an image, or undefined without a size: %s', (_, head, expected) => {
    expect(detectImageSize(from(head))).toEqual(expected);
  });
});

/** The header of this WAV file states no length. */
const endlessWav = Buffer.from(wav);
endlessWav.fill(0xff, 40, 44);

describe('extractAudioMetadata', () => {
  test.each([
    [
      'MP3 with a constant bit rate',
      Buffer.concat([frame, frame, frame]),
      160_000,
      { seconds: 10, bitRate: 128_000, sampleRate: 44_100 },
    ],
    [
      'MP3 with ID3 tags',
      Buffer.concat([id3, frame, frame]),
      16_000 + id3.length,
      { seconds: 1, bitRate: 128_000, sampleRate: 44_100, title: 'Süß', album: 'Ö', artist: 'Ada' },
    ],
    [
      'MP3 after a large cover image',
      Buffer.concat([coveredId3, frame, frame]),
      16_000 + coveredId3.length,
      { seconds: 1, bitRate: 128_000, title: 'Tune' },
    ],
    ['MP3 with a truncated title', cutId3, cutId3.length, {}],
    ['WAV', wav, 44 + 176_400, { seconds: 2, bitRate: 705_600, sampleRate: 44_100 }],
    ['WAV without a final length', endlessWav, 44 + 88_200, { seconds: 1, bitRate: 705_600, sampleRate: 44_100 }],
    ['FLAC', flac, 100_000, { seconds: 2, bitRate: 400_000, sampleRate: 44_100, title: 'Tune' }],
    ['random bytes', Buffer.alloc(5000, 0xff), 5000, {}],
    ['an empty file', Buffer.alloc(0), 0, {}],
  ])('returns the facts of a sound file, or undefined without facts: %s', (_, head, size, expected) => {
    const facts = extractAudioMetadata(from(head), size);
    expect(facts === undefined).toBe(Object.keys(expected).length === 0);
    expect(facts ?? {}).toMatchObject(expected);
  });

  test('ignores a value that extends beyond its ID3 tag', () => {
    const facts = extractAudioMetadata(from(Buffer.concat([shortenedId3, frame, frame])), 16_000 + id3.length);
    expect([facts?.title, facts?.artist, facts?.album]).toEqual(['Süß', 'Ada', undefined]);
  });

  test('returns the duration of an MP3 file with a variable bit rate from its frame count', () => {
    const first = Buffer.from(frame);
    first.write('Xing\0\0\0\x01', 36, 'latin1');
    first.writeUInt32BE(1000, 44);
    expect(extractAudioMetadata(from(Buffer.concat([first, frame])), 500_000)?.seconds).toBeCloseTo(
      (1000 * 1152) / 44_100,
      6,
    );
  });

  test('reads the frame count after the mark "Info" too, and ignores it if it is cut, not stated or 0', () => {
    const secondsOf = (mark: string, flags: number, count: number, length = frame.length): number | undefined => {
      const first = Buffer.from(frame);
      first.write(mark, 36, 'latin1');
      first[43] = flags;
      first.writeUInt32BE(count, 44);
      return extractAudioMetadata(from(first.subarray(0, length)), 16_000)?.seconds;
    };
    const counted = (1000 * 1152) / 44_100;
    expect(secondsOf('Xing', 1, 1000)).toBeCloseTo(counted, 6);
    expect(secondsOf('Info', 3, 1000)).toBeCloseTo(counted, 6);
    expect(secondsOf('Xing', 1, 1000, 48)).toBeCloseTo(counted, 6);
    expect(secondsOf('Xing', 1, 1000, 47)).toBe(1);
    expect(secondsOf('Xing', 2, 1000)).toBe(1);
    expect(secondsOf('Xing', 1, 0)).toBe(1);
    expect(secondsOf('Xinh', 1, 1000)).toBe(1);
  });

  test.each([
    ['WAV', wav, 44],
    ['FLAC', flac, 42],
  ])('returns facts of a truncated %s file only if its header is complete', (_, bytes, needed) => {
    const known = Array.from({ length: bytes.length + 1 }, (__, length) =>
      extractAudioMetadata(from(bytes.subarray(0, length)), 1_000_000),
    );
    expect(known.findIndex(facts => facts !== undefined)).toBe(needed);
    expect(known.slice(needed).every(facts => facts?.sampleRate === 44_100)).toBe(true);
  });

  test('reads the data of a WAV file after other parts, which are padded to an even length', () => {
    const part = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.alloc(4)]);
    const other = Buffer.concat([wav.subarray(0, 12), part, wav.subarray(12, 36), part, wav.subarray(36)]);
    expect(extractAudioMetadata(from(other), other.length + 176_400)?.seconds).toBe(2);
    const unordered = Buffer.concat([wav.subarray(0, 12), wav.subarray(36), wav.subarray(12, 36)]);
    expect(extractAudioMetadata(from(unordered), unordered.length)).toBeUndefined();
  });

  test('reads the comments of a FLAC file after other blocks, up to the end of their block', () => {
    const block = (kind: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([kind, 0, 0, body.length]), body]);
    const entry = (text: string, length = text.length): Buffer =>
      Buffer.concat([Buffer.from([length, 0, 0, 0]), Buffer.from(text)]);
    const comments = (count: number, ...entries: Buffer[]): Buffer =>
      Buffer.concat([Buffer.from([3, 0, 0, 0]), Buffer.from('abc'), Buffer.from([count, 0, 0, 0]), ...entries]);
    const read = (...blocks: Buffer[]): unknown[] => {
      const facts = extractAudioMetadata(from(Buffer.concat([flac.subarray(0, 42), ...blocks])), 100_000);
      return [facts?.title, facts?.album, facts?.artist];
    };
    const all = comments(3, entry('title=A=B'), entry('ALBUM=C'), entry('Artist=D'));
    const none = [undefined, undefined, undefined];
    expect(read(block(4, all), block(0x81, Buffer.alloc(3)))).toEqual(['A=B', 'C', 'D']);
    expect(read(block(6, Buffer.alloc(200, 4)), block(0x84, all))).toEqual(['A=B', 'C', 'D']);
    expect(read(block(0x86, Buffer.alloc(5)), block(4, all))).toEqual(none);
    // The number of comments and the stated length of a text can be too large.
    expect(read(block(4, comments(9, entry('TITLE=A', 50))), block(0x81, Buffer.from('rest')))).toEqual([
      'A',
      undefined,
      undefined,
    ]);
    expect(read(block(4, comments(1, entry('TITLE=A'), entry('ALBUM=C'))))).toEqual(['A', undefined, undefined]);
    expect(read(block(4, Buffer.alloc(7)))).toEqual(none);
    expect(read(block(4, Buffer.from([5, 0, 0, 0, 0, 0, 0, 0])))).toEqual(none);
    for (let length = 0; length < all.length; length++) read(block(4, all.subarray(0, length)));
  });

  // The position of the frame count depends on the MPEG version and the number of channels.
  test.each([
    { version: 1, isMono: false, at: 36, header: [0xff, 0xfb, 0x90, 0x00], length: 417, seconds: 1152 / 44.1 },
    { version: 1, isMono: true, at: 21, header: [0xff, 0xfb, 0x90, 0xc0], length: 417, seconds: 1152 / 44.1 },
    { version: 2, isMono: false, at: 21, header: [0xff, 0xf3, 0x80, 0x00], length: 208, seconds: 576 / 22.05 },
    { version: 2, isMono: true, at: 13, header: [0xff, 0xf3, 0x80, 0xc0], length: 208, seconds: 576 / 22.05 },
  ])(
    'finds the frame count of an MP3 file of MPEG version $version, mono: $isMono, at offset $at',
    ({ at, header, length, seconds }) => {
      const plain = Buffer.alloc(length);
      plain.set(header);
      const first = Buffer.from(plain);
      first.write('Xing\0\0\0\x01', at, 'latin1');
      first.writeUInt32BE(1000, at + 8);
      expect(extractAudioMetadata(from(Buffer.concat([first, plain])), 500_000)?.seconds).toBeCloseTo(seconds, 6);
    },
  );
});

describe('extractMovieMetadata', () => {
  test('returns duration and size when the header follows the media data', () => {
    expect(extractMovieMetadata(from(movie), movie.length)).toEqual({ seconds: 12.5, width: 1280, height: 720 });
  });

  test('returns the facts that a truncated file contains completely', () => {
    // The duration ends 20 bytes after the start of the movie header, and the size at the end of the file.
    const [duration, size] = [movie.length - 180, movie.length];
    const states = Array.from({ length: 250 }, (_, index) => {
      const length = movie.length - 249 + index;
      return [length, extractMovieMetadata(from(movie.subarray(0, length)), length)] as const;
    });
    for (const [length, facts] of states)
      expect(facts).toEqual(
        length < duration ? undefined : { seconds: 12.5, ...(length >= size && { width: 1280, height: 720 }) },
      );
  });

  test.each([
    ['that the duration is unknown', 0xffff_ffff],
    ['a duration of 0 because the file is fragmented', 0],
  ])('returns no duration when the header states %s', (_, length) => {
    const bytes = box('moov', box('mvhd', numbers(100, { 12: 1000, 16: length })));
    expect(extractMovieMetadata(from(bytes), bytes.length)).toBeUndefined();
    const long = Buffer.alloc(112);
    long[0] = 1;
    long.writeUInt32BE(1000, 20);
    long.fill(length === 0 ? 0 : 0xff, 24, 32);
    const bytesOfLong = box('moov', box('mvhd', long));
    expect(extractMovieMetadata(from(bytesOfLong), bytesOfLong.length)).toBeUndefined();
    long.writeBigUInt64BE(12_500n, 24);
    expect(extractMovieMetadata(from(box('moov', box('mvhd', long))), bytesOfLong.length)).toEqual({ seconds: 12.5 });
  });

  test.each([
    ['random bytes', Buffer.alloc(5000, 7)],
    ['boxes of length 0', Buffer.concat([Buffer.alloc(4), Buffer.from('moov'), Buffer.alloc(100)])],
    ['deeply nested boxes', Array.from({ length: 50 }).reduce<Buffer>(inner => box('moov', inner), Buffer.alloc(0))],
    ['100,000 boxes', Buffer.concat(Array.from({ length: 100_000 }, () => box('free', Buffer.alloc(0))))],
  ])('returns undefined for %s', (_, bytes) => {
    expect(extractMovieMetadata(from(bytes), bytes.length)).toBeUndefined();
  });
});
