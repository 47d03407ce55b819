import { isUtf8 } from 'node:buffer';
import { Failure } from '../errors/failure.ts';
import type { RedactFunction } from '../log/redact.ts';
import { removeInvisibleCharacters } from '../text/invisible.ts';
import { isRecord, readJson } from '../text/json.ts';
import { truncateCharacters } from '../text/truncate.ts';
import { createProxyAdvice } from './proxy-warning.ts';

/** A 2xx response whose body is parsed JSON. */
export interface ParsedResponse {
  status: number;
  data: unknown;
}

/** A response with its complete body, and the hints for its error messages. */
export interface BufferedResponse {
  status: number;
  url: string;
  contentType: string | undefined;
  body: Buffer;
  /** Maps a status to a hint for this request. Hints for all backends apply to the other statuses. */
  hints: Readonly<Record<number, string>>;
  redact: RedactFunction;
}

/** Limits the size of a response body. A larger body is rejected. */
export const maxBodyBytes = 1_048_576;
const maxErrorCharacters = 500;
const jsonTypes: ReadonlySet<string> = new Set(['application/json', 'application/problem+json']);
const utf8 = new TextDecoder('utf-8');

/** A proxy itself sends these statuses if it cannot reach the backend or must not. */
const proxyStatuses: ReadonlySet<number> = new Set([403, 407, 502, 503, 504]);

const overloaded = 'The backend is overloaded or one of its parts is down: try again later.';
const otherServer = 'This may be the answer of another server, a proxy or a login page: the user can run --check.';
const serverFault = 'The backend failed: try again later. If this persists, the user can report it to its operator.';
const commonHints: Readonly<Record<number, string>> = {
  400: 'The backend rejects the request: compare the arguments with the description of the tool.',
  404: 'The backend has nothing at this address: check the arguments, and the user can check --base-url.',
  407: 'A proxy requires authentication: the user can put a name and a password into its address, http://name:password@….',
  429: 'Too many requests: wait a little before the next one.',
  502: overloaded,
  503: overloaded,
  504: overloaded,
};

const unusedProxy =
  'A proxy requires authentication, but none is used for this address: the user can check --base-url, HTTP_PROXY and HTTPS_PROXY.';

/** Accepts a 2xx response in JSON, and status 202 with any body. Every other response is an error of the backend. */
export function parseResponse({ status, url, contentType, body, hints, redact }: BufferedResponse): ParsedResponse {
  const isJson = jsonTypes.has(mediaType(contentType));
  if (status === 202) return { status, data: isJson ? readJson(body.toString('utf8')) : undefined };
  if (status >= 200 && status <= 299 && isJson) return { status, data: readData(body) };
  const other = (status < 300 ? describeWrongType(contentType, body) : undefined) ?? otherServer;
  const hint = createHint(status, url, hints[status], other);
  throw new Failure('upstream', errorText(status, isJson, body, redact), { status, hint });
}

function createHint(status: number, url: string, ownHint: string | undefined, other: string): string {
  const proxy = proxyStatuses.has(status) ? createProxyAdvice(url) : undefined;
  const common = status === 407 && proxy === undefined ? unusedProxy : commonHints[status];
  const hint = ownHint ?? common ?? (status < 500 ? other : serverFault);
  return proxy === undefined ? hint : `${hint} ${proxy}`;
}

/** Returns the hint for a success whose body is a JSON object or array, but has another media type. */
function describeWrongType(contentType: string | undefined, body: Buffer): string | undefined {
  const data = readJson(body.toString('utf8'));
  if (typeof data !== 'object' || data === null) return undefined;
  const type = removeInvisibleCharacters(truncateCharacters(mediaType(contentType), 100));
  const shown = type === '' ? 'no Content-Type' : `the Content-Type ${JSON.stringify(type)}`;
  return `The response is JSON, but has ${shown}: if it is the right server, it or a proxy in front of it must send application/json.`;
}

function mediaType(contentType = ''): string {
  const [essence = ''] = contentType.split(';');
  return essence.trim().toLowerCase();
}

function readData(body: Buffer): unknown {
  const data = isUtf8(body) ? readJson(utf8.decode(body)) : undefined;
  if (data !== undefined) return data;
  const reason =
    body.length >= maxBodyBytes
      ? `is larger than ${maxBodyBytes} bytes`
      : isUtf8(body)
        ? 'is not valid JSON'
        : body[0] === 0x1f && body[1] === 0x8b
          ? 'is compressed, but has no Content-Encoding'
          : 'is not valid UTF-8';
  throw new Failure('malformed', `The response of the backend ${reason}.`, {
    hint: body.length < maxBodyBytes ? otherServer : 'The user can report this to the operator of the backend.',
  });
}

/**
 * Returns the title and detail of a problem document (RFC 7807), or the start of any other body. Invisible characters
 * are removed, because they could contain instructions or split a secret. Secrets are redacted before the text is
 * truncated.
 */
function errorText(status: number, isJson: boolean, body: Buffer, redact: RedactFunction): string {
  const document = isJson ? readJson(body.toString('utf8')) : undefined;
  if (isRecord(document) && typeof document['title'] === 'string') {
    const { title, detail, status: own = status } = document;
    if (isStatus(own) && (detail === undefined || detail === null || typeof detail === 'string')) {
      return removeInvisibleCharacters(`[${own}] ${title}${typeof detail === 'string' ? `: ${detail}` : ''}`);
    }
  }
  return `[${status}] ${truncateCharacters(redact(removeInvisibleCharacters(body.toString('utf8'))), maxErrorCharacters)}`;
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value);
}
