import {
  appSegments,
  bmp,
  box,
  coveredId3,
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
} from '../media.ts';
import { type Sample, sample } from './sample.ts';

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const header = (version: number, ...fields: readonly (readonly [at: number, value: number])[]): Buffer => {
  const body = numbers(version === 1 ? 112 : 100, Object.fromEntries(fields));
  body[0] = version;
  return body;
};

const longBox = (name: string, body: Buffer): Buffer =>
  Buffer.concat([numbers(4, { 0: 1 }), latin1(name), numbers(8, { 4: body.length + 16 }), body]);
const endlessBox = (name: string, body: Buffer): Buffer => Buffer.concat([numbers(4, {}), latin1(name), body]);
const track = (width: number, height: number): Buffer => box('tkhd', header(0, [76, width << 16], [80, height << 16]));

function nested(depth: number): Buffer {
  return depth === 0 ? track(320, 240) : box('trak', nested(depth - 1));
}

const movies: readonly (readonly [name: string, content: Buffer])[] = [
  [
    'movie with numbers of 64 bits',
    Buffer.concat([
      box('ftyp', latin1('isom')),
      longBox('moov', box('mvhd', header(1, [20, 600], [24, 1], [28, 905]))),
    ]),
  ],
  [
    'movie with a track of version 1',
    box('moov', box('trak', box('tkhd', header(1, [88, 640 << 16], [92, 360 << 16])))),
  ],
  [
    'movie with an unknown duration',
    box('moov', Buffer.concat([box('mvhd', header(0, [12, 1000], [16, 0xffff_ffff])), track(16, 9)])),
  ],
  [
    'movie with an unknown duration of 64 bits',
    box(
      'moov',
      Buffer.concat([box('mvhd', header(1, [20, 1000], [24, 0xffff_ffff], [28, 0xffff_ffff])), track(16, 9)]),
    ),
  ],
  ['movie of length zero', box('moov', Buffer.concat([box('mvhd', header(0, [12, 1000])), track(16, 9)]))],
  ['movie without a unit of time', box('moov', Buffer.concat([box('mvhd', header(0, [16, 9000])), track(16, 9)]))],
  [
    'movie with an audio track after the video',
    box('moov', Buffer.concat([track(64, 48), track(0, 0), track(0, 5), track(5, 0)])),
  ],
  [
    'movie whose last box extends to the end',
    Buffer.concat([box('free', Buffer.alloc(8)), endlessBox('moov', box('mvhd', header(0, [12, 90], [16, 45])))]),
  ],
  [
    'movie with a box that is too short',
    Buffer.concat([numbers(4, { 0: 7 }), latin1('free'), box('moov', track(1, 1))]),
  ],
  ['movie with a short header', box('moov', box('mvhd', header(0, [12, 10], [16, 40]).subarray(0, 20)))],
  ['movie with a header that is too short', Buffer.concat([box('moov', box('mvhd', Buffer.alloc(11))), bytes(0)])],
  ...[3, 4, 5].map(depth => [`movie with a track at depth ${depth}`, nested(depth)] as const),
];

const id3Frame = (name: string, value: Buffer, isSyncSafe = false): Buffer => {
  const size = isSyncSafe ? bytes(0, 0, value.length >> 7, value.length & 0x7f) : numbers(4, { 0: value.length });
  return Buffer.concat([latin1(name), size, bytes(0, 0), value]);
};
const tag = (version: number, ...frames: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(frames);
  return Buffer.concat([latin1('ID3'), bytes(version, 0, 0, 0, 0, body.length >> 7, body.length & 0x7f), body]);
};
const long = latin1(`\0${'long '.repeat(40)}`);

