import { byteAt } from '../bytes.ts';

export type Utf16Or32Encoding = 'utf-32be' | 'utf-32le' | 'utf-16be' | 'utf-16le';

/**
 * Detects UTF-16 and UTF-32 by the byte order mark, or by the positions of zero bytes in a sample that decodes to valid
 * text.
 */
export function detectUtf16Or32(head: Buffer): Utf16Or32Encoding | undefined {
  const marked = markedEncoding(head.toString('latin1', 0, 4));
  if (marked !== undefined) return marked;
  const zeros = countZeros(head);
  return zeros && candidatesFor(zeros, head.length).find(encoding => isPlausible(head, encoding));
}

function markedEncoding(mark: string): Utf16Or32Encoding | undefined {
  if (mark.startsWith('\xff\xfe\0\0')) return 'utf-32le';
  if (mark === '\0\0\xfe\xff') return 'utf-32be';
  if (mark.startsWith('\xff\xfe')) return 'utf-16le';
  return mark.startsWith('\xfe\xff') ? 'utf-16be' : undefined;
}

type ZeroCounts = readonly [first: number, second: number, third: number, fourth: number];

/**
 * Counts the zero bytes at each position in groups of four bytes. Returns undefined if the bytes are not UTF-16 or
 * UTF-32.
 */
function countZeros(head: Buffer): ZeroCounts | undefined {
  if (head.indexOf(0) === -1) return undefined; // most texts end here, without a loop over their bytes
  const zeros: [number, number, number, number] = [0, 0, 0, 0];
  let plain = 0;
  for (let at = 0; at < head.length; at++) {
    const byte = byteAt(head, at);
    const position = at & 3;
    // No encoded text contains four zero bytes at an offset that is divisible by four. This test rejects most binary
    // files early.
    if (position === 0 && byte === 0 && isZero(head, at)) return undefined;
    if (byte === 0) zeros[position] = (zeros[position] ?? 0) + 1;
    else if (byte >= 0x20 && byte < 0x7f) plain++;
  }
  const count = zeros[0] + zeros[1] + zeros[2] + zeros[3];
  // ASCII text in UTF-16 has one zero byte for each character. A file with only a few zero bytes is therefore not
  // UTF-16.
  const isSparse = count * 200 < head.length || (plain > 2 * count && plain > 0.9 * (head.length - count));
  return isSparse ? undefined : zeros;
}

function isZero(head: Buffer, at: number): boolean {
  return head[at + 1] === 0 && head[at + 2] === 0 && head[at + 3] === 0;
}

function candidatesFor([first, second, third, fourth]: ZeroCounts, length: number): readonly Utf16Or32Encoding[] {
  const units = length >> 2;
  // Both byte orders are tried, because the low byte can also be zero: \u4e00 is a very frequent character.
  const narrow: readonly Utf16Or32Encoding[] =
    first + third > second + fourth ? ['utf-16be', 'utf-16le'] : ['utf-16le', 'utf-16be'];
  // In UTF-32 the highest byte of each unit is zero. This is also true for Latin text in UTF-16, but there two characters
  // form a unit above the last code point, so that UTF-32 is not plausible.
  if (fourth >= units) return ['utf-32le', ...narrow];
  return first >= units ? ['utf-32be', ...narrow] : narrow;
}

const noText = /(?![\t-\r])\p{Cc}|[\ufffd\p{Cn}\p{Co}\p{Cs}]/u;

function isPlausible(head: Buffer, encoding: Utf16Or32Encoding): boolean {
  const text = decodeUtf16Or32(head, encoding);
  // The sample can end between the two halves of a surrogate pair.
  const whole = text.replace(/[\ud800-\udbff]$/, '');
  return text.length > 1 && !noText.test(whole) && /[\p{L}\p{N}]/u.test(whole);
}

export function decodeUtf16Or32(bytes: Buffer, encoding: Utf16Or32Encoding): string {
  if (encoding.startsWith('utf-16')) {
    const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
    // The bytes are copied because swap16 changes them in place.
    return withoutMark((encoding === 'utf-16be' ? Buffer.from(even).swap16() : even).toString('utf16le'));
  }
  const pieces: string[] = [];
  const points: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = encoding === 'utf-32le' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    points.push(point <= 0x10ffff ? point : 0xfffd);
    if (points.length === 4096) pieces.push(String.fromCodePoint(...points.splice(0)));
  }
  return withoutMark(pieces.join('') + String.fromCodePoint(...points));
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
