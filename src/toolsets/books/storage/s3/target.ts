import aws4 from 'aws4';
import type { Credentials } from './credential-services.ts';

/** The location of a library in an object store: a bucket and a key prefix. */
export interface BucketTarget {
  /** The origin of the object store's URL. */
  endpoint: string;
  region: string;
  bucket: string;
  /** The prefix of all keys. It is empty or ends with a slash. */
  prefix: string;
  /** True if the bucket is the first segment of the URL's path, and not a part of its host name. */
  isPathStyle: boolean;
}

export type QueryParameters = Readonly<Record<string, string>>;

export interface SignedRequest {
  url: string;
  headers: Record<string, string>;
}

interface Unsigned {
  method: string;
  /**
   * The key of the object without the prefix of the library. The field is missing in requests about the bucket itself.
   */
  key: string | undefined;
  query: QueryParameters;
  headers: Readonly<Record<string, string>>;
  nowMs: number;
}

/** Adds the signature of a request to its headers. `hash` is the SHA-256 of its body. */
export function signRequest(
  target: BucketTarget,
  request: Unsigned,
  hash: string,
  credentials: Credentials,
): SignedRequest {
  const { origin, host, path } = placeOf(target, request);
  const headers = { ...request.headers, host, 'x-amz-content-sha256': hash, 'x-amz-date': dateOf(request.nowMs) };
  const result = aws4.sign({ ...common(target, request, path), headers }, keysOf(credentials));
  const signed = Object.entries(result.headers ?? {}).map(([name, value]) => [name, String(value)]);
  return { url: origin + (result.path ?? path), headers: Object.fromEntries(signed) };
}

/** Returns a presigned URL that is valid for some seconds and requires only the given headers. */
export function presignUrl(target: BucketTarget, request: Unsigned, seconds: number, credentials: Credentials): string {
  const query = { ...request.query, 'X-Amz-Date': dateOf(request.nowMs), 'X-Amz-Expires': String(seconds) };
  const { origin, host, path } = placeOf(target, { ...request, query });
  const headers = { ...request.headers, host };
  const result = aws4.sign({ ...common(target, request, path), headers, signQuery: true }, keysOf(credentials));
  return origin + (result.path ?? path);
}

function common({ region }: BucketTarget, { method }: Unsigned, path: string) {
  // Only these values are passed to the signer, because the signer takes all others from the headers and the path.
  return { service: 's3', region, method, path };
}

function keysOf({ accessKeyId, secretAccessKey, sessionToken }: Credentials) {
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

/** Returns the origin of all requests, whose host name can contain the bucket. */
export function originOfTarget(target: BucketTarget): string {
  return placeOf(target, { key: undefined, query: {} }).origin;
}

function placeOf(
  target: BucketTarget,
  { key, query }: Pick<Unsigned, 'key' | 'query'>,
): { origin: string; host: string; path: string } {
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

/** Formats a time as `20261118T201500Z`, which is the format in signatures. */
function dateOf(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
