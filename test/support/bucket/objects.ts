import { createHash, randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';

export interface StoredObject {
  bytes: Buffer;
  etag: string;
  modifiedMs: number;
  /** Contains the headers Content-Type and x-amz-meta-… as they were sent. */
  headers: Record<string, string>;
}

/** Guarantees of S3 that a store may not keep. */
export interface Weakness {
  ignoresIfNoneMatch?: boolean;
  ignoresIfMatch?: boolean;
  /** The store accepts `If-Match` only without quotation marks, like Ceph up to version 18. */
  wantsBareTags?: boolean;
  /** The store creates an object although `If-Match` requires an existing one, like old versions of MinIO. */
  createsOnIfMatch?: boolean;
  /** The store tests the condition and writes later, so that several parallel writers of such a key succeed. */
  createsTwice?: (key: string) => boolean;
  /** The store responds that it does not support conditional requests. */
  hasNoConditions?: boolean;
  /** The store does not encode keys in listings, although the request asks for it, like versitygw. */
  listsPlainly?: boolean;
  /** The store ignores the conditions of the requests for which this function returns true. */
  ignores?: (question: Question) => boolean;
}

/** The store contains these objects and uploads. */
export interface Contents {
  objects: Map<string, StoredObject>;
  /** Contains the unfinished multipart uploads. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>;
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

export interface Question {
  method: string;
  key: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Reply {
  status: number;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

const pageLimit = 1000;

/** Handles a request in one step, so that no other request runs between a test of the condition and its write. */
export function answer(bucket: Contents, question: Question, weakness: Weakness, nowMs: number): Reply {
  const { method, key, query } = question;
  if (key === '') {
    if (method !== 'GET') throw new Refusal(501, 'NotImplemented');
    return {
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: listing(bucket, asUnderstood(query, weakness)),
    };
  }
  switch (method) {
    case 'GET':
    case 'HEAD':
      return get(bucket, question);
    case 'PUT': {
      const upload = bucket.uploads.get(query.get('uploadId') ?? '');
      if (query.has('uploadId')) {
        if (upload === undefined) throw new Refusal(404, 'NoSuchUpload');
        upload.parts.set(Number(query.get('partNumber')), question.body);
        return { status: 200, headers: { etag: tagOf(question.body) } };
      }
      return put(bucket, question, question.body, weakness, nowMs);
    }
    case 'POST':
      return post(bucket, question, weakness, nowMs);
    case 'DELETE':
      if (query.has('uploadId')) bucket.uploads.delete(query.get('uploadId') ?? '');
      else remove(bucket, question, weakness);
      return { status: 204 };
    default:
      throw new Refusal(405, 'MethodNotAllowed');
  }
}

function get({ objects }: Contents, { key, query, headers }: Question): Reply {
  const object = objects.get(key);
  if (object === undefined) throw new Refusal(404, 'NoSuchKey');
  const { etag, bytes } = object;
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag) throw new Refusal(412, 'PreconditionFailed');
  const facts: OutgoingHttpHeaders = {
    ...object.headers,
    etag,
    'last-modified': new Date(object.modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
    ...(query.has('response-content-disposition') && {
      'content-disposition': query.get('response-content-disposition') ?? '',
    }),
  };
  if (headers['if-none-match'] === etag) return { status: 304, headers: facts };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers['range'] ?? '') ?? [];
  if (from === undefined) return { status: 200, headers: { ...facts, 'content-length': bytes.length }, body: bytes };
  if (Number(from) >= bytes.length) throw new Refusal(416, 'InvalidRange');
  const piece = bytes.subarray(Number(from), to === undefined || to === '' ? undefined : Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + piece.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...facts, 'content-range': range, 'content-length': piece.length }, body: piece };
}

function put({ objects }: Contents, question: Question, bytes: Buffer, weakness: Weakness, nowMs: number): Reply {
  const { key, headers } = question;
  checkConditions(objects.get(key), headers, weakness);
  const kept = Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'content-type' || name.startsWith('x-amz-meta-')),
  );
  place({ objects }, key, bytes, kept, nowMs);
  return { status: 200, headers: { etag: tagOf(bytes) } };
}

/** Adds an object. Its date is rounded to whole seconds, as in S3. */
export function place(
  { objects }: Pick<Contents, 'objects'>,
  key: string,
  bytes: Buffer,
  headers: Record<string, string>,
  nowMs: number,
): void {
  objects.set(key, { bytes, etag: tagOf(bytes), modifiedMs: Math.floor(nowMs / 1000) * 1000, headers });
}

