import { byteAt } from '../bytes.ts';

/** Every compressed text starts with this dictionary (MS-OXRTFCP 2.1.2.1). */
const initialDictionary =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const dictionaryBytes = 4096;
const compressed = 0x75465a4c;
const plain = 0x414c454d;
const headerBytes = 16;
/**
 * The decompressed text is at most this number of times as long, because a reference of two bytes expands to at most 17
 * bytes.
 */
const maxGrowth = 9;

/** Decompresses the RTF body of an Outlook message (MS-OXRTFCP). Returns undefined if the bytes are not such a body. */
export function decompressRtf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < headerBytes) return undefined;
  const kind = bytes.readUInt32LE(8);
  if (kind === plain) return bytes.subarray(headerBytes);
  if (kind !== compressed) return undefined;
  const out = Buffer.alloc(Math.min(bytes.readUInt32LE(4), bytes.length * maxGrowth));
  return out.subarray(0, decompressInto(out, bytes));
}

/** Decompresses the bytes into the buffer `out`. Returns the number of bytes that were written. */
function decompressInto(out: Buffer, bytes: Buffer): number {
  const dictionary = Buffer.alloc(dictionaryBytes);
  let write = dictionary.write(initialDictionary, 'latin1');
  let length = 0;
  const put = (byte: number): void => {
    if (length < out.length) out[length++] = byte;
    dictionary[write] = byte;
    write = (write + 1) % dictionaryBytes;
  };
  for (let at = headerBytes; at < bytes.length; ) {
    const flags = byteAt(bytes, at++);
    for (let bit = 0; bit < 8 && at < bytes.length; bit++) {
      if ((flags & (1 << bit)) === 0) {
        put(byteAt(bytes, at++));
        continue;
      }
      const reference = (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1);
      at += 2;
      const offset = reference >> 4;
      // In compressed RTF, a reference to the current write position marks the end of the text.
      if (offset === write) return length;
      for (let index = 0; index < (reference & 0xf) + 2; index++)
        put(byteAt(dictionary, (offset + index) % dictionaryBytes));
    }
  }
  return length;
}
