import { extensionOf, isStreamOrCode } from './file-type.ts';
import { isBinary } from './search/decode.ts';

/** The extension a file should have by its first bytes; empty when they say nothing either. */
export function sniffExtension(name: string, head: Buffer): string {
  const extension = extensionOf(name);
  if (isStreamOrCode(extension)) {
    if (isTransportStream(head)) return 'm2ts';
    return head.length === 0 || isBinary(head) ? extension : 'ts';
  }
  if (extension !== '') return extension;
  const found = marks.find(([offset, mark]) =>
    head.subarray(offset, offset + mark.length).equals(Buffer.from(mark, 'latin1')),
  );
  if (found !== undefined) return found[2];
  if (head.length === 0 || isBinary(head)) return '';
  if (mailBox.test(head.toString('latin1', 0, 400))) return 'mbox';
  return head.toString('latin1', 0, 2) === '#!' ? 'sh' : 'txt';
}

/** The line before each mail, with its date, and the first header: mail programs give their boxes no extension. */
const mailBox = /^From \S.*\d\d:\d\d:\d\d .*\r?\n[A-Za-z][\w-]*: /;

const marks: readonly (readonly [offset: number, mark: string, extension: string])[] = [
  [0, '%PDF-', 'pdf'],
  [0, '\x89PNG\r\n\x1a\n', 'png'],
  [0, '\xff\xd8\xff', 'jpg'],
  [0, 'GIF87a', 'gif'],
  [0, 'GIF89a', 'gif'],
  [8, 'WEBP', 'webp'],
  [8, 'WAVE', 'wav'],
  [0, 'ID3', 'mp3'],
  [0, 'fLaC', 'flac'],
  [0, 'OggS', 'ogg'],
  [4, 'ftypM4A', 'm4a'],
  [4, 'ftyp', 'mp4'],
  [0, 'PK\x03\x04', 'zip'],
];

/** MPEG-2 streams have 0x47 at the start of each packet; those of cameras put four bytes of time before it. */
function isTransportStream(head: Buffer): boolean {
  return hasPackets(head, 0, 188) || hasPackets(head, 4, 192);
}

function hasPackets(head: Buffer, first: number, length: number): boolean {
  // One packet is no proof: any text may have a G there.
  if (head.length < 2 * length) return false;
  for (let at = first; at < head.length; at += length) if (head[at] !== 0x47) return false;
  return true;
}
