import { decodeWithLabel, TextDecoderCache } from '../encoding/decode.ts';
import { extractHtmlText } from '../html/text.ts';
import {
  decodeEncodedWords,
  decodeQuotedPrintable,
  type MailPart,
  parseMailHeaderValue,
  splitMailHeader,
} from './header.ts';

/** Forwarded mails are parsed up to this depth, because each level takes one more pass over the rest of the bytes. */
const maxDepth = 100;

/** Mail programs show these headers to their users. */
const shownHeaders: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'bcc', 'reply-to', 'date', 'subject']);

/**
 * Extracts all text parts of a mail or mailbox, after the headers that mail programs show. The other headers follow at
 * the end.
 */
export function extractMailText(bytes: Buffer): string {
  const reader = new MailReader();
  for (const mail of splitMails(bytes)) reader.readPart(splitMailHeader(mail), 0);
  return reader.pieces.join('\n');
}

/** Splits a mailbox into mails. Each mail follows a line that starts with "From ". */
function* splitMails(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  if (bytes.toString('latin1', 0, 5) === 'From ') {
    for (let at = bytes.indexOf('\nFrom '); at !== -1; at = bytes.indexOf('\nFrom ', start)) {
      yield bytes.subarray(start, at + 1);
      start = at + 1;
    }
  }
  yield bytes.subarray(start);
}

class MailReader {
  readonly pieces: string[] = [];
  readonly #decoders = new TextDecoderCache();

  readPart(part: MailPart, depth: number): void {
    if (depth > maxDepth) {
      this.pieces.push(decodeWithLabel(undefined, part.body, this.#decoders));
      return;
    }
    for (const name of shownHeaders) {
      const value = part.headers.get(name);
      if (value !== undefined) this.#addWords(value);
    }
    this.#readBody(part, depth);
    for (const [header, value] of part.lines)
      if (!shownHeaders.has(header) && !/^(?:content-|mime-)/.test(header)) this.#addWords(value, `${header}: `);
  }

  #addWords(value: string, prefix = ''): void {
    this.pieces.push(`${prefix}${decodeEncodedWords(value, this.#decoders)}`);
  }

  #readBody(part: MailPart, depth: number): void {
    const { value: type, parameters } = this.#headerValue(part, 'content-type', 'text/plain');
    const disposition = this.#headerValue(part, 'content-disposition', '');
    const name = disposition.parameters.get('filename') ?? parameters.get('name');
    if (name !== undefined) this.#addWords(name);
    const boundary = parameters.get('boundary');
    if (type.startsWith('multipart/') && boundary !== undefined) {
      for (const inner of splitParts(part.body, boundary)) this.readPart(splitMailHeader(inner), depth + 1);
    } else if (type === 'message/rfc822') this.readPart(splitMailHeader(decodeTransfer(part)), depth + 1);
    // Delivery reports have types such as message/delivery-status and are text as well.
    else if (/^(?:text|message)\//.test(type)) {
      const text = decodeWithLabel(parameters.get('charset'), decodeTransfer(part), this.#decoders);
      this.pieces.push(type === 'text/html' ? extractHtmlText(text) : text);
    }
  }

  #headerValue({ headers }: MailPart, name: string, otherwise: string): ReturnType<typeof parseMailHeaderValue> {
    return parseMailHeaderValue(headers.get(name) ?? otherwise, this.#decoders);
  }
}

function decodeTransfer({ headers, body }: MailPart): Buffer {
  const encoding = (headers.get('content-transfer-encoding') ?? '').trim().toLowerCase();
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(body) : body;
}

function* splitParts(body: Buffer, boundary: string): Generator<Buffer> {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  let start = -1;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue;
    if (start !== -1) yield body.subarray(start, at);
    const line = body.indexOf(0x0a, at);
    if (line === -1 || body.toString('latin1', at + delimiter.length, at + delimiter.length + 2) === '--') return;
    start = line + 1;
  }
  if (start !== -1) yield body.subarray(start);
}
