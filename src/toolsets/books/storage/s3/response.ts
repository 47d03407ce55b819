import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { readBody } from '../../../../http/body.ts';
import { TimeoutError } from '../../../../http/deadline.ts';
import { type HttpResponse, UnreadableResponseError } from '../../../../http/transport.ts';
import { LruMap } from '../../library/lru-map.ts';
import { findFirstElementText } from './xml.ts';

export type StoreMethod = 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';

interface Asked {
  method: StoreMethod;
  /** The key of the requested object. The field is missing in requests about the bucket itself. */
  key?: string;
  headers?: Readonly<Record<string, string>>;
}

/** The caller handles responses with these statuses. Every other error status becomes a StoreErrorResponse. */
const meaningful: Readonly<Record<StoreMethod, ReadonlySet<number>>> = {
  GET: new Set([200, 206, 304, 404, 412, 416]),
  HEAD: new Set([200, 404]),
  PUT: new Set([200]),
  POST: new Set([200, 404]),
  DELETE: new Set([200, 204, 404]),
};
/**
 * A conditional write with one of these statuses has failed, because its condition is false or another write is in
 * progress.
 */
const unmet: ReadonlySet<number> = new Set([404, 409, 412]);

const maxErrorBytes = 65_536;

/**
 * Throws an error if a response does not come from an object store. Otherwise the 404 page of a proxy would look like a
 * deleted book.
 */
export async function checkStoreResponse(ask: Asked, answer: HttpResponse): Promise<HttpResponse | StoreErrorResponse> {
  const { status, headers } = answer;
  const isConditional = ask.headers !== undefined && ('if-match' in ask.headers || 'if-none-match' in ask.headers);
  const isUnmet = ask.method === 'PUT' && isConditional && unmet.has(status);
  if (!isUnmet && !meaningful[ask.method].has(status)) return await refusalOf(answer);
  if (status === 404) {
    const refusal = await refusalOf(answer);
    const isMissingObject = ask.key !== undefined && refusal.code !== 'NoSuchBucket';
    return isMissingObject ? { status, headers, body: Readable.from([]) } : refusal;
  }
  if (ask.key !== undefined && status < 300) checkFacts(ask, answer);
  return answer;
}

async function refusalOf(answer: HttpResponse): Promise<StoreErrorResponse> {
  const { bytes, error } = await readBody(answer.body, maxErrorBytes);
  if (error !== undefined) throw error;
  return new StoreErrorResponse(answer, bytes.toString('utf8'));
}

/** Throws an error if a header is missing that every object store sends with an object. */
function checkFacts({ method }: Asked, { headers, body }: HttpResponse): void {
  const isObject = method === 'GET' || method === 'HEAD';
  const missing = [...(isObject || method === 'PUT' ? ['etag'] : []), ...(isObject ? ['content-length'] : [])].find(
    name => !headers[name],
  );
  if (missing === undefined) return;
  body.destroy();
  throw new UnreadableResponseError(`the response has no ${missing} header, which object stores always send`);
}

/** Reads the whole response body. Throws an error if it is longer than `maxBytes`. */
export async function readResponseBody(
  body: Readable,
  maxBytes = Number.POSITIVE_INFINITY,
  onChunk?: () => void,
): Promise<Buffer> {
  const { bytes, error } = await readBody(body, maxBytes + 1, onChunk);
  if (error !== undefined) throw error;
  if (bytes.length > maxBytes)
    throw new UnreadableResponseError('the response is longer than any valid response of an object store');
  return bytes;
}

const maxIds = 1000;

/**
 * Detects responses that a proxy repeats, by the request id that stores send with each response. A repeated response
 * would be taken for the response to the next request on the connection: a rejected change would look successful, or
 * one lesson would be read as another.
 */
export class ReceivedRequestIds {
  readonly #times = new LruMap<string, number>(maxIds);

