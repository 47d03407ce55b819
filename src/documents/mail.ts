import { decode, decodeAs } from './encoding/decode.ts';
import { htmlText } from './html.ts';

/** Mails forwarded again and again nest; deeper than that nobody forwards, and each depth costs one more pass over the rest. */
const maxDepth = 100;

interface Part {
  /** Of several with one name the first. */
  headers: ReadonlyMap<string, string>;
  lines: readonly (readonly [name: string, value: string])[];
  body: Buffer;
}

/** The lines at the top of a mail that people read. */
const shownHeaders: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'bcc', 'reply-to', 'date', 'subject']);

/** The text of a mail as its reader sees it, with every part that is text; what is at its top besides stands at the end. */
export function mailText(bytes: Buffer): string {
  const pieces: string[] = [];
  for (const mail of splitMails(bytes)) readPart(splitHeaders(mail), pieces, 0);
  return pieces.join('\n');
}

/** A mail box is one mail after the other, each behind a line that begins with "From ". */
function* splitMails(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  if (bytes.toString('latin1', 0, 5) === 'From ') {
    for (let at = bytes.indexOf('\nFrom ', 5); at !== -1; at = bytes.indexOf('\nFrom ', at + 6)) {
      yield bytes.subarray(start, at + 1);
      start = at + 1;
    }
  }
  yield bytes.subarray(start);
}

function readPart(part: Part, pieces: string[], depth: number): void {
  if (depth > maxDepth) {
    pieces.push(decodeAs(undefined, part.body));
    return;
  }
  for (const name of shownHeaders) {
    const value = part.headers.get(name);
    if (value !== undefined) pieces.push(decodeWords(value));
  }
  const { value: type, parameters } = readHeader(part.headers.get('content-type') ?? 'text/plain');
  const disposition = readHeader(part.headers.get('content-disposition') ?? '');
  const name = disposition.parameters.get('filename') ?? parameters.get('name');
  if (name !== undefined) pieces.push(decodeWords(name));
  const boundary = parameters.get('boundary');
  if (type.startsWith('multipart/') && boundary !== undefined) {
    for (const inner of splitParts(part.body, boundary)) readPart(splitHeaders(inner), pieces, depth + 1);
  } else if (type === 'message/rfc822') readPart(splitHeaders(decodeTransfer(part)), pieces, depth + 1);
  // What became of a mail is told in parts of type message/delivery-status and the like.
  else if (/^(?:text|message)\//.test(type)) {
    const text = decodeAs(parameters.get('charset'), decodeTransfer(part));
    pieces.push(type === 'text/html' ? htmlText(text) : text);
  }
  for (const [header, value] of part.lines)
    if (!shownHeaders.has(header) && !/^(?:content-|mime-)/.test(header))
      pieces.push(`${header}: ${decodeWords(value)}`);
}

function splitHeaders(bytes: Buffer): Part {
  const lines: [name: string, value: string][] = [];
  let at = 0;
  while (at < bytes.length) {
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

function readHeader(header: string): { value: string; parameters: Map<string, string> } {
  const parameters = new Map<string, string>();
  const [value = ''] = header.split(';', 1);
  for (const [, name = '', quoted, plain = ''] of header.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;]+))/g)) {
    // `filename*=UTF-8''r%C3%A9sum%C3%A9` is the newer way to write what is not ASCII.
    const text = quoted ?? plain;
    const extended = /^([\w-]*)'[^']*'(.*)$/.exec(name.endsWith('*') ? text : '');
    const bytes = extended === null ? undefined : percentDecoded(extended[2] ?? '');
    parameters.set(
      name.replace(/\*.*$/, '').toLowerCase(),
      bytes === undefined ? text : decodeAs(extended?.[1], bytes),
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

/** `=?utf-8?B?…?=`, of which several in a row are one text. */
function decodeWords(value: string): string {
  const decoded = decodeRows(value.replace(/(\?=)\s+(?==\?)/g, '$1'));
  // What stands there in bytes beyond ASCII was taken for latin1 until here.
  return /[\x80-\xff]/.test(value) && decoded === value ? decodeAs(undefined, Buffer.from(value, 'latin1')) : decoded;
}

const encodedWord = /=\?([\w.:-]+)(?:\*[\w-]*)?\?([bq])\?([^?]*)\?=/gi;

/** Some programs cut in the middle of a character: what stands in a row in one encoding is read together. */
function decodeRows(value: string): string {
  const texts: string[] = [];
  let [bytes, encoding, end]: [Buffer[], string | undefined, number] = [[], undefined, 0];
  const endRow = (next: number): void => {
    if (bytes.length > 0) texts.push(decodeAs(encoding, Buffer.concat(bytes)));
    texts.push(value.slice(end, next));
    bytes = [];
  };
  // Word by word: an expression for the whole row has no room for a million of them.
  for (const { 0: written, 1: charset = '', 2: way = '', 3: word = '', index } of value.matchAll(encodedWord)) {
    const label = charset.toLowerCase();
    // In the latter each word begins anew: joined they would not be read.
    if (index > end || label !== encoding || label === 'iso-2022-jp') endRow(index);
    [encoding, end] = [label, index + written.length];
    const isBase64 = way.toLowerCase() === 'b';
    bytes.push(
      isBase64 ? Buffer.from(word, 'base64') : quotedPrintable(Buffer.from(word.replaceAll('_', ' '), 'latin1')),
    );
  }
  endRow(value.length);
  return texts.join('');
}

function decodeTransfer({ headers, body }: Part): Buffer {
  const way = (headers.get('content-transfer-encoding') ?? '').trim().toLowerCase();
  if (way === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  return way === 'quoted-printable' ? quotedPrintable(body) : body;
}

function quotedPrintable(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(/=[ \t]*\r?\n/g, '');
  return Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

function* splitParts(body: Buffer, boundary: string): Generator<Buffer> {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  let start = -1;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue;
    if (start !== -1) yield body.subarray(start, at);
    const line = body.indexOf(0x0a, at);
    if (line === -1 || body.toString('latin1', at + mark.length, at + mark.length + 2) === '--') return;
    start = line + 1;
  }
  if (start !== -1) yield body.subarray(start);
}

/** A card or calendar (vcf, ics) as its reader sees it: long lines are cut there anywhere, older cards are quoted. */
export function cardText(bytes: Buffer): string {
  const whole = decode(bytes)
    .bytes.toString('utf8')
    .replace(/\r?\n[ \t]/g, '');
  return whole
    .replace(quotedValue, (_, name: string, value: string) => {
      const charset = /;CHARSET=([\w.:-]+)/i.exec(name)?.[1];
      return `${name}:${decodeAs(charset, quotedPrintable(Buffer.from(value)))}`;
    })
    .replace(/\\([nN,;\\])/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign));
}

/** To the end of its line, and over each line that ends in a "=". No name or text is longer: every search for its end has to stop. */
const quotedValue =
  /^([^:\r\n]{0,200};(?:ENCODING=)?QUOTED-PRINTABLE[^:\r\n]{0,200}):((?:[^\r\n]*=\r?\n){0,5000}[^\r\n]*)/gim;
