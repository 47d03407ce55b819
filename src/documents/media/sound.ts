import { byteAt } from '../bytes.ts';
import type { ReadFileRange } from './picture.ts';

/** The metadata of an audio file. Durations are in seconds, and rates in Hz and bits per second. */
export interface AudioMetadata {
  seconds?: number;
  sampleRate?: number;
  bitRate?: number;
  title?: string;
  album?: string;
  artist?: string;
}

const headBytes = 256 * 1024;

/** Reads the metadata of WAV, FLAC and MP3 files. */
export function extractAudioMetadata(read: ReadFileRange, sizeBytes: number): AudioMetadata | undefined {
  const head = read(0, headBytes);
  const mark = head.toString('latin1', 0, 4);
  if (mark === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE') return wavFacts(head, sizeBytes);
  if (mark === 'fLaC') return flacFacts(head, sizeBytes);
  return mp3Facts(read, sizeBytes);
}

function wavFacts(head: Buffer, sizeBytes: number): AudioMetadata | undefined {
  let byteRate = 0;
  let sampleRate = 0;
  for (let at = 12; at + 8 <= head.length; ) {
    const length = head.readUInt32LE(at + 4);
    const name = head.toString('latin1', at, at + 4);
    if (name === 'fmt ' && at + 20 <= head.length) {
      sampleRate = head.readUInt32LE(at + 12);
      byteRate = head.readUInt32LE(at + 16);
    } else if (name === 'data' && byteRate > 0) {
      const seconds = Math.min(length, sizeBytes - at - 8) / byteRate;
      return { seconds, sampleRate, bitRate: byteRate * 8 };
    }
    at += 8 + length + (length % 2);
  }
  return undefined;
}

function flacFacts(head: Buffer, sizeBytes: number): AudioMetadata | undefined {
  if (head.length < 42) return undefined;
  const sampleRate = head.readUIntBE(18, 3) >>> 4;
  const samples = (byteAt(head, 21) & 0x0f) * 2 ** 32 + head.readUInt32BE(22);
  if (sampleRate === 0) return undefined;
  const seconds = samples / sampleRate;
  const facts: AudioMetadata = {
    sampleRate,
    ...(seconds > 0 && { seconds, bitRate: Math.round((sizeBytes * 8) / seconds) }),
  };
  return { ...facts, ...flacTags(head) };
}

/** Reads the Vorbis comments of a FLAC file, such as `TITLE=…`, in metadata blocks of type 4. */
function flacTags(head: Buffer): AudioMetadata {
  for (let at = 4; at + 4 <= head.length; ) {
    const kind = byteAt(head, at);
    const length = head.readUIntBE(at + 1, 3);
    if ((kind & 0x7f) === 4) return vorbisTags(head.subarray(at + 4, at + 4 + length));
    if ((kind & 0x80) !== 0) break;
    at += 4 + length;
  }
  return {};
}

function vorbisTags(block: Buffer): AudioMetadata {
  const tags = new Map<string, string>();
  if (block.length < 8) return {};
  let at = 4 + block.readUInt32LE(0);
  if (at + 4 > block.length) return {};
  const count = Math.min(block.readUInt32LE(at), 1000);
  at += 4;
  for (let index = 0; index < count && at + 4 <= block.length; index++) {
    const length = block.readUInt32LE(at);
    const [name = '', ...value] = block.toString('utf8', at + 4, Math.min(block.length, at + 4 + length)).split('=');
    tags.set(name.toUpperCase(), value.join('='));
    at += 4 + length;
  }
  return tagFacts(tags.get('TITLE'), tags.get('ALBUM'), tags.get('ARTIST'));
}

function tagFacts(title: string | undefined, album: string | undefined, artist: string | undefined): AudioMetadata {
  return { ...(title && { title }), ...(album && { album }), ...(artist && { artist }) };
}

const bitRates: Readonly<Record<string, readonly number[]>> = {
  'V1 L1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  'V1 L2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  'V1 L3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  'V2 L1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  'V2 L2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

interface Frame {
  bitRate: number;
  sampleRate: number;
  samples: number;
  length: number;
  isVersion1: boolean;
  isMono: boolean;
}

/** Reads the metadata of an MP3 file. Its audio data follows the ID3 tags, which can contain large pictures. */
function mp3Facts(read: ReadFileRange, sizeBytes: number): AudioMetadata | undefined {
  const mark = read(0, 10);
  const tagBytes = mark.toString('latin1', 0, 3) === 'ID3' && mark.length >= 10 ? 10 + syncSafe(mark, 6) : 0;
  const tags = tagBytes > 0 ? id3Tags(read, byteAt(mark, 3), tagBytes) : {};
  const sound = read(tagBytes, headBytes);
  const at = findFrame(sound, 0);
  const frame = at === undefined ? undefined : readFrame(sound, at);
  if (at === undefined || frame === undefined) return Object.keys(tags).length > 0 ? tags : undefined;
  const frames = frameCount(sound, at, frame);
  const soundBits = (sizeBytes - tagBytes - at) * 8;
  const seconds = frames === undefined ? soundBits / frame.bitRate : (frames * frame.samples) / frame.sampleRate;
  const bitRate = frames === undefined ? frame.bitRate : Math.round(soundBits / seconds);
  return { seconds, sampleRate: frame.sampleRate, bitRate, ...tags };
}

/** Returns the offset of the first valid MP3 frame. A frame is valid if another frame follows at its end. */
function findFrame(head: Buffer, from: number): number | undefined {
  for (let at = head.indexOf(0xff, from); at !== -1 && at + 4 <= head.length; at = head.indexOf(0xff, at + 1)) {
    const frame = readFrame(head, at);
    if (frame === undefined) continue;
    const next = at + frame.length;
    if (next + 4 > head.length || readFrame(head, next) !== undefined) return at;
  }
  return undefined;
}

function readFrame(head: Buffer, at: number): Frame | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = head.subarray(at, at + 4);
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const version = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  if (version === reservedVersion || layer === 4) return undefined;
  const isVersion1 = version === 3;
  const bitRate = bitRateOf(third >> 4, layer, isVersion1);
  const sampleRate = sampleRateOf((third >> 2) & 3, version);
  if (bitRate === 0 || sampleRate === 0) return undefined;
  const samples = samplesOf(layer, isVersion1);
  const padding = (third >> 1) & 1;
  const slot = layer === 1 ? 4 : 1;
  const length = Math.floor((samples / 8 / slot) * (bitRate / sampleRate) + padding) * slot;
  return { bitRate, sampleRate, samples, length, isVersion1, isMono: fourth >> 6 === 3 };
}

const reservedVersion = 1;

function bitRateOf(index: number, layer: number, isVersion1: boolean): number {
  const row = isVersion1 ? `V1 L${layer}` : layer === 1 ? 'V2 L1' : 'V2 L2';
  return (bitRates[row]?.[index] ?? 0) * 1000;
}

function sampleRateOf(index: number, version: number): number {
  const divisor = [4, 1, 2, 1][version] ?? 1;
  return ([44_100, 48_000, 32_000][index] ?? 0) / divisor;
}

function samplesOf(layer: number, isVersion1: boolean): number {
  if (layer === 1) return 384;
  return layer === 3 && !isVersion1 ? 576 : 1152;
}

/** Returns the number of MP3 frames. A file with a variable bit rate stores this number in its first frame. */
function frameCount(head: Buffer, at: number, { isVersion1, isMono }: Frame): number | undefined {
  const xing = at + 4 + (isVersion1 ? (isMono ? 17 : 32) : isMono ? 9 : 17);
  const mark = head.toString('latin1', xing, xing + 4);
  if ((mark !== 'Xing' && mark !== 'Info') || xing + 12 > head.length) return undefined;
  const count = byteAt(head, xing + 7) & 1 ? head.readUInt32BE(xing + 8) : 0;
  return count > 0 ? count : undefined;
}

const maxTags = 1000;

function id3Tags(read: ReadFileRange, version: number, tagBytes: number): AudioMetadata {
  const texts = new Map<string, string>();
  if (version < 3) return {};
  for (let at = 10, count = 0; at + 10 <= tagBytes && count < maxTags; count++) {
    const header = read(at, 10);
    const name = header.toString('latin1', 0, 4);
    if (header.length < 10 || !/^[A-Z0-9]{4}$/.test(name)) break;
    const length = version >= 4 ? syncSafe(header, 4) : header.readUInt32BE(4);
    if (name.startsWith('T') && length > 1 && length < 10_000) {
      const text = read(at + 10, length);
      // A value of an ID3 tag is ignored if it extends beyond the end of the tag.
      if (text.length === length && at + 10 + length <= tagBytes) texts.set(name, id3Text(text));
    }
    at += 10 + length;
  }
  return tagFacts(texts.get('TIT2'), texts.get('TALB'), texts.get('TPE1'));
}

function id3Text(bytes: Buffer): string {
  const encoding = bytes[0] ?? 0;
  const content = bytes.subarray(1);
  if (encoding === 0) return clean(content.toString('latin1'));
  if (encoding === 3) return clean(content.toString('utf8'));
  const isBig = encoding === 2 || (content[0] === 0xfe && content[1] === 0xff);
  const even = content.subarray(0, content.length - (content.length % 2));
  return clean((isBig ? Buffer.from(even).swap16() : even).toString('utf16le'));
}

function clean(text: string): string {
  return (
    text
      .replace(/^\ufeff/, '')
      .split('\0')[0]
      ?.trim() ?? ''
  );
}

function syncSafe(bytes: Buffer, at: number): number {
  return [0, 1, 2, 3].reduce((sum, index) => sum * 128 + (byteAt(bytes, at + index) & 0x7f), 0);
}
