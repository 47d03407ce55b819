import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../../../errors/failure.ts';
import { TimeoutError } from '../../../../http/deadline.ts';
import { createNetworkFailure } from '../../../../http/network-error.ts';
import { withProxyAdvice } from '../../../../http/proxy-warning.ts';
import { type HttpResponse, type Transport, UnreadableResponseError } from '../../../../http/transport.ts';
import { emptyFileHash, sha256Of } from '../../model/hash.ts';
import { createStorageFailure, refusal } from '../../model/refusal.ts';
import type { Credentials } from './credential-services.ts';
import type { CredentialSource } from './credentials.ts';
import {
  checkStoreResponse,
  isStoreTransportError,
  ReceivedRequestIds,
  readResponseBody,
  StoreErrorResponse,
  type StoreMethod,
  StoreTransportError,
} from './response.ts';
import { type BucketTarget, originOfTarget, presignUrl, type QueryParameters, signRequest } from './target.ts';

export interface StoreRequest {
  method: StoreMethod;
  /** The key of the object below the prefix of the library. Requests about the bucket itself have no key. */
  key?: string;
  query?: QueryParameters;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** The largest response body in bytes. A longer body is an error. */
  maxBytes?: number;
  /** A failed request is not retried after this number of milliseconds. */
  retryForMs?: number;
  signal?: AbortSignal | undefined;
}

export interface StoreResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

export interface StoreStream extends Omit<StoreResponse, 'bytes'> {
  body: Readable;
}

type Read<T> = (answer: HttpResponse, patience: RequestTimeout) => Promise<T>;

const pausesMs = [100, 200, 400];
/** The time limit for response headers. It is longer for a large request body, by the minimum upload rate. */
const answerMs = 10_000;
const bytesPerMs = 50;
/** The time limit between two chunks of a response body. */
export const idleTimeoutMs = 20_000;
const callMs = 30_000;
/** Object stores reject keys with more bytes than this. */
const maxKeyBytes = 1024;
/**
 * If the clocks of this machine and of the store differ by more than this number of milliseconds, the difference is
 * corrected.
 */
const maxSkewMs = 60_000;

/**
 * Sends requests to the object store: it signs them, retries temporary errors, and converts other errors to messages.
 */
export class ObjectStoreClient {
  readonly target: BucketTarget;
  readonly #send: Transport;
  readonly #credentials: CredentialSource;
  readonly #now: () => number;
  readonly #requestIds = new ReceivedRequestIds();
  #clockErrorMs = 0;

  constructor(target: BucketTarget, send: Transport, credentials: CredentialSource, now: () => number) {
    this.target = target;
    this.#send = send;
    this.#credentials = credentials;
    this.#now = now;
  }

  /** Returns the current time. It is corrected by the clock of the store if the store has reported a difference. */
  now(): number {
    return this.#now() + this.#clockErrorMs;
  }

