import { createFetch } from 'ofetch';
import { Failure } from '../errors/failure.ts';
import { isBug } from '../log/bug.ts';
import { createRedactor } from '../log/redact.ts';
import { parseUrl } from '../text/url.ts';
import { version } from '../version.ts';
import { decodeResponseBody, readBody } from './body.ts';
import { TimeoutError } from './deadline.ts';
import { createBrokenResponseFailure, createNetworkFailure } from './network-error.ts';
import { withProxyAdvice } from './proxy-warning.ts';
import { maxBodyBytes, type ParsedResponse, parseResponse } from './response.ts';
import type { HttpRequest, HttpResponse, Transport } from './transport.ts';

export type RequestFunction = (url: string, signal: AbortSignal, options?: HttpCallOptions) => Promise<ParsedResponse>;

export interface HttpCallOptions extends Pick<HttpRequest, 'onSent' | 'retryable'> {
  /** Maps the status of an error response to a hint with the next step. */
  hints?: Readonly<Record<number, string>>;
}

export interface RequestOptions {
  /** The transport sends requests over the network, or to the demo backend inside this process. */
  transport: Transport;
  token: string | undefined;
  advice: BackendErrorHints;
  deadlineMs?: number;
}

/** The hints of errors, which state the next step for the user. */
export interface BackendErrorHints {
  /**
   * Returns the hint if the backend rejects the request: status 401 means that the token is missing or not valid, and
   * 403 that the request is forbidden.
   */
  rejected: (status: 401 | 403, hasToken: boolean) => string;
  /** The hint if the backend cannot be reached. */
  unreachable: string;
  /** Returns the hint if the backend redirects to another origin. */
  moved: (origin: string) => string;
}

export const defaultDeadlineMs = 30_000;

const commonHeaders: Fields = {
  accept: 'application/json, application/problem+json',
  'accept-encoding': 'identity',
  'user-agent': `oj-mcp/${version}`,
};

const maxRedirects = 10;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Creates the HTTP client for the backend. It sends only GET requests, uses one deadline for all steps and does not
 * retry after a response.
 */
export function createRequestFunction({
  transport,
  token,
  advice,
  deadlineMs = defaultDeadlineMs,
}: RequestOptions): RequestFunction {
  const redact = createRedactor(token === undefined ? [] : [token]);
  const fetchRaw = createFetchRaw(transport);
  const trustedHeaders = token === undefined ? commonHeaders : { ...commonHeaders, authorization: `Bearer ${token}` };
  /**
   * This error is set when the backend redirects from http to https. All later requests then throw it, because the
   * token must not be sent unencrypted.
   */
  let unencryptedToken: Failure | undefined;

  return async (url, signal, { retryable = true, onSent, hints = {} } = {}) => {
    if (unencryptedToken !== undefined) throw unencryptedToken;
    const endsAt = performance.now() + deadlineMs;
    const progress = { isSent: false };
    const options = { signal, retryable, onSent: recordSending(progress, onSent) };
    let at: Step = { url, isTrusted: true };
    const send = async (next: Step): Promise<HttpResponse> => {
      if (token !== undefined && at.isTrusted && isHttpsUpgrade(at.url, next.url)) {
        unencryptedToken = unencryptedTokenFailure(at.url, next.url, advice);
        throw unencryptedToken;
      }
      at = next;
      const timeoutMs = endsAt - performance.now();
      return await fetchRaw(at.url, { ...options, headers: at.isTrusted ? trustedHeaders : commonHeaders, timeoutMs });
    };
    try {
      const response = await followRedirects(at, send);
      const { status, headers: fields } = response;
      const rejected = (code: 401 | 403): string =>
        token === undefined || at.isTrusted ? advice.rejected(code, token !== undefined) : tokenNotSent(at.url, advice);
      const allHints = { 401: findBasicHint(fields) ?? rejected(401), 403: rejected(403), ...hints };
      const body = await bodyOf(response, at.url);
      return parseResponse({ status, url: at.url, contentType: fields['content-type'], body, hints: allHints, redact });
    } catch (error) {
      if (isBug(error) || signal.aborted) throw error;
      if (error instanceof Failure) throw withHint(error, advice.unreachable);
      throw error instanceof TimeoutError
        ? deadlineFailure(at.url, deadlineMs, progress.isSent, error)
        : createNetworkFailure(at.url, error, advice.unreachable, url);
    }
  };
}

function findBasicHint({ 'www-authenticate': scheme = '' }: HttpResponse['headers']): string | undefined {
  return /^basic\b/i.test(scheme) ? basicHint : undefined;
}

