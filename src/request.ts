import { createFetch } from 'ofetch';
import { Failure } from './failure.ts';
import { brokenAnswer, networkFailure } from './network-failure.ts';
import { isRecord } from './protocol.ts';
import { createRedactor, type Redact } from './redact.ts';
import { capCharacters } from './text.ts';
import { version } from './version.ts';

/** A 2xx answer in JSON. */
export interface Reply {
  status: number;
  data: unknown;
}

export type Request = (url: string, signal: AbortSignal) => Promise<Reply>;

/** The network, or a demo that answers inside the process. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface RequestOptions {
  fetch: Fetch;
  token: string | undefined;
  /** What the user can do when the backend wants a token, and when it cannot be reached. */
  advice: { unauthorized: string; unreachable: string };
  deadlineMs?: number;
}

export const defaultDeadlineMs = 30_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const maxBodyBytes = 1_048_576;
const maxErrorCharacters = 500;
const maxRedirects = 10;
const jsonTypes: ReadonlySet<string> = new Set(['application/json', 'application/problem+json']);
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The one way onto the network: GET, one deadline over everything, nothing tried twice. */
export function createRequest(options: RequestOptions): Request {
  const { fetch, token, advice, deadlineMs = defaultDeadlineMs } = options;
  const redact = createRedactor(token === undefined ? [] : [token]);
  const platform = createFetch({
    fetch: (input, init) => fetch(input instanceof Request ? input.url : String(input), init),
  });

  const send = async (url: string, isTrusted: boolean, signal: AbortSignal): Promise<Response> =>
    await platform.raw(url, {
      responseType: 'stream',
      ignoreResponseError: true, // the status rules are below
      retry: 0,
      signal,
      headers: {
        accept: 'application/json, application/problem+json',
        'accept-encoding': 'identity',
        'user-agent': `oj-mcp/${version}`,
        ...(isTrusted && token !== undefined && { authorization: `Bearer ${token}` }),
      },
    });

  return async (url, signal) => {
    const deadline = new AbortController();
    const abort = (): void => deadline.abort();
    signal.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(abort, deadlineMs);
    if (signal.aborted) abort();
    /** The address that is being asked: a redirect changes it. */
    let current = url;
    const sendTo = async (next: string, isTrusted: boolean): Promise<Response> => {
      current = next;
      return await send(next, isTrusted, deadline.signal);
    };
    try {
      const response = await followRedirects(url, sendTo);
      const body = await readBody(response).catch((error: unknown) => {
        throw deadline.signal.aborted ? error : brokenAnswer(current, error);
      });
      return readReply(response, body, { redact, advice });
    } catch (error) {
      if (error instanceof Failure || signal.aborted) throw error;
      throw deadline.signal.aborted
        ? tooSlow(current, deadlineMs, error)
        : networkFailure(current, error, advice.unreachable);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  };
}

/** The token stays with the origin it is meant for: once a redirect has left it, it is not sent again. */
async function followRedirects(
  url: string,
  send: (url: string, isTrusted: boolean) => Promise<Response>,
): Promise<Response> {
  let current = url;
  let isTrusted = true;
  for (let redirects = 0; ; redirects++) {
    const response = await send(current, isTrusted);
    const location = response.headers.get('location');
    if (!redirectStatuses.has(response.status) || location === null) return response;
    await response.body?.cancel();
    if (redirects === maxRedirects) {
      throw new Failure('network', `${hostOf(url)} redirected more than ${maxRedirects} times.`);
    }
    const next = URL.canParse(location, current) ? new URL(location, current) : undefined;
    if (next === undefined || !/^https?:$/.test(next.protocol)) {
      throw new Failure('network', `${hostOf(current)} redirected to an address that is not http or https.`);
    }
    isTrusted &&= next.origin === new URL(current).origin;
    current = next.href;
  }
}

/** Counts while it reads; what lies beyond the cap is not received. */
async function readBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      chunks.push(part.value.subarray(0, maxBodyBytes - length));
      length += part.value.length;
      if (length >= maxBodyBytes) {
        await reader?.cancel(); // closes the connection
        break;
      }
    }
  } catch (error) {
    // An error status is the answer, however much of its text arrived.
    if (response.status < 400) throw error;
  }
  return Buffer.concat(chunks);
}

function readReply(
  response: Response,
  body: Buffer,
  { redact, advice }: { redact: Redact; advice: RequestOptions['advice'] },
): Reply {
  const { status } = response;
  const isJson = jsonTypes.has(mediaType(response));
  if (status === 202) return { status, data: isJson ? jsonOrNothing(body) : undefined };
  if (status >= 200 && status <= 299 && isJson) return { status, data: readJson(body) };
  const hint = status === 401 || status === 403 ? advice.unauthorized : statusHint(status);
  throw new Failure('upstream', errorText(status, isJson, body, redact), hint === undefined ? {} : { hint });
}

function mediaType(response: Response): string {
  const [essence = ''] = (response.headers.get('content-type') ?? '').split(';', 1);
  return essence.trim().toLowerCase();
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    const reason =
      body.length >= maxBodyBytes
        ? `is larger than ${maxBodyBytes} bytes`
        : error instanceof SyntaxError
          ? 'is not valid JSON'
          : 'is not valid UTF-8';
    throw new Failure('malformed', `The backend's answer ${reason}.`, { cause: error });
  }
}

function jsonOrNothing(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A problem document (RFC 7807) in its own words; anything else as it came, cut. A secret goes before the cut. */
function errorText(status: number, isJson: boolean, body: Buffer, redact: Redact): string {
  const document = isJson ? jsonOrNothing(body) : undefined;
  if (isRecord(document) && typeof document['title'] === 'string') {
    const { title, detail, status: own = status } = document;
    if (isStatus(own) && (detail === undefined || detail === null || typeof detail === 'string')) {
      return `[${own}] ${title}${typeof detail === 'string' ? `: ${detail}` : ''}`;
    }
  }
  return `[${status}] ${capCharacters(redact(body.toString('utf8')), maxErrorCharacters)}`;
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value);
}

function statusHint(status: number): string | undefined {
  switch (status) {
    case 429:
      return 'Too many requests: wait a little before the next one.';
    case 502:
    case 503:
    case 504:
      return 'The backend is overloaded or one of its parts is down: try again later.';
    default:
      return undefined;
  }
}

function tooSlow(url: string, deadlineMs: number, cause: unknown): Failure {
  return new Failure('network', `${hostOf(url)} did not answer within ${deadlineMs / 1000} seconds.`, { cause });
}

function hostOf(url: string): string {
  return new URL(url).origin;
}