const sounds: readonly (readonly [name: string, content: Buffer])[] = [
  ['ID3 2.4 with a long title', tag(4, id3Frame('TIT2', long, true), id3Frame('TPE1', latin1('\0Ada'), true))],
  ['ID3 2.3 with a long title', tag(3, id3Frame('TIT2', long), id3Frame('TPE1', latin1('\0Ada')))],
  ['ID3 2.2', tag(2, id3Frame('TIT2', latin1('\0no')))],
  [
    'ID3 with UTF-16 in both orders',
    tag(
      3,
      id3Frame('TIT2', Buffer.from('01feff00540075', 'hex')),
      id3Frame('TALB', Buffer.from('02004f006e', 'hex')),
      id3Frame('TPE1', Buffer.from('01fffe4100640061', 'hex')),
    ),
  ],
  [
    'ID3 with UTF-8 and several values',
    tag(4, id3Frame('TIT2', Buffer.from('\x03Süß\0second'), true), id3Frame('TALB', Buffer.from('\x03 padded '), true)),
  ],
  ['ID3 with an empty title', tag(3, id3Frame('TIT2', latin1('\0')), id3Frame('TALB', latin1('\0x')))],
  [
    'ID3 with an empty title after another title',
    tag(3, id3Frame('TIT2', latin1('\0first')), id3Frame('TIT2', latin1('\0'))),
  ],
  [
    'ID3 with padding after the frames',
    Buffer.concat([tag(3, id3Frame('TIT2', latin1('\0Tune')), Buffer.alloc(30)), frame, frame]),
  ],
  ...[1, 2, 9999, 10_000].map(
    length =>
      [
        `ID3 with a title that ends after ${length} bytes`,
        tag(3, id3Frame('TIT2', Buffer.alloc(length, latin1('\0x\0'.padEnd(length, '\0'))))),
      ] as const,
  ),
  ...[999, 1000].map(
    count =>
      [
        `ID3 with ${count} frames before the title`,
        tag(
          3,
          ...Array.from({ length: count }, () => id3Frame('TXXX', latin1('\0'))),
          id3Frame('TIT2', latin1('\0Tune')),
        ),
      ] as const,
  ),
  [
    'ID3 with a value beyond the tag',
    Buffer.concat([tag(3, id3Frame('TIT2', latin1('\0Tune'))).fill(3, 9, 10), latin1('more')]),
  ],
  [
    'ID3 and then other bytes before two frames',
    Buffer.concat([id3, bytes(0xff, 0xff, 0, 0xff, 0xfb, 0x90), Buffer.alloc(9), frame, frame]),
  ],
  ['frames without ID3', Buffer.concat([frame, frame, frame])],
  ['FLAC without length', numbers(50, { 0: 0x664c_6143, 4: 0x0000_0022, 18: 0x0ac4_4000 })],
  [
    'FLAC with a picture before the tags',
    Buffer.concat([flac.subarray(0, 42), bytes(6, 0, 0, 3, 1, 2, 3), flac.subarray(42)]),
  ],
  ['FLAC with more than 2^32 samples', numbers(42, { 0: 0x664c_6143, 4: 0x8000_0022, 18: 0x0ac4_42f1, 22: 5 })],
  ['FLAC with three tags', Buffer.concat([flac.subarray(0, 42), vorbis('title=a=b', 'ALBUM=', 'Artist=Ada', 'x')])],
  [
    'WAV with an odd part before the data',
    Buffer.concat([wav.subarray(0, 12), latin1('LIST\x03\0\0\0abc\0'), wav.subarray(12)]),
  ],
  ['WAV with all of its data', Buffer.concat([wav, Buffer.alloc(400)])],
  [
    'WAV with data before the format',
    Buffer.concat([latin1('RIFF\0\0\0\0WAVEdata\x04\0\0\0abcd'), wav.subarray(12), Buffer.alloc(40)]),
  ],
];

function vorbis(...comments: readonly string[]): Buffer {
  const size = (value: number): Buffer => bytes(value, 0, 0, 0);
  const body = Buffer.concat([
    size(2),
    latin1('v2'),
    size(comments.length),
    ...comments.flatMap(each => [size(each.length), latin1(each)]),
  ]);
  return Buffer.concat([bytes(0x84, 0, 0, body.length), body]);
}

const images: readonly (readonly [name: string, extension: string, content: Buffer])[] = [
  ['PNG', 'png', png],
  ['GIF 89', 'gif', gif],
  ['GIF 87', 'gif', latin1('GIF87a\x03\x01\x04\x02')],
  ['BMP', 'bmp', bmp],
  ['BMP of the oldest version', 'bmp', oldBmp],
  ['WebP, lossy', 'webp', webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x40, 0x01, 0xf0, 0xc0])],
  ['WebP, lossless', 'webp', webp('VP8L', [0x2f, 0x3f, 0xc1, 0x3b, 0x00])],
  ['WebP, extended', 'webp', webp('VP8X', [0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0])],
  ['JPEG', 'jpg', jpeg],
  [
    'JPEG with large segments',
    'jpg',
    Buffer.concat([jpeg.subarray(0, 2), appSegments.subarray(0, 65_537), jpeg.subarray(2)]),
  ],
  [
    'JPEG with fill bytes and markers without length',
    'jpg',
    Buffer.concat([jpeg.subarray(0, 2), bytes(0xff, 0xff, 0xd0, 0xff, 0xd9, 0xff, 1, 0, 0), jpeg.subarray(2)]),
  ],
  ...Array.from(
    { length: 16 },
    (_, low) =>
      [
        `JPEG with the marker c${low.toString(16)}`,
        'jpg',
        Buffer.concat([bytes(0xff, 0xd8, 0xff, 0xc0 + low, 0, 9, 8, 0, 2, 0, 3, 1, 1), jpeg.subarray(2)]),
      ] as const,
  ),
  ['image without height', 'png', png.subarray(0, 20)],
];

