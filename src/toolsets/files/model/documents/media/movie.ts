import type { ReadAt } from './read-at.ts';

export interface MovieFacts {
  seconds?: number;
  width?: number;
  height?: number;
}

const maxBoxes = 2000;

/** Length and size of MP4 and QuickTime, wherever in the file they stand. */
export function movieFacts(read: ReadAt, sizeBytes: number): MovieFacts | undefined {
  const facts: MovieFacts = {};
  let count = 0;
  const visit = (start: number, end: number, depth: number): void => {
    for (let at = start; at + 8 <= end && count < maxBoxes; count++) {
      const header = read(at, 16);
      if (header.length < 8) return;
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

function readMovie(body: Buffer, facts: MovieFacts): void {
  const isLong = body[0] === 1;
  if (body.length < (isLong ? 32 : 20)) return;
  const unit = body.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
  // All ones: the length is not known. None: it stands in the fragments.
  const isKnown = length > 0 && length !== (isLong ? Number(0xffff_ffff_ffff_ffffn) : 0xffff_ffff);
  if (unit > 0 && isKnown) facts.seconds = length / unit;
}

function readTrack(body: Buffer, facts: MovieFacts): void {
  const at = body[0] === 1 ? 88 : 76;
  if (body.length < at + 8) return;
  const [width, height] = [body.readUInt16BE(at), body.readUInt16BE(at + 4)];
  if (width === 0 || height === 0) return;
  facts.width = width;
  facts.height = height;
}
