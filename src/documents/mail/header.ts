import { decodeWithLabel, type TextDecoderCache } from '../encoding/decode.ts';

/** A mail or one of its parts, divided into header and body. */
export interface MailPart {
  /** Maps each header name in lower case to the value of its first header. */
  headers: ReadonlyMap<string, string>;
  lines: readonly (readonly [name: string, value: string])[];
  body: Buffer;
}

export function splitMailHeader(bytes: Buffer): MailPart {
  const lines: [name: string, value: string][] = [];
  let at = 0;
  for (;;) {
    const stop = bytes.indexOf(0x0a, at);
    const end = stop === -1 ? bytes.length : stop;
    const line = bytes.toString('latin1', at, end).replace(/\r$/, '');
    at = end + 1;
    if (line === '') break;
    const last = lines.at(-1);
    const colon = line.indexOf(':');
    if (/^[ \t]/.test(line)) {
      if (last !== undefined) last[1] += ` ${line.trim()}`;
    } else if (colon > 0) lines.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return { headers: new Map(lines.toReversed()), lines, body: bytes.subarray(at) };
}

interface HeaderValue {
  value: string;
  parameters: Map<string, string>;
}

/** Parses a header value with parameters, such as `text/plain; charset=utf-8`. */
export function parseMailHeaderValue(header: string, decoders: TextDecoderCache): HeaderValue {
  const parameters = new Map<string, string>();
  const [value = ''] = header.split(';', 1);
  for (const [, name = '', quoted, plain = ''] of header.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;]+))/g)) {
    // The value may be percent-encoded, because RFC 2231 encodes non-ASCII values as
    // `filename*=UTF-8''r%C3%A9sum%C3%A9`.
    const text = quoted ?? plain;
    const extended = /^([\w-]*)'[^']*'(.*)$/.exec(name.endsWith('*') ? text : '');
    const bytes = extended === null ? undefined : percentDecoded(extended[2] ?? '');
    parameters.set(
      name.replace(/\*.*$/, '').toLowerCase(),
      bytes === undefined ? text : decodeWithLabel(extended?.[1], bytes, decoders),
    );
  }
  return { value: value.trim().toLowerCase(), parameters };
}

function percentDecoded(text: string): Buffer {
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** Decodes the encoded words of RFC 2047, such as `=?utf-8?B?…?=`. */
export function decodeEncodedWords(value: string, decoders: TextDecoderCache): string {
  const hasWords = value.includes('=?');
  const decoded = hasWords ? decodeAdjacentWords(value.replace(/(\?=)\s+(?==\?)/g, '$1'), decoders) : value;
  // The header was decoded as latin1. Outside of encoded words, bytes above 0x7f are therefore decoded again with a
  // guessed encoding.
  return /[\x80-\xff]/.test(value) && decoded === value
    ? decodeWithLabel(undefined, Buffer.from(value, 'latin1'), decoders)
    : decoded;
}

const encodedWord = /=\?([\w.:-]+)(?:\*[\w-]*)?\?([bq])\?([^?]*)\?=/gi;

/**
 * Decodes adjacent words with the same encoding together, because some programs split a character between two words.
 */
function decodeAdjacentWords(value: string, decoders: TextDecoderCache): string {
  const texts: string[] = [];
  let [bytes, encoding, end]: [Buffer[], string | undefined, number] = [[], undefined, 0];
  const endGroup = (next: number): void => {
    if (bytes.length > 0) texts.push(decodeWithLabel(encoding, Buffer.concat(bytes), decoders));
    texts.push(value.slice(end, next));
    bytes = [];
  };
  // The regular expression matches one encoded word at a time. An expression for a whole group would overflow the stack
  // at a million words.
  for (const { 0: written, 1: charset = '', 2: transfer = '', 3: word = '', index } of value.matchAll(encodedWord)) {
    const label = charset.toLowerCase();
    // Each encoded word in ISO-2022-JP starts in ASCII mode, so that it is decoded separately.
    if (index > end || label !== encoding || label === 'iso-2022-jp') endGroup(index);
    [encoding, end] = [label, index + written.length];
    const isBase64 = transfer.toLowerCase() === 'b';
    bytes.push(
      isBase64 ? Buffer.from(word, 'base64') : decodeQuotedPrintable(Buffer.from(word.replaceAll('_', ' '), 'latin1')),
    );
  }
  endGroup(value.length);
  return texts.join('');
}

export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(/=[ \t]*\r?\n/g, '');
  return Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