  /** Sends a request and reads the complete response body. */
  async request(ask: StoreRequest): Promise<StoreResponse> {
    return await this.#repeat(ask, async ({ status, headers, body }, patience) => {
      return {
        status,
        headers,
        bytes: await readResponseBody(body, ask.maxBytes, () => patience.within(idleTimeoutMs)),
      };
    });
  }

  /** Sends a request and returns the response body as a stream. The caller must read it to its end or destroy it. */
  async openStream(ask: StoreRequest): Promise<StoreStream> {
    return await this.#repeat(ask, async ({ status, headers, body }) => ({ status, headers, body }));
  }

  /** Sends a request. Retries until a response arrives, an error is permanent, or the time limit has passed. */
  async #repeat<T>(ask: StoreRequest, read: Read<T>): Promise<T> {
    this.#checkLength(ask.key ?? '');
    const started = performance.now();
    const cures = new Set(['clock', 'credentials']);
    let credentials = await this.#credentials();
    for (let attempt = 0; ; ) {
      const outcome = await this.#try(ask, credentials, read);
      if (!(outcome instanceof StoreErrorResponse) && !(outcome instanceof StoreTransportError)) return outcome;
      if (outcome instanceof StoreErrorResponse) {
        if (this.#isClockOff(outcome) && cures.delete('clock')) {
          this.#clockErrorMs = outcome.dateMs - this.#now();
          continue;
        }
        if (outcome.isAboutTime(credentials.sessionToken) && cures.delete('credentials')) {
          const refused = credentials;
          credentials = await this.#credentials(refused);
          if (credentials.sessionToken !== refused.sessionToken) continue;
        }
      }
      const pause = pausesMs[attempt++];
      const isOver = performance.now() - started > (ask.retryForMs ?? callMs);
      if (pause === undefined || isOver || !outcome.isRetryable) throw this.#inWords(ask, outcome);
      await sleep(pause * (0.5 + Math.random()), undefined, { signal: ask.signal });
    }
  }

  #checkLength(key: string): void {
    const bytes = Buffer.byteLength(this.target.prefix + key);
    if (bytes <= maxKeyBytes) return;
    const message = `${key} is too long: in this library it has ${bytes} bytes, and object stores allow ${maxKeyBytes}.`;
    throw refusal('InvalidPathError', message, {
      path: key,
      suggestion: 'Use shorter names for the file or its folders.',
    });
  }

  /** Creates the error for a response of the store with an unexpected status. */
  refused(status: number, text: string): unknown {
    return this.#inWords({ method: 'GET' }, new StoreErrorResponse({ status, headers: {} }, text));
  }

  /** Returns a presigned URL. It expires when the credentials expire, or earlier. */
  async presign(
    method: 'GET' | 'PUT',
    key: string,
    seconds: number,
    extra: { query?: QueryParameters; headers?: QueryParameters } = {},
  ) {
    const { query = {}, headers = {} } = extra;
    const credentials = await this.#credentials();
    const nowMs = this.now();
    const leftMs = (credentials.expiresMs ?? Number.POSITIVE_INFINITY) - nowMs;
    const lasts = Math.max(1, Math.min(seconds, Math.floor(leftMs / 1000)));
    const url = presignUrl(this.target, { method, key, query, headers, nowMs }, lasts, credentials);
    return { url, seconds: lasts, expiresMs: this.#now() + lasts * 1000 };
  }

  async #try<T>(
    ask: StoreRequest,
    credentials: Credentials,
    read: Read<T>,
  ): Promise<T | StoreErrorResponse | StoreTransportError> {
    const { method, key, query = {}, headers = {}, body, signal } = ask;
    const length = body && { 'content-length': String(body.length) };
    const request = { method, key, query, headers: { ...headers, ...length }, nowMs: this.now() };
    const hash = body === undefined ? emptyFileHash : sha256Of(body);
    const ready = signRequest(this.target, request, hash, credentials);
    const patience = createRequestTimeout(signal);
    try {
      patience.within(answerMs + (body?.length ?? 0) / bytesPerMs);
      const answer = await this.#send({ method, ...ready, ...(body && { body }), signal: patience.signal });
      if (this.#requestIds.isOld(answer.headers)) {
        // The connection is closed. Otherwise each later response on it would be assigned to the wrong request.
        answer.body.destroy();
        throw new UnreadableResponseError('the response is a copy of the response to an earlier request');
      }
      const checked = await checkStoreResponse(ask, answer);
      return checked instanceof StoreErrorResponse ? checked : await read(checked, patience);
    } catch (error) {
      if (signal?.aborted === true || !isStoreTransportError(error)) throw error;
      return new StoreTransportError(error);
    } finally {
      patience.end();
    }
  }

  /** Compares this machine's clock with the Date header, because HEAD responses contain no error code. */
  #isClockOff({ status, code, dateMs }: StoreErrorResponse): boolean {
    return (status === 403 || code === 'RequestTimeTooSkewed') && Math.abs(dateMs - this.now()) > maxSkewMs;
  }

  #inWords(ask: StoreRequest, error: unknown): unknown {
    if (error instanceof Failure) return error;
    const place = `s3://${this.target.bucket}/${this.target.prefix}${ask.key ?? ''}`;
    const facts = { path: ask.key ?? '' };
    if (error instanceof StoreErrorResponse) {
      const { sentence, suggestion } = error.words(place, this.target.region);
      // A response without an error code of S3 may come from a proxy.
      const advice = error.code === '' ? withProxyAdvice(suggestion, originOfTarget(this.target)) : suggestion;
      return createStorageFailure('UNAVAILABLE', sentence, { ...facts, suggestion: advice }, error);
    }
    const cause = error instanceof StoreTransportError ? error.cause : error;
    if (!isStoreTransportError(cause)) return error;
    const advice = lasting.has(String(Object(cause)['code'])) ? unreachable : `${retry}${unreachable}`;
    const { message, hint = advice } = createNetworkFailure(originOfTarget(this.target), cause, advice);
    return createStorageFailure('UNAVAILABLE', message, { ...facts, suggestion: hint }, cause);
  }
}

/** After these errors another attempt fails too, until the address is corrected or the store is started. */
const lasting: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND']);
const retry = 'Try again in a moment, or: ';
const unreachable = 'The user can check --books-root, --books-s3-endpoint, AWS_REGION and the network.';

type RequestTimeout = ReturnType<typeof createRequestTimeout>;

/** Creates a signal that aborts a request after a time limit, or when the caller aborts the call. */
function createRequestTimeout(outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = (): void => controller.abort(outer?.reason);
  let timer: NodeJS.Timeout | undefined;
  if (outer !== undefined) {
    if (outer.aborted) abort();
    // The limit on event listeners is removed, because one tool call can have many requests in progress.
    setMaxListeners(0, outer);
    outer.addEventListener('abort', abort);
  }
  return {
    signal: controller.signal,
    within: (ms: number): void => {
      clearTimeout(timer);
      const message = `the object store did not respond within ${Math.ceil(ms / 1000)} seconds`;
      timer = setTimeout(() => controller.abort(new TimeoutError(message)), ms);
    },
    end: (): void => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}