  /**
   * Returns whether a response with this request id was received before. If a store sends the same id with all
   * responses, the id is ignored.
   */
  isOld(headers: IncomingHttpHeaders): boolean {
    const id = headers['x-amz-request-id'];
    if (typeof id !== 'string') return false;
    const times = (this.#times.get(id) ?? 0) + 1;
    this.#times.set(id, times);
    return times === 2;
  }
}

/** A request with one of these statuses is retried. Status 409 means that another write is in progress. */
const passing: ReadonlySet<number> = new Set([409, 429, 500, 502, 503, 504]);
const passingCodes: ReadonlySet<string> = new Set(['RequestTimeout', 'SlowDown']);
/** The error codes that stores send for temporary credentials that have expired. */
const endedCodes: ReadonlySet<string> = new Set(['ExpiredToken', 'ExpiredTokenException', 'TokenRefreshRequired']);

export class StoreErrorResponse {
  readonly status: number;
  readonly code: string;
  /** The time in the Date header of the response, or NaN if it has none. */
  readonly dateMs: number;
  readonly #text: string;
  readonly #region: string | undefined;

  constructor({ status, headers }: Pick<HttpResponse, 'headers' | 'status'>, text: string) {
    const region = headers['x-amz-bucket-region'];
    this.#region = typeof region === 'string' ? region : undefined;
    this.status = status;
    this.code = findFirstElementText(text, 'Code') ?? '';
    this.dateMs = Date.parse(headers.date ?? '');
    this.#text = text;
  }

  get isRetryable(): boolean {
    return passing.has(this.status) || passingCodes.has(this.code);
  }

  /** True if the credentials are valid but lack a permission. */
  get isDenial(): boolean {
    return this.status === 403 && (this.code === 'AccessDenied' || this.code === '');
  }

  /**
   * Returns whether a retry with new credentials may succeed. This is always possible after a HEAD request, because its
   * response contains no error code.
   */
  isAboutTime(token: string | undefined): boolean {
    if (endedCodes.has(this.code)) return true;
    return token !== undefined && this.code === '' && (this.status === 400 || this.status === 403);
  }

  words(place: string, region: string): { sentence: string; suggestion: string } {
    const [sentence, suggestion] = this.#diagnosis(place, region);
    return { sentence: `${sentence} (${this.status}${this.code === '' ? '' : ` ${this.code}`}).`, suggestion };
  }

  #diagnosis(place: string, region: string): [sentence: string, suggestion: string] {
    const own = findFirstElementText(this.#text, 'Region') ?? this.#region;
    if (own !== undefined && own !== region)
      return [
        `The bucket of ${place} is in the region ${own}, not in ${region}`,
        `The user can set AWS_REGION=${own}.`,
      ];
    if (this.isRetryable) return ['The object store is busy or reports an error', 'Try again in a moment.'];
    if (this.code === 'RequestTimeTooSkewed')
      return [
        'The clocks of this machine and of the object store are too far apart',
        'The user can set the clock of this machine.',
      ];
    if (endedCodes.has(this.code))
      return [
        'The credentials for the object store have expired',
        'The user can start the server with new ones, or with a profile or role that renews them.',
      ];
    if (this.code === 'AuthorizationHeaderMalformed' || this.code === 'PermanentRedirect')
      return [
        `The object store refuses requests for the region ${region}`,
        'The user can set AWS_REGION to the region of the bucket.',
      ];
    if (this.code === 'NoSuchBucket')
      return [
        `The bucket of ${place} does not exist`,
        'The user can create it, or correct --books-root or the address of the object store.',
      ];
    return [`The object store rejects requests for ${place}`, this.#remedy()];
  }

  #remedy(): string {
    if (this.status === 507 || /Full|Quota/.test(this.code))
      return 'The user can free space in the object store, or raise its quota.';
    if ((this.status === 403 && this.code !== 'AccessDenied') || this.code === 'InvalidToken')
      return 'The user can check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary ones, AWS_SESSION_TOKEN.';
    if (this.code === 'InvalidBucketName') return 'The user can correct the name of the bucket in --books-root.';
    if (this.status === 407) return 'A proxy requires a name and a password in its address, http://name:password@….';
    if (this.status === 501) return 'The user needs an object store that supports these requests.';
    // A server without an error code in its response is not an S3 store.
    const other = this.code === '' ? ', and that --books-s3-endpoint is the address of an object store' : '';
    return `The user can check the bucket and the rights of its credentials${other}.`;
  }
}

/** The error of a request that failed without a response. */
export class StoreTransportError {
  readonly isRetryable = true;
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** Returns whether an error comes from the network and not from a bug. */
export function isStoreTransportError(error: unknown): boolean {
  if (error instanceof TimeoutError || error instanceof UnreadableResponseError) return true;
  return error instanceof Error && ('code' in error || error.message.startsWith('the connection was closed'));
}
