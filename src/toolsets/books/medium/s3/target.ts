import aws4 from 'aws4';
import type { Credentials } from './credentials.ts';

/** Where the library is: a bucket of a store, and everything below a prefix of it. */
export interface Target {
  /** Origin of the store. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  /** The bucket is the first part of the path, not of the host. */
  isPathStyle: boolean;
}

export type Query = Readonly<Record<string, string>>;

export interface Signed {
  url: string;
  headers: Record<string, string>;
}

interface Unsigned {
  method: string;
  /** Without the prefix; undefined for the bucket itself. */
  key: string | undefined;
  query: Query;
  headers: Readonly<Record<string, string>>;
  nowMs: number;
}

/** Signs a request by its headers; `hash` is that of its body. */
export function signed(target: Target, request: Unsigned, hash: string, credentials: Credentials): Signed {
  const { origin, host, path } = placeOf(target, request);
  const headers = { ...request.headers, host, 'x-amz-content-sha256': hash, 'x-amz-date': dateOf(request.nowMs) };
  const result = aws4.sign({ ...common(target, request, path), headers }, keysOf(credentials));
  return { url: origin + (result.path ?? path), headers: textHeaders(result.headers) };
}

/** An address that needs no headers but these, for so many seconds. */
export function presigned(target: Target, request: Unsigned, seconds: number, credentials: Credentials): string {
  const query = { ...request.query, 'X-Amz-Date': dateOf(request.nowMs), 'X-Amz-Expires': String(seconds) };
  const { origin, host, path } = placeOf(target, { ...request, query });
  const headers = { ...request.headers, host };
  const result = aws4.sign({ ...common(target, request, path), headers, signQuery: true }, keysOf(credentials));
  return origin + (result.path ?? path);
}

function common({ region }: Target, { method }: Unsigned, path: string) {
  // What a request needs is in its headers already.
  return { service: 's3', region, method, path };
}

function keysOf({ accessKeyId, secretAccessKey, sessionToken }: Credentials) {
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

function placeOf(target: Target, { key, query }: Unsigned): { origin: string; host: string; path: string } {
  const url = new URL(target.endpoint);
  const host = target.isPathStyle ? url.host : `${target.bucket}.${url.host}`;
  const bucket = target.isPathStyle ? `/${target.bucket}` : '';
  const object = key === undefined ? '' : `/${(target.prefix + key).split('/').map(encoded).join('/')}`;
  const fields = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const search = fields.length === 0 ? '' : `?${fields.join('&')}`;
  return { origin: `${url.protocol}//${host}`, host, path: `${bucket}${object}` + search || '/' };
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** `20261118T201500Z` */
function dateOf(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function textHeaders(headers: object | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
}
