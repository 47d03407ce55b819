import { isAscii, isUtf8 } from 'node:buffer';

const sniffedBytes = 8192;

/** Text that has only ASCII characters can be searched as bytes. */
export type Decoded = { isAscii: true; bytes: Buffer } | { isAscii: false; text: string };

/** Whether a file that starts like this is no text: a NUL, unless it is UTF-16 with its mark. */
export function isBinary(head: Buffer): boolean {
  return utf16Mark(head) === undefined && head.subarray(0, sniffedBytes).indexOf(0) !== -1;
}

/** UTF-8, UTF-16 by its mark, and everything else as windows-1252: no text is refused. */
export function decode(bytes: Buffer): Decoded {
  const mark = utf16Mark(bytes);
  if (mark !== undefined) {
    const even = bytes.subarray(2, bytes.length - (bytes.length % 2));
    // A copy: swap16 works in place.
    return { isAscii: false, text: (mark === 'big' ? Buffer.from(even).swap16() : even).toString('utf16le') };
  }
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const content = hasMark ? bytes.subarray(3) : bytes;
  if (isAscii(content)) return { isAscii: true, bytes: content };
  return { isAscii: false, text: isUtf8(content) ? content.toString('utf8') : windows1252(content) };
}

/** A text that is decoded already, in its cheapest form. */
export function asDecoded(text: string): Decoded {
  const bytes = Buffer.from(text, 'utf8');
  return isAscii(bytes) ? { isAscii: true, bytes } : { isAscii: false, text };
}

function utf16Mark(bytes: Buffer): 'big' | 'little' | undefined {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'big';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'little' : undefined;
}

const upperControls = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** By hand: some Node versions decode this encoding as latin1. */
export function windows1252(bytes: Buffer): string {
  const units = Uint16Array.from(bytes);
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] ?? 0;
    if (unit >= 0x80 && unit < 0xa0) units[index] = upperControls.charCodeAt(unit - 0x80);
  }
  return Buffer.from(units.buffer).toString('utf16le');
}
