/** This module builds the headers of image, sound and video files. */

export function box(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
}

export function numbers(length: number, fields: Readonly<Record<number, number>>): Buffer {
  const bytes = Buffer.alloc(length);
  for (const [at, value] of Object.entries(fields)) bytes.writeUInt32BE(value, Number(at));
  return bytes;
}

export const png = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  numbers(16, { 0: 640, 4: 480 }),
]);
export const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc4000401ffffc0001108012c0190030122000211010311010000',
  'hex',
);
export const gif = Buffer.from('GIF89a\x10\x00\x20\x00\0\0\0', 'latin1');
export const bmp = Buffer.concat([
  Buffer.from('BM'),
  Buffer.alloc(16),
  Buffer.from([7, 0, 0, 0, 0xf7, 0xff, 0xff, 0xff]),
  Buffer.alloc(8),
]);
export const webp = (kind: string, body: number[]): Buffer =>
  Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBP'),
    Buffer.from(kind),
    Buffer.from([0, 0, 0, 0]),
    Buffer.from(body),
    Buffer.alloc(12),
  ]);

/** A frame of MPEG-1 layer 3 with 128 kbit/s and 44.1 kHz. */
export const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
export const id3 = (() => {
  const text = (name: string, value: Buffer): Buffer =>
    Buffer.concat([Buffer.from(name), numbers(6, { 0: value.length }), value]);
  const body = Buffer.concat([
    text('TIT2', Buffer.from([3, ...Buffer.from('Süß')])),
    text('TPE1', Buffer.from([0, ...Buffer.from('Ada', 'latin1')])),
    text('TALB', Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from('Ö', 'utf16le')])),
  ]);
  return Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0', 'latin1'), Buffer.from([body.length]), body]);
})();
export const wav = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'),
  Buffer.from('100000000100010044ac00008858010002001000', 'hex'),
  Buffer.from('data'),
  Buffer.from('10b10200', 'hex'),
]);
export const flac = (() => {
  const info = Buffer.alloc(34);
  info.writeUInt32BE(0x0ac44000, 10); // 44,100 Hz
  info.writeUInt32BE(88_200, 14);
  const comment = Buffer.from('TITLE=Tune');
  const tags = Buffer.concat([Buffer.alloc(4), Buffer.from([1, 0, 0, 0, comment.length, 0, 0, 0]), comment]);
  return Buffer.concat([Buffer.from('fLaC\0\0\0\x22', 'latin1'), info, Buffer.from([0x84, 0, 0, tags.length]), tags]);
})();

export const movie = Buffer.concat([
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

/** This BMP file has the header of twelve bytes that OS/2 used. */
export const oldBmp = Buffer.concat([
  Buffer.from('BM'),
  Buffer.alloc(12),
  Buffer.from([12, 0, 0, 0, 100, 0, 50, 0]),
  Buffer.alloc(8),
]);

/** Application segments, which cameras and programs write before the image. These are five segments of 64 KB. */
export const appSegments = Buffer.concat(
  Array.from({ length: 5 }, () => Buffer.concat([Buffer.from([0xff, 0xe2, 0xff, 0xff]), Buffer.alloc(0xfffd)])),
);

function tag(...frames: readonly (readonly [name: string, value: Buffer])[]): Buffer {
  const body = Buffer.concat(
    frames.flatMap(([name, value]) => [Buffer.from(name), numbers(6, { 0: value.length }), value]),
  );
  const length = Buffer.from([21, 14, 7, 0].map(shift => (body.length >> shift) & 0x7f));
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), length, body]);
}

/** This ID3 tag contains an image of 600 KB before the title. */
export const coveredId3 = tag(['APIC', Buffer.alloc(600_000, 7)], ['TIT2', Buffer.from('\0Tune', 'latin1')]);
export const cutId3 = tag(['TIT2', Buffer.from('\x01\xff\xfeT\0u\0n\0e\0', 'latin1')]).subarray(0, -4);
