import { createFetch } from 'ofetch';
import { Failure } from '../errors/failure.ts';
import { isBug } from '../log/bug.ts';
import { createRedactor } from '../log/redact.ts';
import { version } from '../version.ts';
import { decodeBody, readBody } from './body.ts';
import { TimeoutError } from './deadline.ts';
import { brokenResponse, networkFailure } from './network-error.ts';
import { maxBodyBytes, type ParsedResponse, parseResponse } from './response.ts';
import type { HttpRequest, HttpResponse, Transport } from './transport.ts';

export type Request = (url: string, signal: AbortSignal, options?: CallOptions) => Promise<ParsedResponse>;

export interface CallOptions extends Pick<HttpRequest, 'retryable' | 'onSent'> {
  /** The next step when the backend answers with that status. */
  hints?: Readonly<Record<number, string>>;
}

export interface RequestOptions {
  /** The network, or a demo that answers inside the process. */
  transport: Transport;
  token: string | undefined;
  advice: Advice;
  deadlineMs?: number;
}

/** What the user can do. */
export interface Advice {
  /** When the backend wants a token. */
  unauthorized: string;
  /** When it cannot be reached. */
  unreachable: string;
  /** When it turns out to be at another origin. */
  moved: (origin: string) => string;
}

export const defaultDeadlineMs = 30_000;

const maxRedirects = 10;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The judge's way onto the network: GET, one deadline over everything, no status tried twice. */
export function createRequest({ transport, token, advice, deadlineMs = defaultDeadlineMs }: RequestOptions): Request {
  const redact = createRedactor(token === undefined ? [] : [token]);
  const ask = createAsk(transport);
  const headers = {
    accept: 'application/json, application/problem+json',
    'accept-encoding': 'identity',
    'user-agent': `oj-mcp/${version}`,
  };
  const trustedHeaders = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
  /** Once it is known that the token would be read on the way and then not be enough, it is not sent again. */
  let unencryptedToken: Failure | undefined;

  return async (url, signal, { retryable = true, onSent, hints = {} } = {}) => {
    if (unencryptedToken !== undefined) throw unencryptedToken;
    const endsAt = performance.now() + deadlineMs;
    let at: Step = { url, isTrusted: true };
    const send = async (next: Step): Promise<HttpResponse> => {
      if (token !== undefined && at.isTrusted && isHttpsUpgrade(at.url, next.url)) {
        unencryptedToken = unencryptedTokenFailure(at.url, next.url, advice);
        throw unencryptedToken;
      }
      at = next;
      return await ask(at.url, {
        headers: at.isTrusted ? trustedHeaders : headers,
        signal,
        timeoutMs: endsAt - performance.now(),
        retryable,
        onSent,
      });
    };
    try {
      const response = await followRedirects(at, send);
      const contentType = response.headers['content-type'];
      const unauthorized = token === undefined || at.isTrusted ? advice.unauthorized : leftBehind(at.url, advice);
      return parseResponse({
        status: response.status,
        contentType,
        body: await bodyOf(response, at.url),
        hints: { 401: unauthorized, 403: unauthorized, ...hints },
        redact,
      });
    } catch (error) {
      if (error instanceof Failure || isBug(error) || signal.aborted) throw error;
      throw error instanceof TimeoutError
        ? tooSlow(at.url, deadlineMs, error)
        : networkFailure(at.url, error, advice.unreachable);
    }
  };
}

type AskOptions = Omit<HttpRequest, 'url' | 'headers'>;

/** ofetch over our transport: the platform's `Headers` and `Response` load a second HTTP client, 11 ms and 4 MiB. */
function createAsk(
  transport: Transport,
): (url: string, outgoing: AskOptions & { headers: Fields }) => Promise<HttpResponse> {
  const { raw } = createFetch<HeaderFields, AskOptions, HttpResponse>({
    fetch: async (url, { headers, ...outgoing }) =>
      await transport({ ...outgoing, url, headers: Object.fromEntries(headers) }),
    Headers: HeaderFields,
  });
  // The status rules are below; what may be sent again is the transport's business.
  const options = { responseType: 'stream', ignoreResponseError: true, retry: 0 } as const;
  return async (url, outgoing) =>
    await raw(url, { ...options, ...outgoing }).catch((error: unknown) => {
      throw error instanceof Error ? error.cause : error; // ofetch wraps what the transport says
    });
}

type Fields = Readonly<Record<string, string>>;

class HeaderFields extends Map<string, string> {
  constructor(fields: Fields) {
    super(Object.entries(fields));
  }
}

/** Where a request has come to. */
interface Step {
  url: string;
  /** The token stays with the origin it is meant for: once a redirect has left it, it is not sent again. */
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
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
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

function unencryptedTokenFailure(url: string, next: string, { moved }: Advice): Failure {
  const [from, to] = [originOf(url), originOf(next)];
  const sentence = `${from} redirects to ${to}, which would get no token; and to ${from} a token goes unencrypted, so it is not sent there again.`;
  return new Failure('refused', sentence, { hint: moved(to) });
}

function leftBehind(url: string, { moved }: Advice): string {
  const origin = originOf(url);
  return `A redirect led to ${origin}, and the token was not sent there. If that is the backend: ${moved(origin)}`;
}

/** An error status is the response, however much of its text arrives. */
async function bodyOf(response: HttpResponse, url: string): Promise<Buffer> {
  const body = await decodeBody(response);
  if (body === undefined) return Buffer.alloc(0);
  const { bytes, error } = await readBody(body, maxBodyBytes);
  if (error === undefined || response.status >= 400) return bytes;
  throw error instanceof TimeoutError ? error : brokenResponse(url, error);
}

function tooSlow(url: string, deadlineMs: number, cause: unknown): Failure {
  return new Failure('network', `${originOf(url)} did not answer within ${deadlineMs / 1000} seconds.`, { cause });
}

function originOf(url: string): string {
  return new URL(url).origin;
}