function checkConditions(there: StoredObject | undefined, headers: Record<string, string>, weakness: Weakness): void {
  const { 'if-none-match': none, 'if-match': match } = headers;
  if (weakness.hasNoConditions === true && (none ?? match) !== undefined) throw new Refusal(501, 'NotImplemented');
  if (none === '*' && there !== undefined && weakness.ignoresIfNoneMatch !== true)
    throw new Refusal(412, 'PreconditionFailed');
  if (match === undefined || weakness.ignoresIfMatch === true) return;
  if (there === undefined) {
    if (weakness.createsOnIfMatch === true) return;
    throw new Refusal(404, 'NoSuchKey');
  }
  const wanted = weakness.wantsBareTags === true ? there.etag.replaceAll('"', '') : there.etag;
  if (match !== wanted) throw new Refusal(412, 'PreconditionFailed');
}

function remove({ objects }: Contents, { key, headers }: Question, weakness: Weakness): void {
  const there = objects.get(key);
  const match = headers['if-match'];
  if (match !== undefined && weakness.ignoresIfMatch !== true && there !== undefined && there.etag !== match)
    throw new Refusal(412, 'PreconditionFailed');
  objects.delete(key);
}

function post(bucket: Contents, question: Question, weakness: Weakness, nowMs: number): Reply {
  const { key, query, body } = question;
  if (query.has('uploads')) {
    const id = randomUUID();
    bucket.uploads.set(id, { key, parts: new Map() });
    return {
      status: 200,
      body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    };
  }
  const id = query.get('uploadId') ?? '';
  const upload = bucket.uploads.get(id);
  if (upload?.key !== key) throw new Refusal(404, 'NoSuchUpload');
  const wanted = Array.from(body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g));
  const parts = wanted.map(([, number, tag]) => {
    const part = upload.parts.get(Number(number));
    if (part === undefined || tagOf(part) !== tag?.replaceAll('&quot;', '"')) throw new Refusal(400, 'InvalidPart');
    return part;
  });
  if (parts.slice(0, -1).some(part => part.length < 5 << 20)) throw new Refusal(400, 'EntityTooSmall');
  const reply = put(bucket, question, Buffer.concat(parts), weakness, nowMs);
  bucket.uploads.delete(id);
  const etag = String(reply.headers?.['etag']).replaceAll('"', '&quot;');
  return { status: 200, body: `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>` };
}

function asUnderstood(query: URLSearchParams, { listsPlainly }: Weakness): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => listsPlainly !== true || name !== 'encoding-type'));
}

/** Returns a page of a listing, in the order of the bytes of the keys, with at most a thousand items. */
function listing({ objects }: Contents, query: URLSearchParams): string {
  if (query.get('list-type') !== '2') throw new Refusal(501, 'NotImplemented');
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const limit = Math.min(Number(query.get('max-keys') ?? pageLimit), pageLimit);
  const rows: string[] = [];
  const folders = new Set<string>();
  let last = '';
  let isCut = false;
  for (const key of [...objects.keys()].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))) {
    if (!key.startsWith(prefix) || Buffer.compare(Buffer.from(key), Buffer.from(after)) <= 0) continue;
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const folder = end === -1 ? undefined : key.slice(0, end + delimiter.length);
    if (folder !== undefined && (folders.has(folder) || after.startsWith(folder))) {
      if (folders.has(folder)) last = key;
      continue;
    }
    if (rows.length === limit) {
      isCut = true;
      break;
    }
    if (folder === undefined) rows.push(row(key, objects.get(key), query));
    else {
      folders.add(folder);
      rows.push(`<CommonPrefixes><Prefix>${written(folder, query)}</Prefix></CommonPrefixes>`);
    }
    last = key;
  }
  const encoding = query.has('encoding-type') ? '<EncodingType>url</EncodingType>' : '';
  const next = isCut ? `<NextContinuationToken>${escaped(last)}</NextContinuationToken>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated>${encoding}${rows.join('')}${next}</ListBucketResult>`;
}

function row(key: string, object: StoredObject | undefined, query: URLSearchParams): string {
  if (object === undefined) return '';
  const modified = new Date(object.modifiedMs).toISOString();
  return `<Contents><Key>${written(key, query)}</Key><LastModified>${modified}</LastModified><ETag>${escaped(object.etag)}</ETag><Size>${object.bytes.length}</Size></Contents>`;
}

function written(key: string, query: URLSearchParams): string {
  return query.get('encoding-type') === 'url'
    ? encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+')
    : escaped(key);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function tagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}