export const mediaSamples: readonly Sample[] = [
  ...images.map(([name, extension, content]) => sample(name, extension, content)),
  sample('movie', 'mp4', movie),
  ...movies.map(([name, content]) => sample(name, 'mp4', content)),
  sample('covered ID3', 'mp3', coveredId3),
  ...sounds.map(([name, content]) =>
    sample(name, name.startsWith('WAV') ? 'wav' : name.startsWith('FLAC') ? 'flac' : 'mp3', content),
  ),
];

export const changedMedia = [
  sample('PNG', 'png', png),
  sample('WebP, lossless', 'webp', webp('VP8L', [0x2f, 0x3f, 0xc1, 0x3b, 0x00])),
  sample('WebP, extended', 'webp', webp('VP8X', [0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0])),
  sample('JPEG', 'jpg', jpeg),
  sample(
    'movie',
    'mp4',
    Buffer.concat([
      box('free', Buffer.alloc(3)),
      box('moov', Buffer.concat([box('mvhd', header(0, [12, 1000], [16, 12_500])), track(1280, 720)])),
    ]),
  ),
  sample(
    'movie with numbers of 64 bits',
    'mp4',
    longBox('moov', box('mvhd', header(1, [20, 600], [24, 1], [28, 905]))),
  ),
  sample(
    'ID3',
    'mp3',
    tag(4, id3Frame('TIT2', latin1('\0Tune'), true), id3Frame('TPE1', Buffer.from('01fffe4100640061', 'hex'), true)),
  ),
  sample('WAV', 'wav', Buffer.concat([wav, Buffer.alloc(20)])),
  sample(
    'FLAC',
    'flac',
    Buffer.concat([flac.subarray(0, 42), bytes(6, 0, 0, 3, 1, 2, 3), vorbis('title=a=b', 'Artist=Ada')]),
  ),
];

type FrameRates = readonly [samples: number, bitRate: number, sampleRate: number, slot: number];

/** The bit rates with index 9 and the first sample rate of MP3 frames, for the layers 3, 2 and 1. */
const ratesOf: Readonly<Record<number, readonly FrameRates[]>> = {
  0: [
    [576, 80_000, 11_025, 1],
    [1152, 80_000, 11_025, 1],
    [384, 144_000, 11_025, 4],
  ],
  2: [
    [576, 80_000, 22_050, 1],
    [1152, 80_000, 22_050, 1],
    [384, 144_000, 22_050, 4],
  ],
  3: [
    [1152, 128_000, 44_100, 1],
    [1152, 160_000, 44_100, 1],
    [384, 288_000, 44_100, 4],
  ],
};

/**
 * Lists the metadata for all versions, layers, bit rates and sample rates that the header of an MP3 frame can contain.
 */
export function listFrames(factsOf: (content: Buffer) => string): string {
  const lines: string[] = [];
  for (const version of [0, 1, 2, 3])
    for (const layer of [0, 1, 2, 3]) {
      const first = (third: number, fourth = 0): Buffer =>
        bytes(0xff, 0xe0 | (version << 3) | (layer << 1), third, fourth);
      for (let index = 0; index < 16; index++) {
        const rates = [0, 1, 2, 3].map(rate => factsOf(first((index << 4) | (rate << 2))));
        lines.push(`version ${version} layer ${layer} index ${index}: ${rates.join(' ')}`);
      }
      const rates = ratesOf[version]?.[layer - 1];
      if (rates === undefined) continue;
      for (const [third, fourth] of [
        [0x90, 0],
        [0x92, 0x80],
        [0x90, 0xc0],
      ] as const)
        lines.push(
          `version ${version} layer ${layer} header ${third} ${fourth}: ${lengthsOf(first(third, fourth), rates, factsOf)}`,
        );
    }
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the metadata of files with a second frame near the end of the first one, and with a number of frames in the
 * header.
 */
function lengthsOf(
  head: Buffer,
  [samples, bitRate, sampleRate, slot]: FrameRates,
  factsOf: (content: Buffer) => string,
): string {
  const found: string[] = [];
  const end = Math.floor((samples / 8 / slot) * (bitRate / sampleRate)) * slot;
  for (const length of [-slot, 0, slot, slot + 1].map(more => end + more)) {
    const file = Buffer.alloc(end + 200);
    head.copy(file);
    head.copy(file, length);
    const facts = factsOf(file);
    if (facts !== '{}') found.push(`${length} ${facts}`);
  }
  for (const offset of [13, 21, 36]) {
    const file = Buffer.concat([head, Buffer.alloc(60)]);
    file.write('Xing', offset, 'latin1');
    file.writeUInt32BE(1, offset + 4);
    file.writeUInt32BE(40_000, offset + 8);
    found.push(`${offset} ${factsOf(file)}`);
  }
  return found.join(' ');
}
