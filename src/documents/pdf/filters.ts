import zlib from 'node:zlib';
import { byteAt } from '../bytes.ts';
import { type DocumentBudget, UnreadableError, undefinedIfDamaged } from '../unreadable.ts';
import { hexToBytes, type PdfDictionary, PdfName, type PdfValue } from './syntax.ts';

/** Limits the size of a decoded stream in bytes. */
const maxStreamBytes = 32 * 1024 * 1024;

/** Decodes a stream by its filters. Returns undefined for image filters and unknown filters. */
export function decodePdfStream(
  raw: Buffer,
  filters: readonly PdfValue[],
  parameters: readonly (PdfDictionary | undefined)[],
  budget: DocumentBudget,
): Buffer | undefined {
  let bytes: Buffer | undefined = raw;
  // A stream without filters is counted in the budget as well, because a page can refer to one stream a thousand times.
  if (filters.length === 0) budget.unpacked(raw.length);
  filters.forEach((filter, index) => {
    if (bytes === undefined) return;
    bytes = filter instanceof PdfName ? decodeOne(filter.name, bytes, parameters[index], budget) : undefined;
    if (bytes !== undefined) budget.unpacked(bytes.length);
  });
  return bytes;
}

function decodeOne(
  filter: string,
  bytes: Buffer,
  parameters: PdfDictionary | undefined,
  budget: DocumentBudget,
): Buffer | undefined {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return unpredict(inflate(bytes, Math.min(maxStreamBytes, budget.bytes)), parameters);
    case 'LZWDecode':
    case 'LZW':
      return unpredict(decodeLzw(bytes, parameters?.get('EarlyChange') !== 0), parameters);
    case 'ASCII85Decode':
    case 'A85':
      return decodeAscii85(bytes);
    case 'ASCIIHexDecode':
    case 'AHx':
      return hexToBytes(bytes.toString('latin1').replace(/>[^]*/, ''));
    case 'RunLengthDecode':
    case 'RL':
      return decodeRunLength(bytes);
    default:
      return undefined;
  }
}

/**
 * Decompresses a stream. If the stream is damaged, the part before the damage is returned. If there is none, the data
 * is decompressed without the zlib header.
 */
function inflate(bytes: Buffer, maxOutputLength: number): Buffer | undefined {
  const options = { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength };
  return (
    undefinedIfDamaged(() => zlib.inflateSync(bytes, options)) ??
    undefinedIfDamaged(() => zlib.inflateRawSync(bytes.subarray(2), options))
  );
}

function numberIn(dict: PdfDictionary | undefined, key: string, otherwise: number): number {
  const value = dict?.get(key);
  return typeof value === 'number' && value > 0 ? value : otherwise;
}

/** Reverts the PNG predictors of a stream. They store the difference of each byte to a neighbouring byte. */
function unpredict(bytes: Buffer | undefined, parameters: PdfDictionary | undefined): Buffer | undefined {
  const predictor = numberIn(parameters, 'Predictor', 1);
  if (bytes === undefined || predictor < 10) return bytes;
  const pixelBits = numberIn(parameters, 'Colors', 1) * numberIn(parameters, 'BitsPerComponent', 8);
  const rowBytes = Math.ceil((pixelBits * numberIn(parameters, 'Columns', 1)) / 8);
  const step = Math.max(1, pixelBits >> 3);
  const rows = Math.floor(bytes.length / (rowBytes + 1));
  const out = Buffer.alloc(rows * rowBytes);
  for (let row = 0; row < rows; row++) {
    const kind = byteAt(bytes, row * (rowBytes + 1));
    for (let column = 0; column < rowBytes; column++) {
      const at = row * rowBytes + column;
      const left = column >= step ? byteAt(out, at - step) : 0;
      const up = byteAt(out, at - rowBytes);
      const corner = column >= step ? byteAt(out, at - rowBytes - step) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0;
      out[at] = byteAt(bytes, row * (rowBytes + 1) + 1 + column) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
}

function decodeLzw(bytes: Buffer, isEarly: boolean): Buffer {
  const [clear, stop] = [256, 257];
  const out: Buffer[] = [];
  let [length, width, bits, count] = [0, 9, 0, 0];
  let table: Buffer[] = [];
  let previous: Buffer | undefined;
  const entry = (code: number): Buffer | undefined => (code < 256 ? Buffer.of(code) : table[code - 258]);
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xffffff;
    count += 8;
    if (count < width) continue;
    const code = (bits >>> (count - width)) & ((1 << width) - 1);
    count -= width;
    if (code === stop) break;
    if (code === clear) {
      [table, width, previous] = [[], 9, undefined];
      continue;
    }
    const current: Buffer | undefined = entry(code) ?? (previous && Buffer.concat([previous, previous.subarray(0, 1)]));
    if (current === undefined) break;
    if (previous !== undefined && table.length < 4096 - 258)
      table.push(Buffer.concat([previous, current.subarray(0, 1)]));
    out.push(current);
    length += current.length;
    if (length > maxStreamBytes) throw new UnreadableError('the decompressed stream is too large');
    previous = current;
    const next = 258 + table.length + (isEarly ? 1 : 0);
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  }
  return Buffer.concat(out);
}

function decodeAscii85(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(/\s+/g, '').replace(/^<~/, '').split('~', 1)[0] ?? '';
  const out: number[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] === 'z') {
      out.push(0, 0, 0, 0);
      at++;
      continue;
    }
    const group = text.slice(at, at + 5);
    at += 5;
    let value = 0;
    for (let index = 0; index < 5; index++) value = value * 85 + ((group.charCodeAt(index) || 0x75) - 0x21);
    for (let index = 0; index < group.length - 1; index++) out.push(Math.floor(value / 256 ** (3 - index)) & 0xff);
  }
  return Buffer.from(out);
}

function decodeRunLength(bytes: Buffer): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at++] ?? 128;
    if (length === 128) break;
    if (length < 128) out.push(bytes.subarray(at, (at += length + 1)));
    else out.push(Buffer.alloc(257 - length, bytes[at++]));
  }
  return Buffer.concat(out);
}