const basicHint =
  'The server, or a proxy in front of it, requires a user name and a password (Basic authentication), which is not supported: the user can ask its operator for another address.';

/** Adds a hint to an error without one about the network. The hint of an error response depends on its status. */
function withHint(error: Failure, hint: string): Failure {
  if (error.hint !== undefined || !error.isProtocolError) return error;
  return new Failure(error.code, error.message, { hint, cause: error.cause });
}

function recordSending(progress: { isSent: boolean }, onSent: (() => void) | undefined): () => void {
  return () => {
    progress.isSent = true;
    onSent?.();
  };
}

type Fields = Readonly<Record<string, string>>;
type FetchOptions = Omit<HttpRequest, 'url' | 'headers'> & { headers: Fields };
type FetchRaw = (url: string, options: FetchOptions) => Promise<HttpResponse>;

/**
 * Calls ofetch with our own transport. The platform's `Headers` and `Response` would load a second HTTP client, which
 * costs 11 ms and 4 MiB. docs/architecture.md states why most features of ofetch are off.
 */
function createFetchRaw(transport: Transport): FetchRaw {
  const { raw } = createFetch<HeaderFields, FetchOptions, HttpResponse>({
    fetch: async (url, { headers, ...options }) =>
      await transport({ ...options, url, headers: Object.fromEntries(headers) }),
    Headers: HeaderFields,
  });
  return async (url, options) =>
    await raw(url, { responseType: 'stream', ignoreResponseError: true, retry: 0, ...options }).catch(
      (error: unknown) => {
        throw error instanceof Error ? error.cause : error; // ofetch wraps the errors of the transport
      },
    );
}

class HeaderFields extends Map<string, string> {
  constructor(fields: Fields) {
    super(Object.entries(fields));
  }
}

/** A request, or one of the requests that follow it in a chain of redirects. */
interface Step {
  url: string;
  /** True while all redirects stay at the first origin. Only this origin receives the token. */
  isTrusted: boolean;
}

async function followRedirects(start: Step, send: (step: Step) => Promise<HttpResponse>): Promise<HttpResponse> {
  let { url, isTrusted } = start;
  for (let redirects = 0; ; redirects++) {
    const response = await send({ url, isTrusted });
    const { location } = response.headers;
    if (!redirectStatuses.has(response.status) || location === undefined) return response;
    response.body.destroy();
    if (redirects === maxRedirects) {
      throw new Failure('network', `${originOf(start.url)} redirected more than ${maxRedirects} times.`);
    }
    const next = parseUrl(location, url);
    if (next === undefined || !/^https?:$/.test(next.protocol)) {
      throw new Failure('network', `${originOf(url)} redirected to an address that is not http or https.`);
    }
    isTrusted &&= next.origin === originOf(url);
    url = next.href;
  }
}

function isHttpsUpgrade(url: string, next: string): boolean {
  const [from, to] = [new URL(url), new URL(next)];
  return from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname;
}

function unencryptedTokenFailure(url: string, next: string, { moved }: BackendErrorHints): Failure {
  const [from, to] = [originOf(url), originOf(next)];
  const sentence = `${from} redirects to ${to}, which would get no token; and to ${from} a token goes unencrypted, so it is not sent there again.`;
  return new Failure('setting', sentence, { hint: moved(to) });
}

function tokenNotSent(url: string, { moved }: BackendErrorHints): string {
  const origin = originOf(url);
  return `A redirect led to ${origin}, and the token was not sent there. If that is the backend: ${moved(origin)}`;
}

/** Reads the body. If the body of an error response is incomplete, the status is still returned. */
async function bodyOf(response: HttpResponse, url: string): Promise<Buffer> {
  const body = await decodeResponseBody(response);
  if (body === undefined) return Buffer.alloc(0);
  const { bytes, error } = await readBody(body, maxBodyBytes);
  if (error === undefined || response.status >= 400) return bytes;
  throw error instanceof TimeoutError ? error : createBrokenResponseFailure(url, error);
}

function deadlineFailure(url: string, deadlineMs: number, isSent: boolean, cause: unknown): Failure {
  const hint = isSent
    ? 'The connection was accepted, so the server hangs or is overloaded: try again later, or ask its operator.'
    : 'No connection was established: the host may be off, or a firewall drops the packets.';
  return new Failure('network', `${originOf(url)} did not answer within ${deadlineMs / 1000} seconds.`, {
    hint: withProxyAdvice(hint, url),
    cause,
  });
}

function originOf(url: string): string {
  return new URL(url).origin;
}
