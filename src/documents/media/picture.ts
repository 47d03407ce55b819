import { byteAt } from '../bytes.ts';

export interface ImageSize {
  width: number;
  height: number;
}

/** Reads width and height of PNG, JPEG, GIF, WebP and BMP files. */
export function detectImageSize(read: ReadFileRange): ImageSize | undefined {
  const head = read(0, 32);
  const size = pngSize(head) ?? gifSize(head) ?? webpSize(head) ?? bmpSize(head) ?? jpegSize(read);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function pngSize(head: Buffer): ImageSize | undefined {
  if (head.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

function gifSize(head: Buffer): ImageSize | undefined {
  if (!/^GIF8[79]a/.test(head.toString('latin1', 0, 6))) return undefined;
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
}

function bmpSize(head: Buffer): ImageSize | undefined {
  if (head.toString('latin1', 0, 2) !== 'BM') return undefined;
  // The oldest header of a BMP file has twelve bytes and stores the size in numbers of 16 bits.
  if (head.readUInt32LE(14) === 12) return { width: head.readUInt16LE(18), height: head.readUInt16LE(20) };
  return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
}

function webpSize(head: Buffer): ImageSize | undefined {
  if (head.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

const maxMarkers = 1000;

/** Skips JPEG segments up to the frame header, which contains the image size. */
function jpegSize(read: ReadFileRange): ImageSize | undefined {
  if (read(0, 2).toString('latin1') !== '\xff\xd8') return undefined;
  for (let at = 2, count = 0; count < maxMarkers; count++) {
    const part = read(at, 9);
    if (part.length < 9 || part[0] !== 0xff) return undefined;
    const marker = byteAt(part, 1);
    if (marker === 0xff) at++;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { width: part.readUInt16BE(7), height: part.readUInt16BE(5) };
    } else if (marker >= 0xd0 && marker <= 0xd9) at += 2;
    else at += 2 + Math.max(2, part.readUInt16BE(2));
  }
  return undefined;
}

export interface MovieMetadata {
  seconds?: number;
  width?: number;
  height?: number;
}

const maxBoxes = 2000;

/** Reads duration and size from the boxes of MP4 and QuickTime files. */
export function extractMovieMetadata(read: ReadFileRange, sizeBytes: number): MovieMetadata | undefined {
  const facts: MovieMetadata = {};
  let count = 0;
  const visit = (start: number, end: number, depth: number): void => {
    for (let at = start; at + 8 <= end && count < maxBoxes; count++) {
      const header = read(at, 16);
      const short = header.readUInt32BE(0);
      const isLong = short === 1 && header.length >= 16;
      const length = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short;
      if (length < 8) return;
      const body = at + (isLong ? 16 : 8);
      const name = header.toString('latin1', 4, 8);
      if ((name === 'moov' || name === 'trak') && depth < 4) visit(body, Math.min(end, at + length), depth + 1);
      else if (name === 'mvhd') readMovie(read(body, 32), facts);
      else if (name === 'tkhd') readTrack(read(body, 96), facts);
      at += length;
    }
  };
  visit(0, sizeBytes, 0);
  return Object.keys(facts).length > 0 ? facts : undefined;
}

function readMovie(body: Buffer, facts: MovieMetadata): void {
  const isLong = body[0] === 1;
  if (body.length < (isLong ? 32 : 20)) return;
  const unit = body.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
  // If all bits of the duration are set, it is unknown. If it is zero, the fragments of the video contain it.
  const isKnown = length > 0 && length !== (isLong ? Number(0xffff_ffff_ffff_ffffn) : 0xffff_ffff);
  if (unit > 0 && isKnown) facts.seconds = length / unit;
}

function readTrack(body: Buffer, facts: MovieMetadata): void {
  const at = body[0] === 1 ? 88 : 76;
  if (body.length < at + 8) return;
  const [width, height] = [body.readUInt16BE(at), body.readUInt16BE(at + 4)];
  if (width === 0 || height === 0) return;
  facts.width = width;
  facts.height = height;
}

/** Returns a part of a file. The returned buffer is shorter at the end of the file. */
export type ReadFileRange = (position: number, length: number) => Buffer;
