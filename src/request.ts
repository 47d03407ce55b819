import { createFetch } from 'ofetch';
import { decodedBody, readBody } from './answer-body.ts';
import { Failure } from './failure.ts';
import { brokenAnswer, networkFailure } from './network-failure.ts';
import { isRecord } from './protocol.ts';
import { createRedactor, type Redact } from './redact.ts';
import { capCharacters } from './text.ts';
import { type Answer, type Outgoing, TooSlow, type Transport } from './transport.ts';
import { version } from './version.ts';

/** A 2xx answer in JSON. */
export interface Reply {
  status: number;
  data: unknown;
}

export type Request = (url: string, signal: AbortSignal, options?: CallOptions) => Promise<Reply>;

export interface CallOptions extends Pick<Outgoing, 'mayRepeat'> {
  /** The next step when the backend answers with that status. */
  hints?: Readonly<Record<number, string>>;
}

export interface RequestOptions {
  /** The network, or a demo that answers inside the process. */
  transport: Transport;
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

/** The judge's way onto the network: GET, one deadline over everything, no status tried twice. */
export function createRequest(options: RequestOptions): Request {
  const { transport, token, advice, deadlineMs = defaultDeadlineMs } = options;
  const redact = createRedactor(token === undefined ? [] : [token]);
  const ask = createAsk(transport);

  return async (url, signal, { mayRepeat = true, hints = {} } = {}) => {
    const endsAt = performance.now() + deadlineMs;
    /** The address that is being asked: a redirect changes it. */
    let current = url;
    const send = async (next: string, isTrusted: boolean): Promise<Answer> => {
      current = next;
      return await ask(next, {
        headers: {
          accept: 'application/json, application/problem+json',
          'accept-encoding': 'identity',
          'user-agent': `oj-mcp/${version}`,
          ...(isTrusted && token !== undefined && { authorization: `Bearer ${token}` }),
        },
        signal,
        timeoutMs: endsAt - performance.now(),
        mayRepeat,
      });
    };
    try {
      const answer = await followRedirects(url, send);
      return readReply(answer, await bodyOf(answer, current), { redact, advice, hints });
    } catch (error) {
      if (error instanceof Failure || signal.aborted) throw error;
      throw error instanceof TooSlow
        ? tooSlow(current, deadlineMs, error)
        : networkFailure(current, error, advice.unreachable);
    }
  };
}

type AskOptions = Omit<Outgoing, 'url' | 'headers'>;

/** ofetch over our transport: the platform's `Headers` and `Response` load a second HTTP client, 11 ms and 4 MiB. */
function createAsk(transport: Transport): (url: string, outgoing: AskOptions & { headers: Fields }) => Promise<Answer> {
  const { raw } = createFetch<HeaderFields, AskOptions, Answer>({
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

/** The token stays with the origin it is meant for: once a redirect has left it, it is not sent again. */
async function followRedirects(
  url: string,
  send: (url: string, isTrusted: boolean) => Promise<Answer>,
): Promise<Answer> {
  let current = url;
  let isTrusted = true;
  for (let redirects = 0; ; redirects++) {
    const answer = await send(current, isTrusted);
    const { location } = answer.headers;
    if (!redirectStatuses.has(answer.status) || location === undefined) return answer;
    answer.body.destroy();
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

/** An error status is the answer, however much of its text arrives. */
async function bodyOf(answer: Answer, url: string): Promise<Buffer> {
  const body = await decodedBody(answer);
  if (body === undefined) return Buffer.alloc(0);
  const { bytes, broken } = await readBody(body, maxBodyBytes);
  if (broken === undefined || answer.status >= 400) return bytes;
  throw broken instanceof TooSlow ? broken : brokenAnswer(url, broken);
}

function readReply(
  { status, headers }: Answer,
  body: Buffer,
  {
    redact,
    advice,
    hints,
  }: { redact: Redact; advice: RequestOptions['advice'] } & Pick<Required<CallOptions>, 'hints'>,
): Reply {
  const isJson = jsonTypes.has(mediaType(headers['content-type']));
  if (status === 202) return { status, data: isJson ? jsonOrNothing(body) : undefined };
  if (status >= 200 && status <= 299 && isJson) return { status, data: readJson(body) };
  const hint = hints[status] ?? (status === 401 || status === 403 ? advice.unauthorized : statusHint(status));
  throw new Failure('upstream', errorText(status, isJson, body, redact), {
    status,
    ...(hint !== undefined && { hint }),
  });
}

function mediaType(contentType = ''): string {
  const [essence = ''] = contentType.split(';', 1);
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
