import zlib from 'node:zlib';
import { undefinedIfDamaged } from '../../../documents/unreadable.ts';
import { type FileStat, isSameFileStat } from '../access/open-file.ts';

/** The compressed text of a document, page or mail, and the stat of its file when it was extracted. */
export interface CompressedText {
  stat: FileStat;
  bytes: Uint8Array;
}

/** The size of the decompressed text. The cached bytes can be damaged. */
const maxUnpackedBytes = 128 << 20;

export function compressText(text: Buffer): Buffer {
  return zlib.deflateRawSync(text, { level: 3 });
}

/**
 * Decompresses the cached text of a file. Returns undefined if the file has changed or the compressed bytes are
 * damaged.
 */
export function decompressTextIfUnchanged(known: CompressedText | undefined, stat: FileStat): Buffer | undefined {
  if (known === undefined || !isSameFileStat(known.stat, stat)) return undefined;
  return undefinedIfDamaged(() => zlib.inflateRawSync(known.bytes, { maxOutputLength: maxUnpackedBytes }));
}
